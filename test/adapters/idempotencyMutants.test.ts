import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Idempotency } from "../../core/port/Idempotency.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { idempotencyLaws, sharedIdempotencyLaws } from "../kit/idempotencyLaws.ts"
import { storesMutants } from "../kit/mutants/idempotencyStores.ts"
import type { Verbs } from "../kit/mutants/idempotencyStores.ts"
import { sharedTransactionsLaws } from "../kit/sharedTransactionsLaws.ts"
import { transactionsLaws } from "../kit/transactionsLaws.ts"
import { memoryWrites } from "../kit/writes.ts"

const laws = [...idempotencyLaws, ...sharedIdempotencyLaws, ...transactionsLaws, ...sharedTransactionsLaws]

/** A law that a mutant makes wait for ever is broken too; the clock of the laws would not tell. */
const inRealTime = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    check,
    Effect.callback<never, "waits for ever">((resume) => {
      const timer = setTimeout(() => resume(Effect.fail("waits for ever")), 1_000)
      return Effect.sync(() => clearTimeout(timer))
    })
  )

/** The laws that memory stores break once they are spoiled; the other process's stay right. */
const broken = Effect.fnUntraced(function* (spoil: (right: Verbs) => Verbs) {
  const spoiled = Layer.effectContext(
    Effect.gen(function* () {
      const here = spoil({ records: yield* Idempotency, transactions: yield* Transactions })
      return Context.make(Idempotency, here.records).pipe(Context.add(Transactions, here.transactions))
    })
  ).pipe(Layer.provideMerge(memoryWrites))
  const exits = yield* Effect.forEach(laws, ({ check }) =>
    Effect.exit(inRealTime(Effect.provide(check, Layer.merge(Layer.fresh(spoiled), TestClock.layer()))))
  )
  return laws
    .filter((_, index) => exits[index] !== undefined && Exit.isFailure(exits[index]))
    .map(({ says }) => says)
})

const killers = new Set<string>()

describe("the laws of idempotency and transactions notice stores that", () => {
  for (const { says, spoil } of storesMutants) {
    it.live(says, () =>
      Effect.gen(function* () {
        const by = yield* broken(spoil)
        by.forEach((law) => killers.add(law))
        expect(by).not.toEqual([])
      })
    )
  }

  it.live("are right, and then they keep quiet", () =>
    Effect.gen(function* () {
      expect(yield* broken((right) => right)).toEqual([])
    })
  )

  it.live("are wrong in any way: each law noticed one of these", () =>
    Effect.sync(() => {
      expect(laws.map(({ says }) => says).filter((says) => !killers.has(says))).toEqual([])
    })
  )
})
