import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { checkConfig, describeConfig, readConfig } from "../http/config.ts"
import type { Answer } from "./Answer.ts"
import { configValue } from "./overStores.ts"
import { alignColumns } from "./table.ts"

/** `config`: every variable with its value in force, or what is wrong with the first that is wrong. */
export const config = Effect.map(
  configValue((environment) => {
    checkConfig(environment)
    return describeConfig(environment)
  }),
  (variables): Answer => ({
    json: { variables },
    text: alignColumns([
      ["VARIABLE", "VALUE", "MEANING"],
      ...variables.map((one) => [one.name, one.given ? one.value : one.value || "(none)", one.describes])
    ])
  })
)

/** `migrate`: brings the schema up to date, as every command does, and the shipped lists, as every import. */
export const migrate = Effect.gen(function* () {
  const settled = yield* configValue(readConfig)
  const { connection } = yield* Effect.promise(() => import("../http/layers.ts"))
  const Database = yield* Effect.promise(() => import("../../adapters/postgres/Database.ts"))
  const migrating = yield* Effect.promise(() => import("../../adapters/postgres/migrate.ts"))
  const PriorAuthLists = yield* Effect.promise(() => import("../../adapters/postgres/PriorAuthLists.ts"))
  const { keepShippedLists } = yield* Effect.promise(() => import("../lists/shippedLists.ts"))
  const { migrations } = yield* Effect.promise(() => import("../../adapters/postgres/migrations.ts"))
  const NcdCodes = yield* Effect.promise(() => import("../../adapters/postgres/NcdCodes.ts"))
  const applied = yield* migrating.migrate(migrations).pipe(
    Effect.tap(() => Effect.provide(keepShippedLists, Layer.merge(PriorAuthLists.layer, NcdCodes.layer))),
    Effect.provide(Layer.unwrap(Effect.map(connection(settled, "command"), Database.layer)))
  )
  return {
    json: { applied },
    text: applied.length === 0 ? ["The schema is up to date."] : applied.map((name) => `applied ${name}`)
  } satisfies Answer
})
