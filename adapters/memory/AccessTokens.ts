import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IsoTime } from "../../core/coverage/date.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import { AccessTokens, AccessTokensUnavailable } from "../../core/port/AccessTokens.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { AccountStates } from "./AccountStates.ts"
import { OAuthState, placeOf } from "./OAuthState.ts"

/** Access tokens in the process, as the records and grants of the state stand at the moment. */
export const layer = Layer.effect(
  AccessTokens,
  Effect.gen(function* () {
    const { grants, records } = yield* OAuthState
    const { organizations } = yield* AccountStates
    const opened = yield* OAuthGrants
    return AccessTokens.of({
      find: (hash) =>
        Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const record = records.get(placeOf({ model: "AccessToken", hash }))
          if (record === undefined || record.grantId === null || record.expiresAtMs <= nowMs) return undefined
          const grant = yield* Effect.mapError(
            opened.find(record.grantId),
            ({ fault }) => new AccessTokensUnavailable({ fault })
          )
          const state = grant && organizations.get(grant.organizationId)
          if (grant === undefined || state === undefined || grant.endsAtMs <= nowMs) return undefined
          const kept = grants.get(grant.grantId)
          if (kept !== undefined) kept.lastUsedAtMs = nowMs
          return {
            grantId: grant.grantId,
            clientId: grant.clientId,
            personId: grant.personId,
            organizationId: grant.organizationId,
            scopes: oauthScopes,
            expiresAt: DateTime.formatIso(DateTime.makeUnsafe(record.expiresAtMs)) as IsoTime,
            pack: packInForce(state.account, nowMs).pack,
            organizationSuspended: grant.organizationSuspended,
            concurrentMax: state.organization.concurrentMax
          }
        })
    })
  })
)
