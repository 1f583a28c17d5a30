import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewRelease } from "../../core/port/Releases.ts"
import { Releases, ReleasesUnavailable } from "../../core/port/Releases.ts"
import { atomically, Pool, unavailable } from "./Database.ts"
import { decisionPage, decisionsByHash } from "./release/decisions.ts"
import { end, everyRelease, findRelease } from "./release/releaseRow.ts"
import { save } from "./release/save.ts"

/** Certified releases in PostgreSQL. */
export const layer = Layer.effect(
  Releases,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new ReleasesUnavailable({ fault }))
    return Releases.of({
      save: <E, R>(making: NewRelease<E, R>) => away(save(sql, making, away)),
      find: (releaseId) => away(findRelease(sql, releaseId)),
      list: away(everyRelease(sql)),
      page: (query) => away(decisionPage(sql, query)),
      decisions: (releaseId) => decisionsByHash((from) => away(from(sql)), releaseId),
      end: (input) => away(Effect.provideService(atomically(end(sql, input)), Pool, sql))
    })
  })
)
