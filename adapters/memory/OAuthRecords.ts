import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Exchanged, OAuthRecord, RecordName } from "../../core/port/OAuthRecords.ts"
import { forgottenRecordsMax, OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { endGrant, OAuthBook, placeOf } from "./OAuthBook.ts"

/** The records of the authorization server in the process, over the book that holds their grants. */
export const layer = Layer.effect(
  OAuthRecords,
  Effect.map(OAuthBook, (book) =>
    OAuthRecords.of({
      save: (record) => Effect.sync(() => save(book, record)),
      find: (name) => Effect.sync(() => book.records.get(placeOf(name))),
      exchange: (input) => Effect.sync(() => exchange(book, input)),
      remove: (name) =>
        Effect.sync(() => {
          book.records.delete(placeOf(name))
        }),
      forget: (untilMs) => Effect.sync(() => forget(book, untilMs))
    })
  )
)

const save = (book: OAuthBook["Service"], record: OAuthRecord): boolean => {
  if (record.grantId !== null && !book.grants.has(record.grantId)) return false
  book.records.set(placeOf(record), record)
  return true
}

const exchange = (
  book: OAuthBook["Service"],
  input: {
    readonly spent: RecordName
    readonly atMs: number
    readonly records: ReadonlyArray<OAuthRecord>
  }
): Exchanged => {
  const record = book.records.get(placeOf(input.spent))
  const kept = book.grants.get(record?.grantId ?? "")
  if (record === undefined || kept === undefined) return { _tag: "Ended" }
  if (record.spentAtMs !== null) {
    endGrant(book, kept.grant.grantId)
    return { _tag: "Reused", grant: kept.grant }
  }
  book.records.set(placeOf(record), { ...record, spentAtMs: input.atMs })
  for (const made of input.records) save(book, made)
  return { _tag: "Exchanged" }
}

const forget = (book: OAuthBook["Service"], untilMs: number): number => {
  const old = [...book.records].filter(([, record]) => record.expiresAtMs <= untilMs)
  for (const [place] of old.slice(0, forgottenRecordsMax)) book.records.delete(place)
  for (const [grantId, { grant }] of book.grants) if (grant.endsAtMs <= untilMs) endGrant(book, grantId)
  return Math.min(old.length, forgottenRecordsMax)
}
