import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Audit from "../../adapters/postgres/Audit.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as Endpoints from "../../adapters/postgres/Endpoints.ts"
import * as Idempotency from "../../adapters/postgres/Idempotency.ts"
import * as Jobs from "../../adapters/postgres/Jobs.ts"
import * as Ledger from "../../adapters/postgres/Ledger.ts"
import * as Organizations from "../../adapters/postgres/Organizations.ts"
import * as PlainWrites from "../../adapters/postgres/PlainWrites.ts"
import { absentPlainWritesLaws, plainWritesLaws } from "../kit/plainWritesLaws.ts"
import { freshDatabase } from "../kit/postgres.ts"

const stores = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(
      Audit.layer,
      Endpoints.layer,
      Idempotency.layer({ clock: "caller" }),
      Ledger.layer,
      Organizations.layer,
      PlainWrites.layer({ clock: "caller" })
    ).pipe(Layer.provideMerge(Jobs.layer), Layer.provide(Database.layer(connection)), Layer.orDie)
  )
)

const nowhere = { folder: "/nowhere", database: "coverage", username: "coverage" }

layer(stores, { excludeTestServices: true })("PlainWrites in PostgreSQL", (it) => {
  for (const { says, check } of plainWritesLaws) it.effect(says, () => check)
})

layer(PlainWrites.layer({ clock: "caller" }).pipe(Layer.provide(Database.layer(nowhere)), Layer.orDie), {
  excludeTestServices: true
})("PlainWrites without its PostgreSQL", (it) => {
  for (const { says, check } of absentPlainWritesLaws) it.effect(says, () => check)
})
