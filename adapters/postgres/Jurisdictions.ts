import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { Jurisdictions, JurisdictionsUnavailable } from "../../core/port/Jurisdictions.ts"
import { Pool, unavailable } from "./Database.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"

/** The jurisdictions in PostgreSQL, read at most once a second. */
export const layer = Layer.effect(
  Jurisdictions,
  Effect.gen(function* () {
    const sql = yield* Pool
    const { value } = yield* cacheForSecond(
      Effect.map(
        sql<{ readonly record: Jurisdiction }>`select record from jurisdiction order by jurisdiction_code`,
        (rows) => rows.map((row) => row.record)
      )
    )
    return Jurisdictions.of({ list: unavailable((fault) => new JurisdictionsUnavailable({ fault }))(value) })
  })
)
