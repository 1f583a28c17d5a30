import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"
import { errors, Provider } from "oidc-provider"
import { accountText } from "../../core/oauth/OAuthGrant.ts"
import { resourceOf } from "../../core/oauth/metadata.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import { OAuthClients } from "../../core/port/OAuthClients.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import type { RecordModel } from "../../core/port/OAuthRecords.ts"
import { OAuthRecords, recordModels } from "../../core/port/OAuthRecords.ts"
import { Settings } from "../../core/port/Settings.ts"
import { makeEndGrant } from "./endGrant.ts"
import { makeExchanges } from "./exchanges.ts"
import type { Context, SpentRecord } from "./exchanges.ts"
import { makeSeal } from "./seal.ts"

/** What the library keeps, in our ports, and what it must be asked at the end of each of its calls. */
export interface Storage {
  readonly adapter: AdapterFactory
  /** Carries out the exchange that the call came to; its answer stands only then. */
  readonly settle: (ctx: Context) => Promise<void>
}

/**
 * The library's storage. It spends a token in one call of its adapter and saves what is given for it in
 * others; here these are gathered and carried out as one, so that a crash between them cannot take a client's
 * token without giving the next. A grant's row is its columns: all grants carry the same scopes.
 */
export const makeStorage = Effect.gen(function* () {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const { baseUrl } = yield* Settings
  const records = yield* OAuthRecords
  const grants = yield* OAuthGrants
  const clients = yield* OAuthClients
  const end = yield* makeEndGrant
  const { nameOf, open, seal } = yield* makeSeal
  const exchanges = yield* makeExchanges

  const recordsOf = (model: RecordModel): Adapter => ({
    ...nothing,
    upsert: async (id, payload) => {
      const record = seal({ model, id, payload })
      if (exchanges.gather(Provider.ctx, { id, record })) return
      if (!(await run(records.save(record)))) throw new errors.InvalidGrant("the grant has ended")
    },
    find: (id) =>
      run(
        Effect.gen(function* () {
          const found = yield* records.find(nameOf(model, id))
          return found && open(found, yield* Clock.currentTimeMillis)
        })
      ),
    consume: (id) => spend({ id, name: nameOf(model, id) }),
    destroy: (id) => run(records.remove(nameOf(model, id))),
    revokeByGrantId: (grantId) => run(end(grantId, reasonOf(Provider.ctx)))
  })

  const spend = async (spent: SpentRecord): Promise<void> => {
    // Only the token endpoint spends tokens, and it responds only after the exchange is settled.
    if (!exchanges.begin(Provider.ctx, spent)) throw new Error("a token was spent outside an exchange")
  }

  const grantRows: Adapter = {
    ...nothing,
    find: (id) =>
      run(
        Effect.map(grants.find(id), (grant) =>
          grant === undefined || grant.organizationSuspended
            ? undefined
            : {
                jti: grant.grantId,
                kind: "Grant",
                accountId: accountText(grant),
                clientId: grant.clientId,
                iat: Math.floor(grant.connectedAtMs / 1_000),
                exp: Math.floor(grant.endsAtMs / 1_000),
                openid: { scope: oauthScopes.join(" ") },
                resources: { [resourceOf(baseUrl)]: oauthScopes.join(" ") }
              }
        )
      ),
    destroy: (id) => run(end(id, reasonOf(Provider.ctx)))
  }

  const registered: Adapter = {
    ...nothing,
    upsert: (clientId, payload) =>
      run(
        Effect.flatMap(Clock.currentTimeMillis, (registeredAtMs) =>
          clients.register({ clientId, metadata: JSON.stringify(payload), registeredAtMs })
        )
      ),
    find: (id) =>
      run(Effect.map(clients.find(id), (client) => client && (JSON.parse(client.metadata) as AdapterPayload)))
  }

  const adapter: AdapterFactory = (name) => {
    if (name === "Grant") return grantRows
    if (name === "Client") return registered
    const model = recordModels.find((one) => one === name)
    // Sessions among them: who is signed in is known to the pages alone, and asked at every consent.
    return model === undefined ? nothing : recordsOf(model)
  }
  return { adapter, settle: (ctx) => run(exchanges.settle(ctx)) } satisfies Storage
})

/** Keeps and finds nothing. */
const nothing: Adapter = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  findByUid: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
  consume: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
  revokeByGrantId: () => Promise.resolve()
}

/** Why the library ends a grant: its client gave a token back, or used one twice. */
const reasonOf = (ctx: Context | undefined) => (ctx?.oidc.route === "revocation" ? "revoked" : "reused")
