import type { IsoDate } from "../coverage/date.ts"

/**
 * Every call's usage row is written with its charge as answered; one that ends otherwise corrects it (§1).
 */
export const usageStatus = 200

/** A call whose process went before it answered counts as SERVER_UNAVAILABLE. */
export const unansweredStatus = 503

/** The calls of one day (UTC), operation, caller, source and MCP tool together. */
export interface UsageLine {
  readonly day: IsoDate
  readonly operation: string
  /** Key id or OAuth client id. */
  readonly caller: string
  readonly source: "api" | "mcp"
  /** The MCP tool; null: the call came by none. */
  readonly tool: string | null
  readonly calls: number
  /** What was spent: a call that ended with a 5xx was given back. */
  readonly credits: number
  /** Calls that ended with 400 or above. */
  readonly errors: number
}

/** What one call adds to its line (§8.3, contract §1). */
export const countOf = (call: { readonly cost: number; readonly status: number }) => ({
  calls: 1,
  credits: call.status >= 500 ? 0 : call.cost,
  errors: call.status >= 400 ? 1 : 0
})

/** A call as a summary counts it. */
export type UsedCall = Omit<UsageLine, "calls" | "credits" | "errors"> & {
  readonly cost: number
  readonly status: number
}

/** The calls as lines, by day, operation, caller, source and tool; no tool comes first. */
export const summaryOf = (calls: ReadonlyArray<UsedCall>): ReadonlyArray<UsageLine> => {
  const lines = new Map<string, UsageLine>()
  for (const { day, operation, caller, source, tool, ...call } of calls) {
    const key = keyOf({ day, operation, caller, source, tool })
    const before = lines.get(key) ?? { calls: 0, credits: 0, errors: 0 }
    const { calls, credits, errors } = countOf(call)
    lines.set(key, {
      ...{ day, operation, caller, source, tool },
      calls: before.calls + calls,
      credits: before.credits + credits,
      errors: before.errors + errors
    })
  }
  return [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
}

/** NUL separates: it sorts before every character of an id or an operation. */
const keyOf = (line: Omit<UsageLine, "calls" | "credits" | "errors">): string =>
  [line.day, line.operation, line.caller, line.source, line.tool ?? ""].join("\u0000")
