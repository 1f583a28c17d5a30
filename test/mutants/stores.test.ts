import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Idempotency } from "../../core/port/Idempotency.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { idempotencyLaws, sharedIdempotencyLaws } from "../kit/idempotencyLaws.ts"
import type { Verbs } from "../kit/mutants/idempotencyStores.ts"
import { storesMutants } from "../kit/mutants/idempotencyStores.ts"
import { sharedTransactionsLaws } from "../kit/sharedTransactionsLaws.ts"
import { transactionsLaws } from "../kit/transactionsLaws.ts"
import { memoryWrites } from "../kit/writes.ts"
import { lawsTrial } from "./trial.ts"

/** Memory stores that are spoiled; the other process's stay right. */
const spoiled = (spoil: (right: Verbs) => Verbs) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const here = spoil({ records: yield* Idempotency, transactions: yield* Transactions })
      return Context.make(Idempotency, here.records).pipe(Context.add(Transactions, here.transactions))
    })
  ).pipe(Layer.provideMerge(memoryWrites), Layer.merge(TestClock.layer()))

lawsTrial({
  of: "idempotency and transactions",
  laws: [...idempotencyLaws, ...sharedIdempotencyLaws, ...transactionsLaws, ...sharedTransactionsLaws],
  mutants: storesMutants.map(({ says, spoil }) => ({ says, planted: spoiled(spoil) })),
  sound: spoiled((right) => right),
  lawMsMax: 2_000
})
