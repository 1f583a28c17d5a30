import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { Permission, Role } from "../organization/role.ts"
import { may } from "../organization/role.ts"
import { invitationDays, openInvitationsMax } from "../person/attempts.ts"
import { parseEmail } from "../person/form.ts"
import type { Actor, Membership, Person, PersonId } from "../person/Person.ts"
import { Crypto } from "../port/Crypto.ts"
import { Mail } from "../port/Mail.ts"
import type { Invitation } from "../port/Invitations.ts"
import { Invitations } from "../port/Invitations.ts"
import type { Member } from "../port/Members.ts"
import { Members } from "../port/Members.ts"
import { Settings } from "../port/Settings.ts"
import { isoTimeOf } from "../coverage/date.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"
import { withAttemptLimits } from "./withAttemptLimits.ts"
import { invitationEmail } from "./emails.ts"

/** What the kernel's `may` refuses. */
export interface Forbidden {
  readonly _tag: "Forbidden"
}

/** The same with what it takes: to touch an owner takes more than to touch a member. */
export interface MissingPermission extends Forbidden {
  readonly permission: Permission
}

/** Whom or what it was to be done to is no longer there, or not as it was shown. */
export interface Unknown {
  readonly _tag: "Unknown"
}

/** An organization keeps at least one owner. */
export interface LastOwner {
  readonly _tag: "LastOwner"
}

export type InvitedOrNot =
  | { readonly _tag: "Invited"; readonly invitation: Invitation }
  | { readonly _tag: "AlreadyMember" }
  /** So many are open already. */
  | { readonly _tag: "TooMany"; readonly max: number }

export type JoinedOrNot =
  | { readonly _tag: "Joined"; readonly membership: Membership }
  | { readonly _tag: "Ended" }
  | { readonly _tag: "OtherAddress" }

/** Who belongs to the actor's organization, and who is invited: everybody in it may see that. */
export const list = Effect.fnUntraced(function* ({ organizationId }: Actor) {
  const [{ list: members }, { list: invitations }] = [yield* Members, yield* Invitations]
  return yield* Effect.all({ members: members(organizationId), invitations: invitations(organizationId) })
})

/** An invitation as whoever opened its link sees it; undefined: it ended, or never was. */
export const findInvitation = (invitationId: string) =>
  Effect.flatMap(Invitations, ({ find }) => find(invitationId))

/** Invites an address and sends it an email; only owners invite owners. */
export const invite = Effect.fn("managing.invite")(function* (
  actor: Actor,
  input: { readonly email: string; readonly role: Role }
) {
  const lacking = lackedBy(actor, "invite_member", [input.role])
  if (lacking !== undefined) return lacking
  const email = parseEmail(input.email)
  if (email === undefined) return { _tag: "Form", field: "email", code: "invalid" } as const
  return yield* withAttemptLimits(
    { kind: "invite", origin: `person:${actor.person.personId}`, email },
    inviteAddress(actor, { email, role: input.role })
  )
})

/** Takes an open invitation back; only owners take back what makes an owner. */
export const withdraw = Effect.fn("managing.withdraw")(function* (actor: Actor, invitationId: string) {
  const stranger = lackedBy(actor, "invite_member", [])
  if (stranger !== undefined) return stranger
  const invitations = yield* Invitations
  const { organizationId } = actor
  const invitation = yield* invitations.find(invitationId)
  if (invitation?.organizationId !== organizationId) return unknown
  const lacking = lackedBy(actor, "invite_member", [invitation.role])
  if (lacking !== undefined) return lacking
  type Said = Done<{ readonly _tag: "Withdrawn" } | Unknown>
  const withdrawing = Effect.map(
    invitations.withdraw({ organizationId, invitationId }),
    (withdrawn): Said => {
      if (!withdrawn) return { value: unknown, auditedAction: null }
      const auditedAction = {
        action: "member.invitation_withdrawn",
        subject: invitation.email,
        detail: null
      } as const
      return { value: { _tag: "Withdrawn" }, auditedAction }
    }
  )
  return yield* withAudit(actor, withdrawing)
})

/** Joins by an invitation that was sent to the person's own address. */
export const accept = Effect.fn("managing.accept")(function* (person: Person, invitationId: string) {
  const invitations = yield* Invitations
  const invitation = yield* invitations.find(invitationId)
  if (invitation === undefined) return ended
  const accepting = Effect.map(invitations.accept({ invitationId, person }), (said): Done<JoinedOrNot> => {
    if (said === "ended") return { value: ended, auditedAction: null }
    if (said === "other_address") return { value: { _tag: "OtherAddress" }, auditedAction: null }
    const auditedAction = { action: "member.joined", subject: person.email, detail: said.role } as const
    return { value: { _tag: "Joined", membership: said }, auditedAction }
  })
  return yield* withAudit({ person, organizationId: invitation.organizationId }, accepting)
})

/** Gives a member another role; to make or unmake an owner takes an owner, and the last one stays one. */
export const changeRole = Effect.fn("managing.changeRole")(function* (
  actor: Actor,
  input: { readonly personId: PersonId; readonly role: Role }
) {
  const members = yield* Members
  const stranger = lackedBy(actor, "change_role", [])
  if (stranger !== undefined) return stranger
  const member = yield* memberOf(actor, input.personId)
  if (member === undefined) return unknown
  const lacking = lackedBy(actor, "change_role", [member.role, input.role])
  if (lacking !== undefined) return lacking
  const place = { organizationId: actor.organizationId, ...input, was: member.role }
  type Said = Done<{ readonly _tag: "Changed" } | Unknown | LastOwner>
  const changing = Effect.map(members.changeRole(place), (said): Said => {
    if (said !== "changed") return { value: said === "unknown" ? unknown : lastOwner, auditedAction: null }
    const detail = `${member.role} to ${input.role}`
    const auditedAction = { action: "member.role_changed", subject: member.person.email, detail } as const
    return { value: { _tag: "Changed" }, auditedAction }
  })
  return yield* withAudit(actor, changing)
})

/** What the actor lacks to remove somebody; undefined: they may, as everybody may leave. */
export const removalLacks = (actor: Actor, { person, role }: Pick<Member, "person" | "role">) =>
  person.personId === actor.person.personId ? undefined : lackedBy(actor, "remove_member", [role])

/** Removes a member, whose apps end with it. Everybody leaves by themselves; the last owner stays. */
export const remove = Effect.fn("managing.remove")(function* (actor: Actor, personId: PersonId) {
  const leaves = personId === actor.person.personId
  const members = yield* Members
  const stranger = leaves ? undefined : lackedBy(actor, "remove_member", [])
  if (stranger !== undefined) return stranger
  const member = yield* memberOf(actor, personId)
  if (member === undefined) return unknown
  const lacking = removalLacks(actor, member)
  if (lacking !== undefined) return lacking
  const place = { organizationId: actor.organizationId, personId, was: member.role }
  type Said = Done<{ readonly _tag: "Removed" } | Unknown | LastOwner>
  const removing = Effect.map(members.remove(place), (said): Said => {
    if (said !== "removed") return { value: said === "unknown" ? unknown : lastOwner, auditedAction: null }
    const detail = leaves ? "left" : null
    const auditedAction = { action: "member.removed", subject: member.person.email, detail } as const
    return { value: { _tag: "Removed" }, auditedAction }
  })
  return yield* withAudit(actor, removing)
})

const unknown: Unknown = { _tag: "Unknown" }
const lastOwner: LastOwner = { _tag: "LastOwner" }
const ended: JoinedOrNot = { _tag: "Ended" }

/** Bytes of an invitation's id: 128 bits, since whoever has it sees who invited whom. */
const invitationBytes = 16

/** The first that the actor would need and has not: what they do, then to touch an owner where one is. */
const lackedBy = (
  { role }: Actor,
  permission: "invite_member" | "change_role" | "remove_member",
  touched: ReadonlyArray<Role>
): MissingPermission | undefined => {
  const needed: ReadonlyArray<Permission> = touched.includes("owner")
    ? [permission, "change_owner"]
    : [permission]
  const lacked = needed.find((one) => !may(role, one))
  return lacked && { _tag: "Forbidden", permission: lacked }
}

const memberOf = Effect.fnUntraced(function* (actor: Actor, personId: PersonId) {
  const members = yield* (yield* Members).list(actor.organizationId)
  return members.find(({ person }) => person.personId === personId)
})

// The email follows the commit: an invitation that nobody was told of is replaced by the next attempt, and
// an email about an invitation that is not there would lead nowhere.
const inviteAddress = Effect.fnUntraced(function* (
  actor: Actor,
  input: { readonly email: string; readonly role: Role }
) {
  const invitations = yield* Invitations
  const { randomBytes } = yield* Crypto
  const { baseUrl } = yield* Settings
  const nowMs = yield* Clock.currentTimeMillis
  const inviting = invitations.invite({
    ...input,
    invitationId: Base64Url.encode(randomBytes(invitationBytes)),
    organizationId: actor.organizationId,
    invitedBy: actor.person.email,
    expiresAt: isoTimeOf(nowMs + invitationDays * 86_400_000),
    openMax: openInvitationsMax
  })
  const said = yield* withAudit(
    actor,
    Effect.map(inviting, (said): Done<InvitedOrNot> => {
      if (said === "already_member") return { value: { _tag: "AlreadyMember" }, auditedAction: null }
      if (said === "too_many")
        return { value: { _tag: "TooMany", max: openInvitationsMax }, auditedAction: null }
      const auditedAction = { action: "member.invited", subject: input.email, detail: input.role } as const
      return { value: { _tag: "Invited", invitation: said }, auditedAction }
    })
  )
  if (said._tag === "Invited") yield* (yield* Mail).send(invitationEmail(said.invitation, baseUrl))
  return said
})
