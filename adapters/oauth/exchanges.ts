import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { KoaContextWithOIDC } from "oidc-provider"
import { rotationHopsMax } from "../../core/oauth/rotation.ts"
import type { OAuthRecord, RecordName } from "../../core/port/OAuthRecords.ts"
import { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { makeRecordEnd } from "./endGrant.ts"
import { makeSeal } from "./seal.ts"
import { openSuccessor } from "./successor.ts"

/** One call of the library's. */
export type Context = KoaContextWithOIDC

/** A code or token with the name of its record. */
export interface SpentRecord {
  readonly id: string
  readonly name: RecordName
}

/** A new code or token with its record. */
export interface NewRecord {
  readonly id: string
  readonly record: OAuthRecord
}

interface PendingExchange {
  readonly spent: SpentRecord
  readonly given: Array<NewRecord>
}

/** Collects what each call to the token endpoint spends and saves, until its response is ready. */
export const makeExchanges = Effect.gen(function* () {
  const { exchange } = yield* OAuthRecords
  const { sealNext } = yield* makeSeal
  const repeat = yield* makeRepeat
  const tell = yield* makeRecordEnd
  const pending = new WeakMap<Context, PendingExchange>()
  return {
    /** Returns false if this call may not spend a token, or has spent one already. */
    begin: (ctx: Context | undefined, spent: SpentRecord): boolean => {
      if (ctx?.oidc.route !== "token" || pending.has(ctx)) return false
      pending.set(ctx, { spent, given: [] })
      return true
    },
    /** Returns false if nothing was spent: the caller then saves the record by itself. */
    gather: (ctx: Context | undefined, one: NewRecord): boolean => {
      const given = ctx && pending.get(ctx)?.given
      given?.push(one)
      return given !== undefined
    },
    settle: Effect.fnUntraced(function* (ctx: Context) {
      const ready = pending.get(ctx)
      if (ready === undefined || ctx.status !== 200) return
      const atMs = yield* Clock.currentTimeMillis
      const { given, spent } = ready
      const next = nextToken(ready)
      const successor =
        next && sealNext({ predecessor: spent.id, successor: next.id, grantId: next.record.grantId, atMs })
      const records = [...given.map(({ record }) => record), ...(successor === undefined ? [] : [successor])]
      const exchanged = yield* exchange({ spent: spent.name, atMs, records })
      if (exchanged._tag === "Exchanged") return
      if (exchanged._tag === "Repeated" && (yield* repeat(ctx, ready))) return
      if (exchanged._tag === "Reused") yield* tell(exchanged.grant, "reused")
      ctx.status = 400
      ctx.body = { error: "invalid_grant", error_description: "grant request is invalid" }
    })
  } as const
})

/** The successor of a rotated refresh token; undefined for a code, which has none. */
const nextToken = ({ given, spent }: PendingExchange): NewRecord | undefined =>
  spent.name.model === "RefreshToken"
    ? given.find(({ record }) => record.model === "RefreshToken")
    : undefined

/**
 * Answers a refresh token that was rotated moments ago: with the newest refresh token of its chain and the
 * access token that the library just made. Returns false if the grant has ended.
 */
const makeRepeat = Effect.gen(function* () {
  const { find, save } = yield* OAuthRecords
  const { nameOf } = yield* makeSeal

  const newestOf = Effect.fnUntraced(function* (rotated: string) {
    let token = rotated
    for (let hop = 0; hop < rotationHopsMax; hop++) {
      const record = yield* find(nameOf("RefreshToken", token))
      if (record === undefined) return undefined
      if (record.spentAtMs === null) return token
      const successor = yield* find(nameOf("RefreshSuccessor", token))
      const next = successor && openSuccessor({ predecessor: token, sealed: successor.sealed })
      if (next === undefined) return undefined
      token = next
    }
    return undefined
  })

  return Effect.fnUntraced(function* (ctx: Context, { given, spent }: PendingExchange) {
    const access = given.find(({ record }) => record.model === "AccessToken")
    const newest = yield* newestOf(spent.id)
    if (access === undefined || newest === undefined || !(yield* save(access.record))) return false
    ctx.body = { ...(ctx.body as object), refresh_token: newest }
    return true
  })
})
