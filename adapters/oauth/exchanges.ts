import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { KoaContextWithOIDC } from "oidc-provider"
import type { OAuthRecord, RecordName } from "../../core/port/OAuthRecords.ts"
import { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { makeRecordEnd } from "./endGrant.ts"

/** One call of the library's. */
export type Context = KoaContextWithOIDC

interface PendingExchange {
  readonly spent: RecordName
  readonly records: Array<OAuthRecord>
}

/** What each call to the token endpoint spends, and what it is to be given, until its answer is ready. */
export const makeExchanges = Effect.gen(function* () {
  const { exchange } = yield* OAuthRecords
  const tell = yield* makeRecordEnd
  const pending = new WeakMap<Context, PendingExchange>()
  return {
    /** False: this call may not spend, or spends a second time. */
    begin: (ctx: Context | undefined, spent: RecordName): boolean => {
      if (ctx?.oidc.route !== "token" || pending.has(ctx)) return false
      pending.set(ctx, { spent, records: [] })
      return true
    },
    /** False: nothing was spent, so that the record is to be saved by itself. */
    gather: (ctx: Context | undefined, record: OAuthRecord): boolean => {
      const records = ctx && pending.get(ctx)?.records
      records?.push(record)
      return records !== undefined
    },
    settle: Effect.fnUntraced(function* (ctx: Context) {
      const ready = pending.get(ctx)
      if (ready === undefined || ctx.status !== 200) return
      const exchanged = yield* exchange({ ...ready, atMs: yield* Clock.currentTimeMillis })
      if (exchanged._tag === "Exchanged") return
      if (exchanged._tag === "Reused") yield* tell(exchanged.grant, "reused")
      ctx.status = 400
      ctx.body = { error: "invalid_grant", error_description: "grant request is invalid" }
    })
  } as const
})
