import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MembersUnavailable } from "../../core/port/Members.ts"
import { Members } from "../../core/port/Members.ts"
import { OAuthGrants, OAuthGrantsUnavailable } from "../../core/port/OAuthGrants.ts"
import { AccountStates } from "./AccountStates.ts"
import { endGrant, OAuthState } from "./OAuthState.ts"

/**
 * Consents in the process; one whose person left, or whose organization is suspended, ends when it is next
 * asked for.
 */
export const layer = Layer.effect(
  OAuthGrants,
  Effect.gen(function* () {
    const state = yield* OAuthState
    const { organizations } = yield* AccountStates
    const members = yield* Members
    return OAuthGrants.of({
      open: (grant) =>
        Effect.mapError(
          Effect.map(members.role(grant), (role) => {
            if (role === undefined) return "not_member"
            state.grants.set(grant.grantId, { grant, lastUsedAtMs: null })
            state.usedClients.add(grant.clientId)
            return "opened"
          }),
          unavailable
        ),
      find: (grantId) =>
        Effect.gen(function* () {
          const kept = state.grants.get(grantId)
          if (kept === undefined) return undefined
          const { grant } = kept
          const role = yield* Effect.mapError(members.role(grant), unavailable)
          const organization = organizations.get(grant.organizationId)?.organization
          if (role !== undefined && organization !== undefined && !organization.suspended)
            return { ...grant, organizationSuspended: false }
          endGrant(state, grantId)
          return undefined
        }),
      end: (grantId) => Effect.sync(() => endGrant(state, grantId))
    })
  })
)

const unavailable = ({ fault }: MembersUnavailable) => new OAuthGrantsUnavailable({ fault })
