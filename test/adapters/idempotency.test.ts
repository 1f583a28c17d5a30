import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { manyTransactionsLaws } from "../kit/manyTransactionsLaws.ts"
import { absentIdempotencyLaws, idempotencyLaws, sharedIdempotencyLaws } from "../kit/idempotencyLaws.ts"
import { sharedTransactionsLaws } from "../kit/sharedTransactionsLaws.ts"
import { absentTransactionsLaws, transactionsLaws } from "../kit/transactionsLaws.ts"
import { memoryWrites } from "../kit/writes.ts"
import { absentWrites, postgresWrites } from "../stores/writes.ts"

const alone = [...idempotencyLaws, ...transactionsLaws, ...manyTransactionsLaws]
const shared = [...sharedIdempotencyLaws, ...sharedTransactionsLaws]

describe("Idempotency and Transactions", () => {
  layer(memoryWrites)("in memory", (it) => {
    for (const { says, check } of [...alone, ...shared]) it.effect(says, () => check)
  })
  layer(postgresWrites)("in PostgreSQL", (it) => {
    for (const { says, check } of [...alone, ...shared]) it.effect(says, () => check)
  })
  layer(absentWrites)("without their PostgreSQL", (it) => {
    for (const { says, check } of [...absentIdempotencyLaws, ...absentTransactionsLaws])
      it.effect(says, () => check)
  })
})
