import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { CodeTable } from "../../core/coverage/CodeTable.ts"
import { codeTablesOf, feeScheduleOn, feeTableFacts, isCodeTable } from "../../core/coverage/CodeTable.ts"
import { descriptionsFrom } from "../../core/coverage/codeText.ts"
import { editionOn } from "../../core/coverage/edition.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { bestAlike } from "../../core/coverage/suggest.ts"
import { policyCodes } from "../../core/coverage/view.ts"
import type { CodeFee, CodePolicy } from "../../core/port/Codes.ts"
import { Codes } from "../../core/port/Codes.ts"
import { listingOf } from "../../core/port/listing.ts"
import { Library } from "./Library.ts"
import { byId, isIn } from "./documents.ts"

/** Codes by edition, kept in the process. */
export const layer = Layer.effect(
  Codes,
  Effect.map(Library, (library) => {
    const { codes, policies } = library
    return Codes.of({
      find: (query) => Effect.sync(() => recordsOf(library, query)),
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
                  const { codeSystem, disposition, source } = said
                  return [{ listing, codeSystem, disposition, source }]
                })
                .slice(0, limit)
            ])
          )
        }),
      tables: Effect.sync(() => tablesOf(library)),
      fees: ({ asOf, codes: asked }) =>
        Effect.sync(() => {
          const found = feeScheduleOn(tablesOf(library), asOf)
          const rows = library.fees.get(found?.table.snapshotId ?? "")
          return [...new Set(asked)].toSorted().flatMap((code): ReadonlyArray<CodeFee> => {
            const row = rows?.get(`${code} `)
            if (found === undefined || row === undefined) return []
            return [{ ...row, ...feeTableFacts(found) }]
          })
        }),
      descriptions: ({ asOf, codes: asked }) =>
        Effect.sync(() => {
          const wanted = new Set(asked)
          const documents = [...library.descriptions.values()].filter(({ code }) => wanted.has(code))
          return descriptionsFrom({
            documents,
            records: recordsOf(library, { codes: asked, codeSystem: null, asOf })
          })
        })
    })
  })
)

type Kept = typeof Library.Service

const recordsOf = (
  { codes }: Kept,
  query: Parameters<(typeof Codes.Service)["find"]>[0]
): ReadonlyArray<CodeRecord> =>
  [...new Set(query.codes)].flatMap((code) =>
    [...(codes.get(code) ?? [])]
      .filter(([system]) => query.codeSystem === null || system === query.codeSystem)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, editions]) => editionOn(editions, query.asOf) ?? [])
  )

const tablesOf = ({ editions, snapshots }: Kept): ReadonlyArray<CodeTable> =>
  codeTablesOf(
    [...snapshots.values()].flatMap(({ kind, snapshotId, sourceAsOf }) =>
      isCodeTable(kind) ? [{ snapshotId, kind, sourceAsOf, edition: editions.get(snapshotId) ?? null }] : []
    )
  )
