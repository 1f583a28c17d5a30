import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { editionOn } from "../../core/coverage/edition.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { bestAlike } from "../../core/coverage/suggest.ts"
import { policyCodes } from "../../core/coverage/view.ts"
import type { CodePolicy } from "../../core/port/Codes.ts"
import { Codes } from "../../core/port/Codes.ts"
import { listingOf } from "../../core/port/listing.ts"
import { Library } from "./Library.ts"
import { byId, isIn } from "./documents.ts"

/** Codes by edition, kept in the process. */
export const layer = Layer.effect(
  Codes,
  Effect.map(Library, ({ codes, policies }) =>
    Codes.of({
      find: (query) =>
        Effect.sync(() =>
          [...new Set(query.codes)].flatMap((code) =>
            [...(codes.get(code) ?? [])]
              .filter(([system]) => query.codeSystem === null || system === query.codeSystem)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .flatMap(([, editions]) => editionOn(editions, query.asOf) ?? [])
          )
        ),
      suggest: ({ codeSystem, limit, text }) =>
        Effect.sync(() =>
          bestAlike({
            text,
            limit,
            candidates: [...codes.values()].flatMap((systems) =>
              [...systems]
                .filter(([system]) => codeSystem === null || system === codeSystem)
                .flatMap(([, editions]) => editions.at(-1) ?? [])
            )
          })
        ),
      policies: ({ asOf, codes: asked, limit, place }) =>
        Effect.sync(() => {
          const inForce = [...policies.values()]
            .flatMap((versions) => readingOn(versions, asOf) ?? [])
            .filter((reading) => isInForce(reading.status) && isIn(reading.version, place))
            .toSorted((a, b) => byId(a.version, b.version))
          return new Map(
            asked.map((code) => [
              code,
              inForce
                .flatMap(({ status, version }): ReadonlyArray<CodePolicy> => {
                  const said = policyCodes(version).find((each) => each.code === code)
                  if (said === undefined) return []
                  const listing = listingOf(version, { status, include: new Set() })
                  return [{ listing, disposition: said.disposition, source: said.source }]
                })
                .slice(0, limit)
            ])
          )
        })
    })
  )
)
