import assert from "node:assert/strict"
import { createHash, randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { forgottenMs, leaseMs } from "../../core/idempotency/record.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import { forgottenMax, Idempotency } from "../../core/port/Idempotency.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import type { History, TakenStep } from "./idempotencyHistories.ts"
import { histories, play, startMs, transitions } from "./idempotencyHistories.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"
import { AnotherProcess } from "./writes.ts"
import type { Writes } from "./writes.ts"

/** Enough for a real store: they reach every edge the generators aim at. */
const historiesUsual = 40

/** What every store of idempotency records keeps (core/port/Idempotency.ts); it decides by the test clock. */
export const idempotencyLaws: ReadonlyArray<Law<Writes>> = [
  {
    says: "law 1: for any history it answers as the kernel's record folded over that history",
    check: Effect.suspend(() =>
      Effect.forEach(fc.sample(histories, { numRuns: runs(historiesUsual), seed: 11 }), follow, {
        discard: true
      })
    )
  },
  {
    says: "law 2: of a hundred begins at once one executes, and the others hear that it is running",
    check: Effect.gen(function* () {
      const request = freshRequest()
      const begun = yield* Effect.all(
        Array.from({ length: 100 }, () => begin(request)),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(countTags(begun), { Execute: 1, InProgress: 99 })
    })
  },
  {
    says: "law 2: of a hundred begins at once on a lease that has ended one takes over",
    check: Effect.gen(function* () {
      const request = freshRequest()
      yield* begin(request)
      yield* TestClock.adjust(leaseMs)
      const begun = yield* Effect.all(
        Array.from({ length: 100 }, () => begin(request)),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(countTags(begun), { Execute: 1, InProgress: 99 })
    })
  },
  {
    says: "law 2: a begin does not wait for the write of the turn it meets",
    check: Effect.gen(function* () {
      const request = freshRequest()
      const claim = yield* executeClaim(request)
      const { write } = yield* Transactions
      const meeting = Effect.all([begin(request), begin({ ...request, fingerprint: hash("another body") })])
      const written = yield* write({ claim, charge: undefined, work: Effect.map(meeting, keep) })
      assert.deepEqual(written, {
        _tag: "Committed",
        value: [{ _tag: "InProgress" }, { _tag: "Conflict" }],
        available: undefined
      })
    })
  },
  {
    says: "law 3: records do not touch each other",
    check: Effect.gen(function* () {
      const [one, other] = [freshRequest(), freshRequest()]
      const claim = yield* executeClaim(one)
      yield* executeClaim(other)
      const { release } = yield* Idempotency
      assert.equal(yield* release(claim), "settled")
      assert.equal((yield* begin(other))._tag, "InProgress")
      assert.equal((yield* begin(one))._tag, "Execute")
    })
  },
  {
    says: "law 6: what began two days ago is forgotten, and nothing younger",
    check: Effect.gen(function* () {
      const { forget } = yield* Idempotency
      yield* forgetAll
      const [old, young] = [freshRequest(), freshRequest()]
      yield* executeClaim(old)
      yield* TestClock.adjust(1)
      yield* executeClaim(young)
      yield* TestClock.adjust(forgottenMs - 2)
      assert.equal(yield* forget, 0)
      yield* TestClock.adjust(1)
      assert.equal(yield* forget, 1)
      assert.deepEqual(yield* begin({ ...old, fingerprint: hash("another body") }), {
        _tag: "Execute",
        fence: 1
      })
      assert.deepEqual(yield* begin(young), { _tag: "Execute", fence: 2 })
    })
  },
  {
    says: "law 6: records are forgotten a thousand at a time",
    check: Effect.gen(function* () {
      const { forget } = yield* Idempotency
      yield* forgetAll
      yield* Effect.forEach(Array.from({ length: forgottenMax + 1 }), () => begin(freshRequest()), {
        concurrency: 20
      })
      yield* TestClock.adjust(forgottenMs)
      assert.deepEqual([yield* forget, yield* forget, yield* forget], [forgottenMax, 1, 0])
    })
  }
]

/** What they keep when two processes share the store. */
export const sharedIdempotencyLaws: ReadonlyArray<Law<Writes | AnotherProcess>> = [
  {
    says: "law 4: another process sees at once that a key is taken, released, and what was answered",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      const request = freshRequest()
      const claim = yield* executeClaim(request)
      assert.equal((yield* Effect.provide(begin(request), elsewhere))._tag, "InProgress")
      yield* (yield* Idempotency).release(claim)
      const again = yield* Effect.provide(executeClaim(request), elsewhere)
      assert.equal(again.fence, claim.fence + 1)
      yield* Effect.provide(finish(again, bytes("their answer")), elsewhere)
      assert.deepEqual(yield* begin(request), { _tag: "Replay", answer: bytes("their answer") })
    })
  },
  {
    says: "law 2: of two processes that begin a key at once one executes",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      for (let round = 0; round < 25; round++) {
        const request = freshRequest()
        const half = Effect.all(
          Array.from({ length: 4 }, () => begin(request)),
          { concurrency: "unbounded" }
        )
        const both = yield* Effect.all([half, Effect.provide(half, elsewhere)], { concurrency: 2 })
        assert.deepEqual(countTags(both.flat()), { Execute: 1, InProgress: 7 })
      }
    })
  }
]

/** What they keep while their store is unavailable. */
export const absentIdempotencyLaws: ReadonlyArray<Law<Idempotency>> = [
  {
    says: "law 5: every verb fails as unreachable, and answers nothing it cannot know",
    check: Effect.gen(function* () {
      const { release, renew, forget } = yield* Idempotency
      const claim = { recordId: hash("nobody"), fence: 1 }
      const verbs = [Effect.asVoid(begin(freshRequest())), release(claim), renew(claim), forget]
      const faults = yield* Effect.forEach(verbs, (verb) =>
        Effect.flip<unknown, { readonly fault: string }, Idempotency>(verb)
      )
      assert.deepEqual(new Set(faults.map(({ fault }) => fault)), new Set(["unreachable"]))
    })
  }
]

export const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Bytes as every store gives them back. */
export const bytes = (text: string): Uint8Array => new Uint8Array(new TextEncoder().encode(text))

export const freshRequest = () => ({ recordId: hash(randomUUID()), fingerprint: hash("a body") })

export const begin = (request: ReturnType<typeof freshRequest>) =>
  Effect.map(
    Effect.flatMap(Idempotency, (records) => records.begin(request)),
    (begun) => (begun._tag === "Replay" ? { ...begun, answer: new Uint8Array(begun.answer) } : begun)
  )

/** A turn at a key that is free. */
export const executeClaim = Effect.fnUntraced(function* (request: ReturnType<typeof freshRequest>) {
  const begun = yield* begin(request)
  return begun._tag === "Execute"
    ? ({ recordId: request.recordId, fence: begun.fence } satisfies Claim)
    : assert.fail(`the key is not free: ${begun._tag}`)
})

export const keep = <Value>(value: Value) => ({ _tag: "Keep", value, answer: bytes("an answer") }) as const

/** Completes a turn with nothing else in its write. */
export const finish = (claim: Claim, answer: Uint8Array) =>
  Effect.flatMap(Transactions, ({ write }) =>
    write({ claim, charge: undefined, work: Effect.succeed({ _tag: "Keep", value: undefined, answer }) })
  )

export const countTags = (begun: ReadonlyArray<{ readonly _tag: string }>): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(begun, ({ _tag }) => _tag),
      ([tag, ones]) => [tag, ones.length]
    )
  )

/** Long after whatever other laws have begun in the same store. */
const forgetAll = Effect.gen(function* () {
  const { forget } = yield* Idempotency
  yield* TestClock.adjust(forgottenMs * 20)
  while ((yield* forget) > 0);
})

function follow(history: History) {
  return Effect.gen(function* () {
    const { recordId } = freshRequest()
    const beganMs = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    for (const taken of play(history, transitions)) {
      yield* TestClock.setTime(Math.max(beganMs, 0) + taken.nowMs - startMs)
      const said = yield* perform(recordId, taken)
      assert.deepEqual(said, taken.said, `of ${JSON.stringify(history)}`)
    }
  })
}

const perform = Effect.fnUntraced(function* (recordId: string, { step, turn, said }: TakenStep) {
  if (said === undefined) return undefined
  const records = yield* Idempotency
  if (step._tag === "Begin") {
    const begun = yield* records.begin({ recordId, fingerprint: hash(step.body) })
    return begun._tag === "Replay" ? { ...begun, answer: new TextDecoder().decode(begun.answer) } : begun
  }
  if (step._tag !== "Act" || turn === undefined) return undefined
  const claim = { recordId, fence: turn.fence }
  if (step.act !== "complete") return yield* records[step.act](claim)
  return (yield* finish(claim, bytes(turn.answer)))._tag === "Committed" ? "settled" : "stale"
})
