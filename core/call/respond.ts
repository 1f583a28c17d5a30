import { isRefusal } from "../error/Refusal.ts"
import { showLimits } from "../limit/headers.ts"
import type { ToolContent } from "../mcp/toolAnswer.ts"
import { deprecationHeaders } from "../operation/deprecation.ts"
import { errorOf } from "../operation/envelope.ts"
import type { Call } from "./Call.ts"
import { corsHeaders } from "./cors.ts"
import { metaOf, textOf } from "./reply.ts"
import type { Answer, Reply } from "./reply.ts"

/** An answer, and the credits that its call spent. */
export interface Answered extends Answer {
  readonly cost: number
}

/** The last step: a reply as the answer that HTTP sends. */
export const answerOf = (call: Call, reply: Reply): Answered => {
  const { status, headers, body } = textOf(call.envelope, reply)
  return { status, headers: headersOf(call, headers), body, cost: call.receipt.cost ?? 0 }
}

/** The same as the content of a tool's answer: the API's data or error, the call's id, and what it cost. */
export const contentOf = (call: Call, reply: Reply): ToolContent => {
  const { cost = 0, remaining = null } = call.receipt
  const own = { ...metaOf(call.envelope), credits: { cost, remaining } }
  if (isRefusal(reply)) {
    const error = errorOf(reply, call.envelope.publication)
    return { error, request_id: call.envelope.requestId, meta: own }
  }
  return reply._tag === "Told" ? { data: reply.data, meta: { ...reply.meta, ...own } } : { meta: own }
}

/** All headers of an answer, `own` last: they are made here, once, and nothing reads them again. */
export const headersOf = (call: Call, own: Answer["headers"] = {}): Answer["headers"] => {
  const { envelope, party, receipt, request, target } = call
  const headers: Record<string, string> = { "x-request-id": envelope.requestId }
  const deprecated = target.rows[0]?.deprecated
  if (deprecated !== undefined)
    Object.assign(headers, deprecationHeaders(deprecated, envelope.publication.baseUrl))
  if (request.origin !== undefined && party.holder !== undefined)
    Object.assign(headers, corsHeaders(party.holder, request.origin))
  const { limits, cost, remaining, replayed } = receipt
  if (limits !== undefined) showLimits(headers, limits)
  if (cost !== undefined) headers["x-credits-cost"] = String(cost)
  if (remaining !== undefined) headers["x-credits-remaining"] = String(remaining)
  for (const name in own) headers[name] = own[name] ?? ""
  if (replayed) headers["idempotent-replayed"] = "true"
  return headers
}
