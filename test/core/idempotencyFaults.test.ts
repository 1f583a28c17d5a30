import { it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { refused } from "../../core/error/Refusal.ts"
import { Idempotency, IdempotencyUnavailable } from "../../core/port/Idempotency.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { Transactions, TransactionsUnavailable } from "../../core/port/Transactions.ts"
import { success } from "../../core/call/answer.ts"
import type { Work } from "../../core/call/writing.ts"
import { commit } from "../../core/handler/WritePlan.ts"
import { newAccount } from "../kit/accounts.ts"
import {
  anEnvelope,
  inMemory,
  makeAnswered,
  secrets,
  settingsOf,
  subject,
  writesInMemory
} from "../kit/keyedCalls.ts"
import { writeCall } from "../kit/writeCalls.ts"

/** The memory's own ports with one of them broken. */
const withBroken = <Id, Shape>(key: Context.Key<Id, Shape>, spoil: (right: Shape) => Shape) =>
  Effect.provide(Layer.provideMerge(Layer.effect(key, Effect.map(key, spoil)), writesInMemory))

describe("contract §1 Server faults of a call with an X-Idempotency-Key", () => {
  const faults: ReadonlyArray<StoreFault> = ["unreachable", "refused", "timeout", "unknown_outcome"]
  for (const fault of faults) {
    it.effect(`that cannot begin (${fault}) answers SERVER_IDEMPOTENCY_UNAVAILABLE and does not run`, () =>
      Effect.gen(function* () {
        const { within } = yield* subject()
        const answer = yield* within(Effect.die("ran"))
        expect([answer.json.error.code, answer.cost]).toEqual(["SERVER_IDEMPOTENCY_UNAVAILABLE", "0"])
      }).pipe(
        withBroken(Idempotency, (right) => ({
          ...right,
          begin: () => Effect.fail(new IdempotencyUnavailable({ fault }))
        }))
      )
    )
  }

  const lost =
    (write: Transactions["Service"]["write"]): Transactions["Service"]["write"] =>
    (asked) =>
      Effect.andThen(write(asked), Effect.fail(new TransactionsUnavailable({ fault: "unknown_outcome" })))
  it.effect("whose COMMIT is lost answers SERVER_UNAVAILABLE and leaves the record as it is", () =>
    Effect.gen(function* () {
      const { within } = yield* subject()
      const { exit } = yield* within()
      expect(exit).toEqual(Exit.fail(new TransactionsUnavailable({ fault: "unreachable" })))
      expect((yield* within(Effect.die("ran again"))).json.meta.cached).toBe(true)
    }).pipe(withBroken(Transactions, (right) => ({ ...right, write: lost(right.write) })))
  )

  const never: Transactions["Service"]["write"] = () =>
    Effect.fail(new TransactionsUnavailable({ fault: "unknown_outcome" }))
  it.effect(
    "whose COMMIT is lost and never happened is taken over within a client's retries, and not before",
    () =>
      Effect.gen(function* () {
        const { within } = yield* subject()
        yield* within()
        expect((yield* within()).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
        yield* TestClock.adjust("5 seconds")
        expect((yield* within()).exit).toEqual(
          Exit.fail(new TransactionsUnavailable({ fault: "unreachable" }))
        )
      }).pipe(withBroken(Transactions, (right) => ({ ...right, write: never })))
  )

  it.effect("without the key a lost COMMIT stays what it is: SERVER_DATABASE_ERROR", () =>
    Effect.gen(function* () {
      const { within } = yield* subject()
      const { exit } = yield* within(undefined, { key: undefined })
      expect(exit).toEqual(Exit.fail(new TransactionsUnavailable({ fault: "unknown_outcome" })))
    }).pipe(withBroken(Transactions, (right) => ({ ...right, write: never })))
  )

  it.effect("that cannot give its key back answers as it would, and the lease ends by itself", () =>
    Effect.gen(function* () {
      const { within } = yield* subject()
      const down = Effect.succeed(refused("SERVER_UPSTREAM_UNAVAILABLE"))
      expect((yield* within(down)).status).toBe(503)
      expect((yield* within()).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
      yield* TestClock.adjust("5 seconds")
      expect((yield* within()).status).toBe(200)
    }).pipe(
      withBroken(Idempotency, (right) => ({
        ...right,
        release: () => Effect.fail(new IdempotencyUnavailable({ fault: "unreachable" }))
      }))
    )
  )
})

describe("contract §1 kept answers are encrypted with SECRET_KEY", () => {
  it.effect("what the store holds says nothing, opens under any key of the list, and under no other", () =>
    Effect.gen(function* () {
      const [old, rotated, lost] = [[secrets[1]], secrets, ["another secret"]] as const
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const kept: Array<Uint8Array> = []
      const transactions = yield* Transactions
      const spying = Layer.succeed(Transactions, {
        ...transactions,
        write: (asked) =>
          transactions.write({
            ...asked,
            work: Effect.tap(asked.work, (worked) =>
              Effect.sync(() => worked._tag === "Keep" && kept.push(worked.answer))
            )
          })
      })
      const ask = (secretKeys: readonly [string, ...ReadonlyArray<string>], work: Work) =>
        Effect.gen(function* () {
          const answer = yield* (yield* makeAnswered)(writeCall(organizationId, { key: "k" }), work)
          return JSON.parse(answer.body ?? "")
        }).pipe(Effect.provide(Layer.merge(spying, settingsOf(...secretKeys))))
      const secret = Effect.sync(() => success(anEnvelope, `{"secret":"whsec_shown_once"}`, "{}"))
      yield* ask(old, commit(secret))
      expect(new TextDecoder("latin1").decode(kept[0])).not.toContain("whsec")
      const again: Work = commit(Effect.die("ran again"))
      expect((yield* ask(rotated, again)).data.secret).toBe("whsec_shown_once")
      expect((yield* ask(lost, again)).error.code).toBe("SERVER_IDEMPOTENCY_UNAVAILABLE")
    }).pipe(inMemory)
  )
})
