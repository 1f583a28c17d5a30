import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryDayUses from "../../adapters/memory/DayUses.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import type { LimitPolicy } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { DayUses, DayUsesUnavailable } from "../../core/port/DayUses.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Limits } from "../../core/port/Limits.ts"
import { chargeOf, newAccount } from "./accounts.ts"

/** How often the usage rows were read, and the switch that takes them away. */
export class Rows extends Context.Service<Rows, { reads: number; away: boolean }>()("test/Rows") {}

/** Usage rows in memory, which outlive the processes over them. */
export const rows = Layer.suspend(() => {
  const counted = Layer.effect(
    DayUses,
    Effect.gen(function* () {
      const { read } = yield* DayUses
      const state = yield* Rows
      return {
        read: Effect.fnUntraced(function* (asked) {
          state.reads++
          yield* Effect.yieldNow
          return state.away ? yield* new DayUsesUnavailable({ fault: "unreachable" }) : yield* read(asked)
        })
      }
    })
  ).pipe(Layer.provide(MemoryDayUses.layer))
  return Layer.mergeAll(counted, MemoryLedger.layer, MemoryOrganizations.layer).pipe(
    Layer.provide(Layer.fresh(Books.layer)),
    Layer.provideMerge(Layer.sync(Rows, () => ({ reads: 0, away: false })))
  )
})

/** The quota that the calls here use up, in minutes that never refuse. */
export const quota: LimitPolicy = { perMinute: 1_000, perDay: 40, concurrent: 1_000 }

/** An organization at noon of a day, and its calls: each asks the limits and is charged once admitted. */
export const caller = Effect.gen(function* () {
  yield* TestClock.setTime(20_300.5 * dayMs)
  const { organizationId } = yield* newAccount({ pack: "scale", createdMs: 20_300 * dayMs })
  return { subject: `org:${organizationId}`, call: callOf(organizationId) }
})

const callOf =
  (organizationId: OrganizationId) =>
  (policy: LimitPolicy = quota) =>
    Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const requestId = `req_${timeId({ nowMs, randomBytes: randomBytes(10) })}`
      const entry = { subject: `org:${organizationId}`, requestId, cost: 1, policy }
      const decision = yield* (yield* Limits).acquire(entry)
      if (decision._tag === "Admitted") {
        yield* (yield* Ledger).charge(chargeOf(organizationId, { requestId, atMs: nowMs }))
        yield* (yield* Limits).release(entry)
      }
      return decision
    })

/** How many of so many calls are admitted, one after the other. */
export const countAdmitted = <E, R>(
  count: number,
  call: (policy?: LimitPolicy) => Effect.Effect<{ readonly _tag: string }, E, R>,
  policy?: LimitPolicy
) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => call(policy)),
    (said) => said.filter(({ _tag }) => _tag === "Admitted").length
  )
