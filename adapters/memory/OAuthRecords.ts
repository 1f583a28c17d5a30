import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExchangeResult, OAuthRecord, RecordName } from "../../core/port/OAuthRecords.ts"
import { forgottenRecordsMax, OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { endGrant, OAuthState, placeOf } from "./OAuthState.ts"

/** The records of the authorization server in the process, over the state that holds their grants. */
export const layer = Layer.effect(
  OAuthRecords,
  Effect.map(OAuthState, (state) =>
    OAuthRecords.of({
      save: (record) => Effect.sync(() => save(state, record)),
      find: (name) => Effect.sync(() => state.records.get(placeOf(name))),
      exchange: (input) => Effect.sync(() => exchange(state, input)),
      remove: (name) =>
        Effect.sync(() => {
          state.records.delete(placeOf(name))
        }),
      forget: (untilMs) => Effect.sync(() => forget(state, untilMs))
    })
  )
)

const save = (state: OAuthState["Service"], record: OAuthRecord): boolean => {
  if (record.grantId !== null && !state.grants.has(record.grantId)) return false
  state.records.set(placeOf(record), record)
  return true
}

const exchange = (
  state: OAuthState["Service"],
  input: {
    readonly spent: RecordName
    readonly atMs: number
    readonly records: ReadonlyArray<OAuthRecord>
  }
): ExchangeResult => {
  const record = state.records.get(placeOf(input.spent))
  const kept = state.grants.get(record?.grantId ?? "")
  if (record === undefined || kept === undefined) return { _tag: "Ended" }
  if (record.spentAtMs !== null) {
    endGrant(state, kept.grant.grantId)
    return { _tag: "Reused", grant: kept.grant }
  }
  state.records.set(placeOf(record), { ...record, spentAtMs: input.atMs })
  for (const made of input.records) save(state, made)
  return { _tag: "Exchanged" }
}

const forget = (state: OAuthState["Service"], untilMs: number): number => {
  const old = [...state.records].filter(([, record]) => record.expiresAtMs <= untilMs)
  for (const [place] of old.slice(0, forgottenRecordsMax)) state.records.delete(place)
  for (const [grantId, { grant }] of state.grants) if (grant.endsAtMs <= untilMs) endGrant(state, grantId)
  return Math.min(old.length, forgottenRecordsMax)
}
