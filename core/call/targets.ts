import { inputDecoder } from "../admission/decode.ts"
import type { DecodedInput, InputDecoder } from "../admission/decode.ts"
import type { Refusal } from "../error/Refusal.ts"
import { isRefusal } from "../error/Refusal.ts"
import { readTool } from "../mcp/readTool.ts"
import type { ReadId, Show } from "../mcp/Tool.ts"
import { toolNames, tools } from "../mcp/tools.ts"
import type { ToolName } from "../mcp/tools.ts"
import { isWrite, operationIds, operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type { CallRow } from "../operation/Operation.ts"
import type { CursorBinding } from "../page/cursor.ts"

/** One operation that a call runs; an operation's own call has one, a tool's may have several. */
export interface Part {
  /** Its place in a tool's answer. */
  readonly name: string
  /** Names its handler and, in the usage row, its call. */
  readonly operation: string
  readonly row: CallRow
  readonly input: DecodedInput
  /** What the previous page said its end was; null on the first page, and of what has no pages. */
  readonly position: unknown
  /** What the cursor of its next page is for. */
  readonly binding: CursorBinding
  /** What a tool's answer shows of the data; absent: all of it. */
  readonly show?: Show | undefined
}

/** What is called: an operation of the catalogue, the leaked-key address, or a tool. */
export type Target = OperationTarget | ToolTarget

interface Called {
  /** The operation's id, or the tool's name. */
  readonly name: string
  /** Every operation that it may run: the caller has to stand for all of them (steps 6 and 7). */
  readonly rows: ReadonlyArray<CallRow>
  /** Whether it takes no credential. */
  readonly isPublic: boolean
  /** Cost units, of the limits and of the credits. */
  readonly cost: number
  readonly isWrite: boolean
  /** Whether its write is one statement as a rule (handler/WritePlan.ts). */
  readonly isPlain: boolean
  readonly isPerAddress: boolean
  readonly hasBody: boolean
  /** Whether X-Idempotency-Key is looked at. */
  readonly takesKey: boolean
}

/** An operation, which has one part. */
export interface OperationTarget extends Called {
  readonly tool: undefined
  readonly row: CallRow
  /** Step 8 up to the cursor. */
  readonly decode: InputDecoder
}

/** A tool, whose parts its arguments tell. */
interface ToolTarget extends Called {
  readonly tool: ToolName
  readonly readParts: (input: unknown) => ReadonlyArray<Part> | Refusal
}

/** Of what has no pages; the cursor of one that has is opened afterwards (cursors.ts). */
export const firstPage: Pick<Part, "position" | "binding"> = {
  position: null,
  binding: { organization: "", operation: "", filters: "" }
}

const ofOperation = (id: OperationId): Target => {
  const row = operationRow(id)
  return {
    name: id,
    tool: undefined,
    row,
    rows: [row],
    isPublic: row.requirement === null,
    cost: row.credits,
    isWrite: isWrite(id),
    isPlain: row.plain === true,
    isPerAddress: row.perAddress === true,
    hasBody: row.body !== undefined,
    takesKey: row.method !== "GET",
    decode: inputDecoder(id)
  }
}

const ofTool = (tool: ToolName): Target => {
  return {
    name: tool,
    tool,
    rows: tools[tool].ways.flatMap(Object.values<ReadId>).map(operationRow),
    isPublic: false,
    cost: tools[tool].credits,
    isWrite: false,
    isPlain: false,
    isPerAddress: false,
    hasBody: false,
    takesKey: false,
    readParts: (input) => {
      const parts = readTool(tool, input)
      return isRefusal(parts)
        ? parts
        : parts.map((part) => ({ ...part, row: operationRow(part.operation), ...firstPage }))
    }
  }
}

const operations = Object.fromEntries(operationIds.map((id) => [id, ofOperation(id)]))
const byTool = Object.fromEntries(toolNames.map((tool) => [tool, ofTool(tool)]))

/** The target that an operation is. */
export const targetOf = (id: OperationId): Target => operations[id] ?? ofOperation(id)

/** The target that a tool is. */
export const targetOfTool = (tool: ToolName): Target => byTool[tool] ?? ofTool(tool)
