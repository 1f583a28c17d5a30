import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClaimEdits, ClaimEditsUnavailable } from "../../core/port/ClaimEdits.ts"
import { PipelinedClient, unavailable } from "./Database.ts"
import { pairsAmong, unitsAmong } from "./library/editsAmong.ts"

/** The NCCI tables in PostgreSQL: a few reads by primary key, both tables in one write to the socket. */
export const layer = Layer.effect(
  ClaimEdits,
  Effect.gen(function* () {
    const sql = yield* PipelinedClient
    const away = unavailable((fault) => new ClaimEditsUnavailable({ fault }))
    return ClaimEdits.of({
      among: (query) =>
        away(Effect.all({ pairs: pairsAmong(sql, query), units: unitsAmong(sql, query) }, { concurrency: 2 }))
    })
  })
)
