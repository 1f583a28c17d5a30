import * as fc from "fast-check"
import { dayOf } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { UsageLine } from "../../core/organization/usage.ts"
import { summaryOf, usageStatus } from "../../core/organization/usage.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { chargeOf, isoTime } from "./accounts.ts"

/** A call as a history tells it: what it was, when, and what was said of its end, one after the other. */
export interface UsedCall {
  readonly given: Pick<Charge, "cost" | "operation" | "caller" | "source" | "tool" | "atMs">
  readonly endings: ReadonlyArray<number>
}

const midnightMs = Date.UTC(2026, 10, 22)

/** Days meet at midnight UTC: a millisecond is the difference. */
const times = fc.constantFrom(midnightMs - 1, midnightMs, midnightMs + 1, midnightMs + 86_399_999)

/** A call comes by a key, or by an app with a tool; an app may leave the tool unsaid. */
const ways = [
  { source: "api" },
  { source: "mcp" },
  { source: "mcp", tool: "coverage_lookup" },
  { source: "mcp", tool: "policy_research" }
] as const satisfies ReadonlyArray<Pick<Charge, "source" | "tool">>

const calls: fc.Arbitrary<UsedCall> = fc.record({
  given: fc
    .record({
      cost: fc.constantFrom(1, 2, 8),
      operation: fc.constantFrom("codes.lookup", "codes.batch", "policies.list"),
      caller: fc.constantFrom("key_1", "key_2"),
      by: fc.constantFrom(...ways),
      atMs: times
    })
    .map(({ by, ...given }) => ({ ...given, ...by })),
  endings: fc.array(fc.constantFrom(200, 304, 399, 400, 404, 499, 500, 503), { maxLength: 2 })
})

/** So many organizations, each with its calls; `seed` makes a failing run repeatable. */
export const usageHistories = (count: number, seed: number): ReadonlyArray<ReadonlyArray<UsedCall>> =>
  fc.sample(fc.array(calls, { maxLength: 25 }), { numRuns: count, seed })

/** The first end that is not what the row says already is what stays. */
export const endOf = ({ endings }: UsedCall): number =>
  endings.find((status) => status !== usageStatus) ?? usageStatus

/** What the page has to show. */
export const expectedOf = (used: ReadonlyArray<UsedCall>): ReadonlyArray<UsageLine> =>
  summaryOf(
    used.map((call) => ({
      ...call.given,
      tool: call.given.tool ?? null,
      day: dayOf(isoTime(call.given.atMs)),
      status: endOf(call)
    }))
  )

export const chargesOf = (organizationId: OrganizationId, used: ReadonlyArray<UsedCall>) =>
  used.map((call) => ({ call, charge: chargeOf(organizationId, call.given) }))
