import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { LimitState } from "../../core/limit/acquire.ts"
import { tryAcquire, acquire, release, emptyLimitState } from "../../core/limit/acquire.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import type { DayUse } from "../../core/limit/quota.ts"
import { dayMs, dayOf } from "../../core/limit/quota.ts"
import { leaseMs } from "../../core/limit/slots.ts"
import { windowMs } from "../../core/limit/window.ts"
import { Limits } from "../../core/port/Limits.ts"
import type { LimitsUnavailable } from "../../core/port/Limits.ts"
import type { Law } from "./Law.ts"
import type { CallMade } from "./limitCalls.ts"
import { busyCalls, busyPolicies, callsMade, callsStartMs, limitedCallOf, policies } from "./limitCalls.ts"
import { equal, property, wordOf } from "./limitsChecks.ts"

/**
 * The laws of Limits. Each uses subjects of its own, so a store may be shared by all of them, and moves the
 * test clock, by which the adapter must decide.
 */
export const limitsLaws: readonly Law<Limits>[] = [
  {
    says: "1. for any history of calls it answers as the kernel folded over that history",
    check: Effect.suspend(() => follows(callsMade.map(forward)))
  },
  {
    says: "1. it does so too when the clock steps back",
    check: Effect.suspend(() => follows(callsMade))
  },
  {
    says: "1. it does so too when a hundred calls are in the window",
    check: Effect.suspend(() => follows(busyCalls, busyPolicies, 25))
  },
  {
    says: "1. it does so too for calls of many subjects that are made in the same instant",
    check: Effect.suspend(() => together)
  },
  {
    says: "2. a call refused by the minute, the day or the calls in flight uses none of them",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      yield* at(0)
      yield* call(1, { ...wide, concurrent: 1 }).expect("admitted")
      yield* call(8, { ...wide, perMinute: 5 }).expect("minute")
      yield* call(8, { ...wide, perDay: 5 }).expect("day")
      yield* call(8, { ...wide, concurrent: 1 }).expect("concurrent")
      yield* call(1, { perMinute: 2, perDay: 2, concurrent: 2 }).expect("admitted")
    })
  },
  {
    says: "2. when several refuse, the minute answers first, then the day, then the calls in flight",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      yield* at(0)
      yield* call(1, wide).expect("admitted")
      yield* call(1, { perMinute: 1, perDay: 1, concurrent: 1 }).expect("minute")
      yield* call(1, { perMinute: 9, perDay: 1, concurrent: 1 }).expect("day")
      yield* call(1, { perMinute: 9, perDay: 9, concurrent: 1 }).expect("concurrent")
    })
  },
  {
    says: "3. of 400 calls that race for a limit of 60 exactly 60 are admitted, and again after a minute",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      const policy = { ...wide, perMinute: 60 }
      for (const minute of [0, windowMs - 1, windowMs]) {
        yield* at(minute)
        const decisions = yield* Effect.all(
          Array.from({ length: 400 }, () => call(1, policy).decision),
          { concurrency: "unbounded" }
        )
        const admitted = decisions.filter((decision) => decision._tag === "Admitted").length
        yield* equal(admitted, minute === windowMs - 1 ? 0 : 60)
      }
    })
  },
  {
    says: "3. of 400 calls that race for 60 slots, or for a day's quota of 60, exactly 60 are admitted",
    check: Effect.gen(function* () {
      for (const policy of [
        { ...wide, concurrent: 60 },
        { ...wide, perDay: 60 }
      ]) {
        const { call, at } = yield* subject
        yield* at(0)
        const decisions = yield* Effect.all(
          Array.from({ length: 400 }, () => call(1, policy).decision),
          { concurrency: "unbounded" }
        )
        yield* equal(decisions.filter((decision) => decision._tag === "Admitted").length, 60)
      }
    })
  },
  {
    says: "4. a subject that used everything leaves every other subject untouched",
    check: Effect.gen(function* () {
      const one = yield* subject
      const other = yield* subject
      const policy = { perMinute: 8, perDay: 8, concurrent: 1 }
      yield* one.at(0)
      yield* one.call(8, policy).expect("admitted")
      yield* one.call(1, policy).expect("minute")
      yield* other.call(8, policy).expect("admitted")
    })
  },
  {
    says: "5. leave gives the slot back once, and gives nothing back of the minute and the day",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      const policy = { perMinute: 2, perDay: 2, concurrent: 1 }
      yield* at(0)
      const first = call(1, policy)
      yield* first.expect("admitted")
      yield* first.leave
      const second = call(1, policy)
      yield* second.expect("admitted")
      yield* first.leave
      yield* call(1, { ...wide, concurrent: 1 }).expect("concurrent")
      yield* second.leave
      yield* call(1, { ...policy, perMinute: 3 }).expect("day")
      yield* call(1, policy).expect("minute")
    })
  },
  {
    says: "5. a lease whose process died ends by itself after 15 s, and not a millisecond earlier",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      const policy = { ...wide, concurrent: 1 }
      yield* at(0)
      yield* call(1, policy).expect("admitted")
      yield* at(leaseMs - 1)
      yield* call(1, policy).expect("concurrent")
      yield* at(leaseMs)
      yield* call(1, policy).expect("admitted")
    })
  },
  {
    says: "7. a day of which nothing is known is told once, by the store as by the caller, and uses nothing",
    check: Effect.gen(function* () {
      const { call, at, day } = yield* subject
      const policy = { ...wide, perDay: 20 }
      yield* at(0)
      yield* call(8, { ...policy, concurrent: 1 }).attempts("unknown")
      yield* call(8, policy).attempts("unknown")
      yield* call(8, { ...policy, concurrent: 1 }, { day, used: 5 }).expect("admitted")
      yield* call(7, policy).attempts("admitted")
      yield* call(1, policy).attempts("day")
      yield* at(dayMs / 2)
      yield* call(8, policy).attempts("unknown")
    })
  },
  {
    says: "7. a refused call leaves the day told, and what is told again and is less, or late, tells nothing",
    check: Effect.gen(function* () {
      const { call, at, day } = yield* subject
      const policy = { ...wide, perDay: 20 }
      yield* at(0)
      yield* call(1, policy, { day, used: 20 }).expect("day")
      yield* call(1, policy).attempts("day")
      yield* call(1, policy, { day, used: 3 }).attempts("day")
      yield* call(1, { ...policy, perDay: 30 }, { day, used: 25 }).expect("admitted")
      yield* call(5, { ...policy, perDay: 30 }).attempts("day")
      yield* at(dayMs / 2)
      yield* call(1, policy, { day, used: 25 }).attempts("unknown")
      yield* call(1, policy, { day, used: 25 }).expect("admitted")
      yield* call(19, policy).attempts("admitted")
    })
  }
]

/** For a store that is unavailable: nothing listens where the adapter looks for it. */
export const awayLaws: readonly Law<Limits>[] = [
  {
    says: "6. a store that is unavailable fails with LimitsUnavailable, never a guess",
    check: Effect.gen(function* () {
      const { call } = yield* subject
      const exit = yield* Effect.exit(call(1, wide).entered)
      yield* equal(exit._tag, "Failure")
      const error = yield* Effect.flip(call(1, wide).entered)
      yield* equal(error._tag, "LimitsUnavailable")
    })
  },
  {
    says: "6. leave never fails, since a slot ends by itself",
    check: Effect.gen(function* () {
      const { call } = yield* subject
      yield* call(1, wide).leave
    })
  }
]

/** So large that only what a law narrows refuses. */
export const wide: LimitPolicy = { perMinute: 1_000, perDay: 100_000, concurrent: 1_000 }

// A new day for every subject, so that each law begins at an instant that no law before it has reached.
let nextDay = Math.floor(callsStartMs / dayMs) + 1

interface LawCall {
  readonly entered: Effect.Effect<LimitDecision, LimitsUnavailable>
  readonly decision: Effect.Effect<LimitDecision>
  readonly leave: Effect.Effect<void>
  readonly expect: (wanted: string) => ReturnType<typeof equal>
  readonly attempts: (wanted: string) => ReturnType<typeof equal>
}
interface LawSubject {
  readonly call: (cost: number, policy: LimitPolicy, dayUse?: DayUse) => LawCall
  readonly day: number
  readonly at: (afterMs: number) => Effect.Effect<void>
}

/** A subject nobody used before, at noon of a day of its own. */
export const subject: Effect.Effect<LawSubject, never, Limits> = Effect.gen(function* () {
  const limits = yield* Limits
  const name = `org:law-${randomUUID()}`
  const startMs = nextDay++ * dayMs + dayMs / 2
  const call = (cost: number, policy: LimitPolicy, dayUse?: DayUse) => {
    const entry = { subject: name, requestId: randomUUID(), cost, policy, ...(dayUse && { dayUse }) }
    const entered = limits.acquire(entry)
    const decision = Effect.orDie(entered)
    return {
      entered,
      decision,
      leave: limits.release(entry),
      expect: (wanted: string) => Effect.flatMap(decision, (said) => equal(wordOf(said), wanted)),
      attempts: (wanted: string) =>
        Effect.flatMap(Effect.orDie(limits.tryAcquire(entry)), (said) => equal(wordOf(said), wanted))
    }
  }
  return { call, day: dayOf(startMs), at: (afterMs: number) => TestClock.setTime(startMs + afterMs) }
})

const forward = (calls: readonly CallMade[]): readonly CallMade[] =>
  calls.map((call) => ({ ...call, gapMs: Math.abs(call.gapMs) }))

/** Law 1, with the history shrunk to the shortest that tells the adapter from the kernel. */
const follows = (histories: fc.Arbitrary<readonly CallMade[]>, limits = policies, runs = 150) =>
  property(
    fc.tuple(histories, limits),
    ([calls, policy]) =>
      Effect.gen(function* () {
        const limits = yield* Limits
        const name = `org:law-${randomUUID()}`
        let state = emptyLimitState
        let clockMs = callsStartMs
        let latestMs = clockMs
        for (const call of calls) {
          clockMs = Math.max(clockMs + call.gapMs, steppedBackTo(state, latestMs))
          latestMs = Math.max(latestMs, clockMs)
          yield* TestClock.setTime(clockMs)
          const entry = { subject: name, ...limitedCallOf(call, policy, clockMs) }
          if (call.ends) {
            yield* limits.release(entry)
            state = release(state, entry.requestId)
            continue
          }
          const [wanted, next] = (call.attempts ? tryAcquire : acquire)(state, entry, clockMs)
          yield* equal(
            yield* Effect.orDie(call.attempts ? limits.tryAcquire(entry) : limits.acquire(entry)),
            wanted
          )
          state = next
        }
      }),
    runs
  )

/**
 * How far back the clock may step: an idle subject may be forgotten, and then only the last minute is sure to
 * be what it was.
 */
const steppedBackTo = ({ log }: LimitState, latestMs: number): number => {
  const lastMs = log.at(-1)?.atMs
  return lastMs === undefined || latestMs >= lastMs + 2 * windowMs ? latestMs - windowMs : 0
}

/**
 * Law 1 for a batch: the calls of each subject in their order, those of different subjects in one instant.
 */
const together = Effect.gen(function* () {
  const limits = yield* Limits
  yield* TestClock.setTime(callsStartMs)
  const policy = { perMinute: 12, perDay: 20, concurrent: 7 }
  const entries = Array.from({ length: 300 }, (_, index) => ({
    subject: `org:law-${index % 20}-${callsStartMs}-${nextDay}`,
    requestId: randomUUID(),
    cost: [1, 2, 3, 6][index % 4] ?? 1,
    policy
  }))
  nextDay++
  const states = new Map<string, typeof emptyLimitState>()
  const wanted = entries.map((entry) => {
    const [decision, state] = acquire(states.get(entry.subject) ?? emptyLimitState, entry, callsStartMs)
    states.set(entry.subject, state)
    return decision
  })
  const said = yield* Effect.forEach(entries, (entry) => limits.acquire(entry), { concurrency: "unbounded" })
  yield* equal(said, wanted)
})
