import { randomUUID } from "node:crypto"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { enter, leave, untouched } from "../../core/limit/enter.ts"
import type { LimitPolicy } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { leaseMs } from "../../core/limit/slots.ts"
import { windowMs } from "../../core/limit/window.ts"
import { Limits } from "../../core/port/Limits.ts"
import type { Law } from "./Law.ts"
import type { CallMade } from "./limitCalls.ts"
import { callsMade, callsStartMs, policies } from "./limitCalls.ts"

/**
 * The laws of Limits. Each uses subjects of its own, so a store may be shared by all of them, and moves the
 * test clock, by which the adapter must decide.
 */
export const limitsLaws: readonly Law<Limits>[] = [
  {
    says: "1. for any history of calls it answers as the kernel's enter folded over that history",
    check: Effect.suspend(() => follows(callsMade.map(forward)))
  },
  {
    says: "1. it does so too when the clock steps back",
    check: Effect.suspend(() => follows(callsMade))
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
  }
]

/** For a store that is away: nothing listens where the adapter looks for it. */
export const awayLaws: readonly Law<Limits>[] = [
  {
    says: "6. a store that is away fails with LimitsUnavailable, never a guess",
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

const wide: LimitPolicy = { perMinute: 1_000, perDay: 100_000, concurrent: 1_000 }

// A new day for every subject, so that each law begins at an instant that no law before it has reached.
let nextDay = Math.floor(callsStartMs / dayMs) + 1

/** A subject nobody used before, at noon of a day of its own. */
const subject = Effect.gen(function* () {
  const limits = yield* Limits
  const name = `org:law-${randomUUID()}`
  const startMs = nextDay++ * dayMs + dayMs / 2
  const call = (cost: number, policy: LimitPolicy) => {
    const entry = { subject: name, requestId: randomUUID(), cost, policy }
    const entered = limits.enter(entry)
    const decision = Effect.orDie(entered)
    return {
      entered,
      decision,
      leave: limits.leave(entry),
      expect: (wanted: string) =>
        Effect.flatMap(decision, (said) => equal(said._tag === "Refused" ? said.by : "admitted", wanted))
    }
  }
  return { call, at: (afterMs: number) => TestClock.setTime(startMs + afterMs) }
})

const forward = (calls: readonly CallMade[]): readonly CallMade[] =>
  calls.map((call) => ({ ...call, gapMs: Math.abs(call.gapMs) }))

/** Law 1, with the history shrunk to the shortest that tells the adapter from the kernel. */
const follows = (histories: fc.Arbitrary<readonly CallMade[]>) =>
  property(fc.tuple(histories, policies), ([calls, policy]) =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const name = `org:law-${randomUUID()}`
      let state = untouched
      let clockMs = callsStartMs
      for (const { gapMs, cost, nth, ends } of calls) {
        clockMs += gapMs
        yield* TestClock.setTime(clockMs)
        const entry = { subject: name, requestId: String(nth), cost, policy }
        if (ends) {
          yield* limits.leave(entry)
          state = leave(state, entry.requestId)
          continue
        }
        const [wanted, next] = enter(state, entry, clockMs)
        yield* equal(yield* Effect.orDie(limits.enter(entry)), wanted)
        state = next
      }
    })
  )

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
  const states = new Map<string, typeof untouched>()
  const wanted = entries.map((entry) => {
    const [decision, state] = enter(states.get(entry.subject) ?? untouched, entry, callsStartMs)
    states.set(entry.subject, state)
    return decision
  })
  const said = yield* Effect.forEach(entries, (entry) => limits.enter(entry), { concurrency: "unbounded" })
  yield* equal(said, wanted)
})

/** A property over effects that keeps fast-check's shrinking. */
const property = <A, R>(arbitrary: fc.Arbitrary<A>, check: (value: A) => Effect.Effect<void, unknown, R>) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.tryPromise({
      try: () =>
        fc.assert(
          fc.asyncProperty(arbitrary, (value) => Effect.runPromiseWith(context)(check(value))),
          {
            numRuns: 150
          }
        ),
      catch: (error) => new Broken({ why: error instanceof Error ? error.message : String(error) })
    })
  )

/** Structural equality as JSON: decisions are plain data. */
const equal = (said: unknown, wanted: unknown): Effect.Effect<void, Broken> => {
  const [one, other] = [inOrder(said), inOrder(wanted)]
  return one === other ? Effect.void : Effect.fail(new Broken({ why: `said ${one}\nwanted ${other}` }))
}

/** A law that does not hold, with what the adapter said or fast-check's shortest history. */
class Broken extends Data.TaggedError("Broken")<{ readonly why: string }> {
  override get message() {
    return this.why
  }
}

const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => one.localeCompare(other)))
      : inner
  )
