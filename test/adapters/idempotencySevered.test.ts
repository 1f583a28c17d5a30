import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect } from "vitest"
import { Ledger } from "../../core/port/Ledger.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, newAccount, freshId } from "../kit/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { begin, executeClaim, freshRequest, keep } from "../kit/idempotencyLaws.ts"
import { Marks } from "../kit/marks.ts"
import { freshDatabase } from "../kit/postgres.ts"
import type { Cut } from "../kit/severed.ts"
import { severedWay } from "../kit/severed.ts"
import { postgresWritesAt } from "../stores/writes.ts"

/**
 * A write whose connection goes as told, and what the store says of it afterwards by a way that was never
 * cut.
 */
const written = (cut: Cut, keyed: "with a key" | "without a key", changes: "a row" | "nothing" = "a row") =>
  Effect.gen(function* () {
    const connection = yield* freshDatabase
    if (!("folder" in connection))
      return yield* Effect.die("the run's PostgreSQL listens on a socket in a folder")
    const severed = yield* severedWay(connection)
    return yield* Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const request = freshRequest()
      const mark = freshId("mark_")
      const claim = keyed === "with a key" ? yield* executeClaim(request) : undefined
      const outcome = yield* Effect.gen(function* () {
        const { write } = yield* Transactions
        const marks = yield* Marks
        yield* marks.count(mark)
        yield* severed.cut(cut)
        const done = Exit.succeed(keep("done"))
        const work = changes === "nothing" ? done : Effect.andThen(marks.set(mark), done)
        return yield* Effect.match(write({ claim, charge: chargeOf(organizationId, { cost: 4 }), work }), {
          onSuccess: ({ _tag }) => _tag,
          onFailure: ({ fault }) => fault
        })
      }).pipe(Effect.provide(postgresWritesAt(severed.way)))
      const { statement } = yield* Ledger
      const { count } = yield* Marks
      const charged = (yield* statement({ organizationId, nowMs: beganMs }))?.charged
      const repeat = claim && (yield* begin(request))._tag
      return { outcome, charged, marks: yield* count(mark), repeat }
    }).pipe(Effect.provide(postgresWritesAt(connection)))
  })

const whole = { charged: 4, marks: 1 }
const nothing = { charged: 0, marks: 0 }

describe("law 5: a write whose COMMIT is lost", () => {
  it.live("with a key is settled by its record when the store can be asked again", () =>
    Effect.gen(function* () {
      const seen = yield* written({ saying: "COMMIT", forGood: false }, "with a key")
      expect(seen).toEqual({ outcome: "Committed", ...whole, repeat: "Replay" })
    })
  )

  it.live("with a key is an unknown outcome when the store is gone for good; the repeat is a replay", () =>
    Effect.gen(function* () {
      const seen = yield* written({ saying: "COMMIT", forGood: true }, "with a key")
      expect(seen).toEqual({ outcome: "unknown_outcome", ...whole, repeat: "Replay" })
    })
  )

  it.live("without a key is settled by its charge when the store can be asked again", () =>
    Effect.gen(function* () {
      const seen = yield* written({ saying: "COMMIT", forGood: false }, "without a key")
      expect(seen).toEqual({ outcome: "Committed", ...whole, repeat: undefined })
    })
  )

  it.live("without a key is an unknown outcome when the store is gone for good", () =>
    Effect.gen(function* () {
      const seen = yield* written({ saying: "COMMIT", forGood: true }, "without a key")
      expect(seen).toEqual({ outcome: "unknown_outcome", ...whole, repeat: undefined })
    })
  )

  it.live.each([
    [false, "Committed"],
    [true, "unknown_outcome"]
  ] as const)("that changes nothing else is settled likewise (gone for good: %s)", ([forGood, outcome]) =>
    Effect.gen(function* () {
      const cut = { saying: "with completed", forGood }
      const seen = yield* written(cut, "with a key", "nothing")
      expect(seen).toEqual({ outcome, charged: 4, marks: 0, repeat: "Replay" })
    })
  )

  it.live("law 1: a connection lost before COMMIT leaves nothing, and is unreachable", () =>
    Effect.gen(function* () {
      const seen = yield* written({ saying: "set state = 'done'", forGood: false }, "with a key")
      expect(seen).toEqual({ outcome: "unreachable", ...nothing, repeat: "InProgress" })
    })
  )
})
