import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe } from "vitest"
import * as MemoryAcknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as MemoryReviews from "../../adapters/memory/Reviews.ts"
import * as PostgresAcknowledgements from "../../adapters/postgres/Acknowledgements.ts"
import * as PostgresReviews from "../../adapters/postgres/Reviews.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { memoryLibrary } from "../kit/oracle.ts"
import { postgresLayer } from "../kit/postgres.ts"
import { reviewsLaws } from "../kit/reviewsLaws.ts"

const postgres = Layer.mergeAll(postgresPorts, PostgresAcknowledgements.layer, PostgresReviews.layer).pipe(
  Layer.provide(postgresLayer)
)

/** As the sandbox has them: the fixtures in the process, what is acknowledged of them in the one store. */
const mixed = MemoryReviews.layer.pipe(
  Layer.provideMerge(memoryLibrary),
  Layer.provideMerge(PostgresAcknowledgements.layer.pipe(Layer.provide(postgresLayer)))
)

const memory = MemoryReviews.layer.pipe(
  Layer.provideMerge(memoryLibrary),
  Layer.provideMerge(MemoryAcknowledgements.layer)
)

describe("reviews in memory", () => {
  for (const { says, check } of reviewsLaws) it.live(says, () => Effect.provide(check, Layer.fresh(memory)))
})

describe("reviews in PostgreSQL", () => {
  for (const { says, check } of reviewsLaws) it.live(says, () => Effect.provide(check, Layer.fresh(postgres)))
})

describe("reviews of fixtures in memory by acknowledgements in PostgreSQL", () => {
  for (const { says, check } of reviewsLaws) it.live(says, () => Effect.provide(check, Layer.fresh(mixed)))
})
