import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OAuthGrant } from "../oauth/OAuthGrant.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class OAuthRecordsUnavailable extends Schema.TaggedError<OAuthRecordsUnavailable>()(
  "OAuthRecordsUnavailable",
  { fault: StoreFault }
) {}

/**
 * What the authorization server stores: tokens, codes, sign-ins in progress, and for each rotated refresh
 * token its successor, sealed under the predecessor and named by its hash.
 */
export const recordModels = [
  "AccessToken",
  "AuthorizationCode",
  "RefreshToken",
  "RefreshSuccessor",
  "Interaction"
] as const
export type RecordModel = (typeof recordModels)[number]

/** Which record: `hash` is the SHA-256 (hex) of what its bearer shows, which is kept nowhere. */
export interface RecordName {
  readonly model: RecordModel
  readonly hash: string
}

export interface OAuthRecord extends RecordName {
  /** The grant it belongs to and ends with; null: none yet. */
  readonly grantId: string | null
  /** What the server knows of it, encrypted. */
  readonly sealed: Uint8Array
  readonly expiresAtMs: number
  readonly spentAtMs: number | null
}

/** The result of an exchange. */
export type ExchangeResult =
  | { readonly _tag: "Exchanged" }
  /** A refresh token was rotated at most `rotationWindowMs` before. Nothing was saved. */
  | { readonly _tag: "Repeated" }
  /** It was spent before, and the window has passed or it has none: the grant ended. */
  | { readonly _tag: "Reused"; readonly grant: OAuthGrant }
  /** The record or its grant is gone. */
  | { readonly _tag: "Ended" }

/** At most this many records are forgotten at once, so that a sweep holds no lock for long. */
export const forgottenRecordsMax = 1_000

/**
 * The records of the authorization server.
 *
 * 1. A record is found as it was saved last, until it is removed, its grant ends, or it is forgotten after it
 *    expired; expiry is judged by who asks.
 * 2. `save` answers false, and saves nothing, when the record's grant has ended.
 * 3. `exchange` spends a record and saves the records given for it, all or none. Of any number of exchanges
 *    of one record, exactly one returns `Exchanged`. Every other saves nothing. It returns `Repeated` within
 *    `rotationWindowMs` of a refresh token's rotation (`isWithinRotationWindow`); otherwise it ends the grant
 *    with all its records, including those saved by the first, and no other grant.
 * 4. `forget` removes records and grants that ended by the given instant, and says how many records at most
 *    `forgottenRecordsMax`.
 * 5. An unavailable store fails with OAuthRecordsUnavailable.
 */
export class OAuthRecords extends Context.Service<
  OAuthRecords,
  {
    readonly save: (record: OAuthRecord) => Effect.Effect<boolean, OAuthRecordsUnavailable>
    readonly find: (name: RecordName) => Effect.Effect<OAuthRecord | undefined, OAuthRecordsUnavailable>
    readonly exchange: (input: {
      readonly spent: RecordName
      readonly atMs: number
      /** Of the same grant. */
      readonly records: ReadonlyArray<OAuthRecord>
    }) => Effect.Effect<ExchangeResult, OAuthRecordsUnavailable>
    readonly remove: (name: RecordName) => Effect.Effect<void, OAuthRecordsUnavailable>
    readonly forget: (untilMs: number) => Effect.Effect<number, OAuthRecordsUnavailable>
  }
>()("coverage/core/port/OAuthRecords") {}
