import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import { medicare } from "../../core/coverage/Payer.ts"
import { Payers, PayersUnavailable } from "../../core/port/Payers.ts"
import { Pool, unavailable } from "./Database.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"

/**
 * Payers and jurisdictions in PostgreSQL, each read at most once a second; Medicare is there before any
 * import.
 */
export const layer = Layer.effect(
  Payers,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new PayersUnavailable({ fault }))
    const payers = yield* cacheForSecond(
      Effect.map(sql<{ readonly record: Payer }>`select record from payer order by code`, (rows) => {
        const kept = rows.map((row) => row.record)
        const isKept = kept.some((payer) => payer.code === medicare.code)
        return isKept ? kept : [...kept, medicare].toSorted((a, b) => (a.code < b.code ? -1 : 1))
      })
    )
    const jurisdictions = yield* cacheForSecond(
      Effect.map(
        sql<{ readonly record: Jurisdiction }>`select record from jurisdiction order by jurisdiction_code`,
        (rows) => rows.map((row) => row.record)
      )
    )
    return Payers.of({ list: away(payers.value), jurisdictions: away(jurisdictions.value) })
  })
)
