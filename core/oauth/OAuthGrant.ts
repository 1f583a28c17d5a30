import type { IsoTime } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PersonId, Person } from "../person/Person.ts"

/** One consent of one person to one client, for one organization; it carries `oauthScopes`, no more. */
export interface OAuthGrant {
  /** `grant_` and 26 lower-case Crockford characters; opens nothing by itself. */
  readonly grantId: string
  readonly clientId: string
  /** As the client called itself when it was consented to: nobody vouches for it. */
  readonly clientName: string
  readonly personId: PersonId
  readonly organizationId: OrganizationId
  readonly connectedAtMs: number
  /** `refreshWindowSeconds` after the consent; nothing moves it. */
  readonly endsAtMs: number
}

/** On whose behalf a token asks: a person as a member of one organization. */
export type OAuthAccount = Pick<OAuthGrant, "organizationId" | "personId">

/** The account as one text, which is what the protocol calls a subject. */
export const accountText = ({ organizationId, personId }: OAuthAccount): string =>
  `${organizationId}${separator}${personId}`

/** Ids of organizations hold no separator. */
export const readAccount = (text: string): OAuthAccount | undefined => {
  const at = text.indexOf(separator)
  return at <= 0 || at === text.length - 1
    ? undefined
    : {
        organizationId: text.slice(0, at) as OrganizationId,
        personId: text.slice(at + 1) as PersonId
      }
}

const separator = "."

/** One consent of one person to one OAuth client, for one organization. */
export interface ConnectedApp {
  readonly grantId: string
  readonly clientId: string
  /** As the client calls itself: nobody vouches for it. */
  readonly clientName: string
  readonly person: Person
  readonly connectedAt: IsoTime
  readonly lastUsedAt: IsoTime | null
  readonly endsAt: IsoTime
}
