import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { bestAlike } from "../../core/coverage/suggest.ts"
import { Codes, CodesUnavailable } from "../../core/port/Codes.ts"
import { Multiplexed, Pool, unavailable } from "./Database.ts"
import { codesAlike } from "./library/codesAlike.ts"
import { editionsOn } from "./library/editionsOn.ts"
import { policiesListing } from "./library/policiesListing.ts"

/**
 * Codes by edition in PostgreSQL: by their primary key over the multiplexed client, all else over the pool.
 */
export const layer = Layer.effect(
  Codes,
  Effect.gen(function* () {
    const pool = yield* Pool
    const multiplexed = yield* Multiplexed
    const away = unavailable((fault) => new CodesUnavailable({ fault }))
    return Codes.of({
      find: (query) =>
        away(Effect.map(editionsOn(multiplexed, query), (records) => inOrderOf(query.codes, records))),
      suggest: (query) =>
        away(Effect.map(codesAlike(pool, query), (candidates) => bestAlike({ ...query, candidates }))),
      policies: (query) => away(policiesListing(pool, query))
    })
  })
)

const inOrderOf = (
  codes: ReadonlyArray<string>,
  records: ReadonlyArray<CodeRecord>
): ReadonlyArray<CodeRecord> => {
  const byCode = Map.groupBy(records, (record) => record.code)
  return [...new Set(codes)].flatMap((code) => byCode.get(code) ?? [])
}
