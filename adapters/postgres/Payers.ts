import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Payer } from "../../core/coverage/Payer.ts"
import { medicare } from "../../core/coverage/Payer.ts"
import { Payers, PayersUnavailable } from "../../core/port/Payers.ts"
import { Pool, unavailable } from "./Database.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"

/** The payers in PostgreSQL, read at most once a second; Medicare is there before any import. */
export const layer = Layer.effect(
  Payers,
  Effect.gen(function* () {
    const sql = yield* Pool
    const { value } = yield* cacheForSecond(
      Effect.map(sql<{ readonly record: Payer }>`select record from payer order by code`, (rows) => {
        const kept = rows.map((row) => row.record)
        const isKept = kept.some((payer) => payer.code === medicare.code)
        return isKept ? kept : [...kept, medicare].toSorted((a, b) => (a.code < b.code ? -1 : 1))
      })
    )
    return Payers.of({ list: unavailable((fault) => new PayersUnavailable({ fault }))(value) })
  })
)
