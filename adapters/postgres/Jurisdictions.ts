import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { Jurisdictions, JurisdictionsUnavailable } from "../../core/port/Jurisdictions.ts"
import { Pool, unavailable } from "./Database.ts"

/** Jurisdictions change a few times a year; an import by another process is seen within this. */
const rememberedFor = Duration.seconds(1)

/** The jurisdictions in PostgreSQL, read at most once a second; a read that failed is not remembered. */
export const layer = Layer.effect(Jurisdictions, Effect.gen(function*() {
  const sql = yield* Pool
  const read = Effect.map(
    sql<{ readonly record: Jurisdiction }>`select record from jurisdiction order by jurisdiction_code`,
    (rows) => rows.map((row) => row.record)
  )
  const [remembered, forget] = yield* Effect.cachedInvalidateWithTTL(read, rememberedFor)
  return Jurisdictions.of({
    list: remembered.pipe(
      Effect.onError(() => forget),
      unavailable((fault) => new JurisdictionsUnavailable({ fault }))
    )
  })
}))
