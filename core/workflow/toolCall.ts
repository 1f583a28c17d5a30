import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { standingRefusal } from "../admission/gates.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { policyFor } from "../limit/policy.ts"
import { readTool } from "../mcp/readTool.ts"
import { joined } from "../mcp/toolResult.ts"
import type { ReadId } from "../mcp/Tool.ts"
import { tools } from "../mcp/tools.ts"
import type { ToolName } from "../mcp/tools.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"
import { operationRow } from "../operation/catalogue.ts"
import { scopes } from "../operation/scope.ts"
import { makeCharging } from "./charging.ts"
import type { Bill } from "./charging.ts"
import { makeDeadlines } from "./deadline.ts"
import type { Desks } from "./desk.ts"
import { makeEntering } from "./entering.ts"
import type { Restore } from "./entering.ts"
import { answerFault } from "./fault.ts"
import type { AnyHandler, Caller, Unavailable } from "./Handler.ts"
import { makePublicHandlers } from "./handlers.ts"
import { refuse, succeed } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"
import type { Opened } from "./run.ts"
import { timedOut } from "./timedOut.ts"

/** A call of a tool; steps 2 and 3 were passed by the HTTP request that brought it. */
export interface ToolRequest {
  readonly tool: ToolName
  /** As they came. */
  readonly input: unknown
  readonly holder: TokenHolder
}

/** A part whose cursor is known to be ours. */
interface OpenPart {
  readonly name: string
  readonly operation: ReadId
  readonly opened: Opened
}

/**
 * The one path (workflow/call.ts) of a tool's call, which may run several operations: all of them pass
 * steps 6 to 8 before anything is charged, what the tool costs as a whole is then taken once, and given back
 * once if any part ends with a 5xx (contract §3, MCP). What a part refuses is the answer, and no part after
 * it runs.
 */
export const makeToolCall = (desks: Desks) =>
  Effect.gen(function* () {
    const entering = yield* makeEntering
    const charging = yield* makeCharging
    const deadlines = yield* makeDeadlines
    const { run, handlers } = desks.live
    const everyHandler: Readonly<Record<string, unknown>> = { ...handlers, ...(yield* makePublicHandlers) }

    /** Step 8. */
    const opened = ({ tool, input, holder }: ToolRequest): ReadonlyArray<OpenPart> | Refusal => {
      const parts = readTool(tool, input)
      if (isRefusal(parts)) return parts
      const open: Array<OpenPart> = []
      for (const { name, operation, input: read } of parts) {
        const one = run.open({ operation, ifNoneMatch: undefined }, read, callerOf(holder))
        if (isRefusal(one)) return one
        open.push({ name, operation, opened: one })
      }
      return open
    }

    /** Step 11: the parts in their order. */
    const answered = Effect.fnUntraced(function* (envelope: Envelope, parts: ReadonlyArray<OpenPart>) {
      const answers: Array<{ readonly name: string; readonly body: string }> = []
      for (const { name, operation, opened: input } of parts) {
        const asked = { operation, ifNoneMatch: undefined }
        const answer = yield* run.answer(asked, envelope, input, everyHandler[operation] as AnyHandler)
        if (answer.status !== 200) return answer
        answers.push({ name, body: answer.body ?? "" })
      }
      const { data, meta } = joined(answers)
      return succeed(envelope, data, JSON.stringify(meta))
    })

    /** Steps 6 to 11. */
    const admitted = (
      request: ToolRequest,
      envelope: Envelope,
      restore: Restore
    ): Effect.Effect<Answer, Unavailable> => {
      const refusal = standing(request)
      if (refusal !== undefined) return Effect.succeed(refuse(envelope, refusal))
      const parts = opened(request)
      if (isRefusal(parts)) return Effect.succeed(refuse(envelope, parts))
      const work = () => answered(envelope, parts)
      const [first] = parts
      return tools[request.tool].credits === 0 || first === undefined
        ? restore(work())
        : charging(billOf(request, first.operation), envelope, restore, work)
    }

    /** Steps 5 to 11; what costs nothing is counted by no limit, as over HTTP. */
    const called = (request: ToolRequest, envelope: Envelope): Effect.Effect<Answer, Unavailable> => {
      const { credits: cost } = tools[request.tool]
      if (cost === 0) return admitted(request, envelope, identity)
      const { organizationId, pack, concurrentMax } = request.holder
      const entry = {
        subject: `org:${organizationId}`,
        requestId: envelope.requestId,
        cost,
        policy: policyFor(pack, concurrentMax)
      }
      return entering(entry, envelope, undefined, (restore) => admitted(request, envelope, restore))
    }

    return (request: ToolRequest, envelope: Envelope): Effect.Effect<Answer> =>
      deadlines.within(
        answerFault(
          envelope,
          Effect.suspend(() => called(request, envelope))
        ),
        () => timedOut(envelope)
      )
  })

/** Steps 6 and 7: every operation that the tool may run. */
const standing = ({ tool, holder }: ToolRequest): Refusal | undefined => {
  const held = scopes.filter((scope) => holder.scopes.includes(scope))
  for (const operation of tools[tool].ways.flatMap(Object.values<ReadId>)) {
    const refusal = standingRefusal({ row: operationRow(operation), scopes: held, pack: holder.pack })
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** One row of usage for a call, under the first operation that it runs. */
const billOf = ({ tool, holder }: ToolRequest, operation: ReadId): Bill => ({
  organizationId: holder.organizationId,
  cost: tools[tool].credits,
  operation,
  caller: holder.clientId,
  source: "mcp",
  tool,
  person: holder.personId
})

/** Tools only read: nothing of theirs is written to the log. */
const callerOf = ({ organizationId, pack }: TokenHolder): Caller => ({
  organizationId,
  pack,
  releaseId: null,
  auditor: null
})
