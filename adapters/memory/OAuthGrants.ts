import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MembersUnavailable } from "../../core/port/Members.ts"
import { Members } from "../../core/port/Members.ts"
import { OAuthGrants, OAuthGrantsUnavailable } from "../../core/port/OAuthGrants.ts"
import { Books } from "./Books.ts"
import { endGrant, OAuthBook } from "./OAuthBook.ts"

/**
 * Consents in the process; one whose person left, or whose organization is suspended, ends when it is next
 * asked for.
 */
export const layer = Layer.effect(
  OAuthGrants,
  Effect.gen(function* () {
    const book = yield* OAuthBook
    const { organizations } = yield* Books
    const members = yield* Members
    return OAuthGrants.of({
      open: (grant) =>
        Effect.mapError(
          Effect.map(members.role(grant), (role) => {
            if (role === undefined) return "not_member"
            book.grants.set(grant.grantId, { grant, lastUsedAtMs: null })
            book.usedClients.add(grant.clientId)
            return "opened"
          }),
          unavailable
        ),
      find: (grantId) =>
        Effect.gen(function* () {
          const kept = book.grants.get(grantId)
          if (kept === undefined) return undefined
          const { grant } = kept
          const role = yield* Effect.mapError(members.role(grant), unavailable)
          const organization = organizations.get(grant.organizationId)?.organization
          if (role !== undefined && organization !== undefined && !organization.suspended)
            return { ...grant, organizationSuspended: false }
          endGrant(book, grantId)
          return undefined
        }),
      end: (grantId) => Effect.sync(() => endGrant(book, grantId))
    })
  })
)

const unavailable = ({ fault }: MembersUnavailable) => new OAuthGrantsUnavailable({ fault })
