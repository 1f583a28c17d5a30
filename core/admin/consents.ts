import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OAuthGrant } from "../oauth/OAuthGrant.ts"
import { refreshWindowSeconds } from "../oauth/TokenHolder.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { Membership, Person } from "../person/Person.ts"
import type { ConsentAsked, ConsentRequest } from "../port/Consents.ts"
import { Consents } from "../port/Consents.ts"
import { Crypto } from "../port/Crypto.ts"
import { OAuthGrants } from "../port/OAuthGrants.ts"
import { Organizations } from "../port/Organizations.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"

/** What a client asks for, and for which organizations the person may say yes. */
export interface ConsentOffer {
  readonly asked: ConsentAsked
  /** Of the person's; a suspended one is left out. */
  readonly choices: ReadonlyArray<Membership>
}

/** The page of consent; undefined: the request is not known to this browser, or has been answered. */
export const offerConsent = Effect.fnUntraced(function* (
  place: ConsentRequest,
  memberships: ReadonlyArray<Membership>
) {
  const asked = yield* (yield* Consents).find(place)
  if (asked === undefined) return undefined
  const choices = yield* Effect.filter(memberships, isOpen)
  return { asked, choices } satisfies ConsentOffer
})

const isOpen = ({ organizationId }: Membership) =>
  Effect.map(
    Effect.flatMap(Organizations, ({ find }) => find(organizationId)),
    (organization) => organization?.suspended === false
  )

/** Where the browser goes on to, or why it does not. */
export type ConsentGiven =
  | { readonly _tag: "Onward"; readonly path: string }
  /** The request is not known to this browser, or has been answered. */
  | { readonly _tag: "Ended" }
  /** The person is no member of the organization, or it is suspended. */
  | { readonly _tag: "Forbidden" }

/** Says yes for one organization: opens the grant, writes it down, and lets the server go on. */
export const allowConsent = Effect.fn("managing.allowConsent")(function* (
  input: ConsentRequest & { readonly person: Person; readonly membership: Membership }
) {
  const { membership, person } = input
  const consents = yield* Consents
  const asked = yield* consents.find(input)
  if (asked === undefined) return ended
  if (!(yield* isOpen(membership))) return forbidden
  const { organizationId } = membership
  const grant = yield* newGrant(asked, { organizationId, personId: person.personId })
  const grants = yield* OAuthGrants
  const opened = yield* withAudit(
    { organizationId, person },
    Effect.map(grants.open(grant), (value): Done<"opened" | "not_member"> => {
      const { returnsTo } = asked
      const detail = `goes on to ${returnsTo.kind === "app" ? `${returnsTo.scheme}: links` : returnsTo.host}`
      const auditedAction = { action: "app.connected", subject: grant.clientName, detail } as const
      return { value, auditedAction: value === "opened" ? auditedAction : null }
    })
  )
  if (opened === "not_member") return forbidden
  return onward(yield* consents.allow({ ...input, grant }))
})

/** Says no: the client is told so. */
export const denyConsent = Effect.fnUntraced(function* (place: ConsentRequest) {
  return onward(yield* (yield* Consents).deny(place))
})

const ended: ConsentGiven = { _tag: "Ended" }
const forbidden: ConsentGiven = { _tag: "Forbidden" }
const onward = (path: string | undefined): ConsentGiven =>
  path === undefined ? ended : { _tag: "Onward", path }

const newGrant = Effect.fnUntraced(function* (
  { clientId, clientName }: ConsentAsked,
  account: Pick<OAuthGrant, "organizationId" | "personId">
) {
  const { randomBytes } = yield* Crypto
  const connectedAtMs = yield* Clock.currentTimeMillis
  return {
    grantId: `grant_${timeId({ nowMs: connectedAtMs, randomBytes: randomBytes(idRandomBytes) })}`,
    clientId,
    clientName,
    ...account,
    connectedAtMs,
    endsAtMs: connectedAtMs + refreshWindowSeconds * 1_000
  } satisfies OAuthGrant
})
