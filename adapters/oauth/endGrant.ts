import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { OAuthGrant } from "../../core/oauth/OAuthGrant.ts"
import { Audit } from "../../core/port/Audit.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"

/** Why a grant ended that nobody of the organization ended, as its log tells. */
export const endings = {
  revoked: "the app gave its token back",
  reused: "one of its tokens was used twice, so that all of them were ended"
} as const
export type TokenEnd = keyof typeof endings

/** Writes in the organization's log that the service ended a grant. */
export const makeRecordEnd = Effect.map(
  Audit,
  ({ append }) =>
    (grant: OAuthGrant, ending: TokenEnd): Effect.Effect<void> =>
      Effect.flatMap(DateTime.now, (now) =>
        append({
          organizationId: grant.organizationId,
          at: DateTime.formatIso(now) as IsoTime,
          actor: { kind: "service" },
          action: "app.disconnected",
          subject: grant.clientName,
          detail: endings[ending]
        })
      ).pipe(
        // The grant has ended by now, which is what matters.
        Effect.catch(({ fault }) =>
          Effect.annotateLogs(Effect.logWarning("the end of a grant was not written down"), { fault })
        )
      )
)

/** Ends a grant, and writes down that it did. */
export const makeEndGrant = Effect.gen(function* () {
  const grants = yield* OAuthGrants
  const tell = yield* makeRecordEnd
  return (grantId: string, ending: TokenEnd) =>
    Effect.flatMap(grants.end(grantId), (grant) => (grant === undefined ? Effect.void : tell(grant, ending)))
})
