import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DayUnknown } from "../limit/acquire.ts"
import type { Memo } from "../limit/memo.ts"
import { isLasting, repeat } from "../limit/memo.ts"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import type { LimitEntry, LimitsUnavailable } from "../port/Limits.ts"
import { Limits } from "../port/Limits.ts"
import { makeCache } from "./cache.ts"

/** Subjects in a flood beyond these are forgotten, and the store answers for them. */
export const memosMax = 10_000

/**
 * Answers the calls of a flood that the limits must refuse without asking the store again, as an Exit, since
 * nothing has to be waited for; every law still holds. To be asked when the answer is wanted.
 */
export const rejectionCache = <E, R>(limits: Layer.Layer<Limits, E, R>): Layer.Layer<Limits, E, R> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* Limits
      const clock = yield* Clock.Clock
      const memos = makeCache<string, Memo & { readonly policy: LimitPolicy }>({ weightMax: memosMax })
      const before =
        <Said extends LimitDecision | DayUnknown>(
          decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>
        ) =>
        (entry: LimitEntry): Effect.Effect<Said | Memo["refusal"], LimitsUnavailable> => {
          const beganMs = clock.currentTimeMillisUnsafe()
          // What is told of the day is told to the store, whatever the answer will be.
          const memo = entry.dayUse === undefined ? memos.get(entry.subject) : undefined
          if (memo !== undefined && sameLimits(memo.policy, entry.policy)) {
            const refusal = repeat(memo, { cost: entry.cost, clockMs: beganMs })
            if (refusal !== undefined) return Effect.succeed(refusal)
          }
          return Effect.map(decide(entry), (decision) => {
            if (decision._tag !== "Refused" || !isLasting(decision)) return decision
            const answeredMs = clock.currentTimeMillisUnsafe()
            const { cost, policy } = entry
            memos.set(entry.subject, { refusal: decision, cost, askedMs: beganMs, answeredMs, policy })
            return decision
          })
        }
      return { acquire: before(store.acquire), tryAcquire: before(store.tryAcquire), release: store.release }
    })
  ).pipe(Layer.provide(limits))

// The day's quota counts, since the headers of a refusal name it; the slots do not reach a refusal by the
// minute.
const sameLimits = (one: LimitPolicy, other: LimitPolicy): boolean =>
  one.perMinute === other.perMinute && one.perDay === other.perDay
