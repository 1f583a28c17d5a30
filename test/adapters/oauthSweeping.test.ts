import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import * as PostgresAccessTokens from "../../adapters/postgres/oauth/AccessTokens.ts"
import { unusedClientMs } from "../../core/oauth/client.ts"
import type { TokenHash } from "../../core/oauth/TokenHolder.ts"
import { AccessTokens } from "../../core/port/AccessTokens.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { OAuthClients } from "../../core/port/OAuthClients.ts"
import { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { makeOAuthSweep } from "../../core/job/oauthSweeps.ts"
import { freshId, isoTime } from "../kit/accounts.ts"
import { openGrant, postgresOAuth, recordOf } from "../kit/oauths.ts"
import { postgresLayer } from "../kit/postgres.ts"

const overPostgres = Layer.provideMerge(postgresOAuth, postgresLayer)

describe("the sweep of OAuth", () => {
  it.live("forgets what has ended by now, and clients unused for a day", () =>
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const clients = yield* OAuthClients
      const nowMs = yield* Clock.currentTimeMillis
      const { grant } = yield* openGrant()
      const ended = yield* openGrant({ connectedAtMs: nowMs - 2_000, endsAtMs: nowMs - 1_000 })
      const [old, live] = [
        recordOf(grant, { expiresAtMs: nowMs - 1 }),
        recordOf(grant, { expiresAtMs: nowMs + 60_000 })
      ]
      const clientOf = (registeredAtMs: number) => ({
        clientId: freshId("client_"),
        metadata: "{}",
        registeredAtMs
      })
      const [unused, young] = [clientOf(nowMs - unusedClientMs), clientOf(nowMs - unusedClientMs + 60_000)]
      for (const record of [old, live]) yield* records.save(record)
      for (const client of [unused, young]) yield* clients.register(client)
      yield* yield* makeOAuthSweep
      expect(yield* records.find(old)).toBeUndefined()
      expect(yield* records.find(live)).toBeDefined()
      expect(yield* (yield* OAuthGrants).find(ended.grant.grantId)).toBeUndefined()
      expect(yield* (yield* OAuthGrants).find(grant.grantId)).toBeDefined()
      expect(yield* clients.find(unused.clientId)).toBeUndefined()
      expect(yield* clients.find(young.clientId)).toBeDefined()
    }).pipe(Effect.provide(Layer.fresh(overPostgres)))
  )
})

describe("when a grant was last used, in PostgreSQL", () => {
  it.live("is written in bulk, at the latest when the process ends, and never set back", () =>
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const { list } = yield* OAuthGrants
      const { grant } = yield* openGrant()
      const token = recordOf(grant, { model: "AccessToken" })
      yield* records.save(token)
      const process = yield* Scope.make()
      const tokens = yield* Layer.buildWithScope(Layer.fresh(PostgresAccessTokens.layer), process)
      const beganMs = yield* Clock.currentTimeMillis
      for (let call = 0; call < 3; call++)
        yield* Effect.provideContext(
          Effect.flatMap(AccessTokens, ({ find }) => find(token.hash as TokenHash)),
          tokens
        )
      expect((yield* list(grant.organizationId))[0]?.lastUsedAt).toBeNull()
      yield* Scope.close(process, Exit.void)
      const [app] = yield* list(grant.organizationId)
      expect((app?.lastUsedAt ?? "") >= isoTime(beganMs)).toBe(true)
    }).pipe(Effect.provide(Layer.fresh(overPostgres)))
  )
})
