import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Settings } from "../../core/port/Settings.ts"
import { answerOf, success } from "../../core/call/answer.ts"
import type { Call, Reply } from "../../core/call/Call.ts"
import type { Unavailable } from "../../core/handler/Handler.ts"
import { makeIdempotencyStep } from "../../core/call/idempotency.ts"
import { makeWriteStep } from "../../core/call/writing.ts"
import type { Work } from "../../core/call/writing.ts"
import { commit } from "../../core/handler/WritePlan.ts"
import { newAccount, freshId } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { Marks } from "./marks.ts"
import { publication, writeCall } from "./writeCalls.ts"
import { memoryWrites } from "./writes.ts"

/** The first seals, all open. */
export const secrets = ["the first secret of the tests, 32 long", "the second one"] as const

/** Settings with these secrets. */
export const settingsOf = (...secretKeys: readonly [string, ...ReadonlyArray<string>]) =>
  Layer.succeed(Settings, { ...publication, secretKeys })

/** A fresh store with an organization of 100 credits, and a way to call its one operation, which costs 4. */
export const subject = Effect.fnUntraced(function* () {
  const { organizationId } = yield* newAccount({ pack: "credits" })
  const answered = yield* makeAnswered.pipe(Effect.provide(settingsOf(...secrets)))
  const marks = yield* Marks
  const mark = freshId("mark_")
  const call = (work: Work, changed: Changed = {}) => {
    const call = writeCall(organizationId, { key: "the client's key", ...changed })
    return Effect.map(Effect.exit(answered(call, work)), (exit) => ({
      ...(Exit.isSuccess(exit) ? exit.value : { status: 0, headers: {}, body: undefined }),
      exit,
      call,
      json: Exit.isSuccess(exit) ? JSON.parse(exit.value.body ?? "null") : undefined,
      cost: String(call.receipt.cost)
    }))
  }
  const done = Effect.as(
    marks.set(mark),
    success(
      anEnvelope,
      JSON.stringify({ id: 7, n: 1e21, "2": [null], "1": "é\ud800" }),
      JSON.stringify({ note: "as it was" })
    )
  )
  const ledger = yield* Ledger
  return {
    call,
    within: (work: Effect.Effect<Reply, Unavailable> = done, changed: Changed = {}) =>
      call(commit(work), changed),
    done,
    mark: marks.set(mark),
    marked: marks.count(mark),
    stated: Effect.map(
      ledger.statement({ organizationId, nowMs: beganMs }),
      (statement) => statement?.charged
    ),
    organizationId
  }
})

/** Steps 9 to 11 of a call whose work is given. */
export const makeAnswered = Effect.gen(function* () {
  const idempotency = yield* makeIdempotencyStep
  const writing = yield* makeWriteStep
  return (call: Call, work: Work) =>
    Effect.map(
      idempotency(call, (claimed) => writing(claimed, work)),
      (reply) => answerOf(call, reply)
    )
})

interface Changed {
  readonly body?: string
  readonly key?: string | undefined
}

/** An envelope for answers that are made before their call is. */
export const anEnvelope = writeCall("org_0", { key: undefined }).envelope

/** All that a write needs, in the process. */
export const writesInMemory = Layer.merge(memoryWrites, nodeCrypto)

export const inMemory = Effect.provide(writesInMemory)
