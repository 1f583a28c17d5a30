import type { BodyReading } from "../admission/body.ts"
import { decodeInput } from "../admission/decode.ts"
import type { DecodedInput } from "../admission/decode.ts"
import type { Refusal } from "../error/Refusal.ts"
import { isRefusal } from "../error/Refusal.ts"
import { readTool } from "../mcp/readTool.ts"
import type { ReadId } from "../mcp/Tool.ts"
import { toolNames, tools } from "../mcp/tools.ts"
import type { ToolName } from "../mcp/tools.ts"
import { isWrite, operationIds, operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type { Operation } from "../operation/Operation.ts"
import type { CallRequest } from "./CallRequest.ts"

/** One operation that a call runs; an operation's own call has one, a tool's may have several. */
export interface Part {
  /** Its place in a tool's answer. */
  readonly name: string
  /** Names its handler and, in the usage row, its call. */
  readonly operation: string
  readonly row: Operation
  readonly input: DecodedInput
}

/** What is called: an operation of the catalogue, a tool, or the leaked-key address. */
export interface Target {
  readonly tool: ToolName | undefined
  /** Every operation that it may run: the caller has to stand for all of them (steps 6 and 7). */
  readonly rows: ReadonlyArray<Operation>
  /** Cost units, of the limits and of the credits. */
  readonly cost: number
  readonly isWrite: boolean
  /** Whether its write is one statement as a rule (workflow/WritePlan.ts). */
  readonly isPlain: boolean
  readonly isPerAddress: boolean
  readonly hasBody: boolean
  /** Whether X-Idempotency-Key is looked at. */
  readonly takesKey: boolean
  /** Step 8 up to the cursor. */
  readonly read: (request: CallRequest, body: BodyReading) => ReadonlyArray<Part> | Refusal
}

const ofOperation = (id: OperationId): Target => {
  const row = operationRow(id)
  return {
    tool: undefined,
    rows: [row],
    cost: row.credits,
    isWrite: isWrite(id),
    isPlain: row.plain === true,
    isPerAddress: row.perAddress === true,
    hasBody: row.body !== undefined,
    takesKey: row.method !== "GET",
    read: (request, body) => {
      const input = decodeInput(id, request, body)
      return isRefusal(input) ? input : [{ name: id, operation: id, row, input }]
    }
  }
}

const ofTool = (tool: ToolName): Target => {
  const ids = tools[tool].ways.flatMap(Object.values<ReadId>)
  return {
    tool,
    rows: ids.map(operationRow),
    cost: tools[tool].credits,
    isWrite: false,
    isPlain: false,
    isPerAddress: false,
    hasBody: false,
    takesKey: false,
    read: ({ toolInput }) => {
      const parts = readTool(tool, toolInput)
      return isRefusal(parts) ? parts : parts.map((part) => ({ ...part, row: operationRow(part.operation) }))
    }
  }
}

const operations = Object.fromEntries(operationIds.map((id) => [id, ofOperation(id)]))
const byTool = Object.fromEntries(toolNames.map((tool) => [tool, ofTool(tool)]))

/** The target that an operation is. */
export const targetOf = (id: OperationId): Target => operations[id] ?? ofOperation(id)

/** The target that a tool is. */
export const targetOfTool = (tool: ToolName): Target => byTool[tool] ?? ofTool(tool)
