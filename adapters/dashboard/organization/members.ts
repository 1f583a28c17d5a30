import * as Effect from "effect/Effect"
import type { Role } from "../../../core/organization/role.ts"
import { roles } from "../../../core/organization/role.ts"
import type { PersonId } from "../../../core/person/Person.ts"
import * as managing from "../../../core/workflow/managing/members.ts"
import { html } from "../../html/html.ts"
import { forbidden, missing, moved, shown } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { emailText, oneOf, readFields } from "../fields.ts"
import type { MemberVisit } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { confirmation } from "../parts.ts"
import { limitedFault, limitedStatus } from "../people/limited.ts"
import type { Inviting } from "./membersParts.ts"
import { membersBody } from "./membersParts.ts"

const show = (visit: MemberVisit) => page(visit, { email: "", role: "member", faults: [] })

const roleField = oneOf(roles, "Choose a role.")

const invite = Effect.fnUntraced(function* (visit: MemberVisit) {
  const { form: sent, nowMs } = visit
  const role = roles.find((each) => each === sent.text("role")) ?? "member"
  const again = (faults: ReadonlyArray<Fault>, status = 422, headers = {}) =>
    page(visit, { email: sent.text("email"), role, faults }, { status, headers })
  const read = readFields({ email: emailText, role: roleField }, sent)
  if (read._tag === "Faulty") return yield* again(read.faults)
  const said = yield* managing.invite(visit.actor, read.values)
  switch (said._tag) {
    case "Invited":
      return moved(`${visit.home}/members`, { says: "member_invited" })
    case "AlreadyMember":
      return yield* again([{ field: "email", says: "Somebody with this address is a member already." }])
    case "TooMany":
      return yield* again([{ field: "", says: tooMany(said.max) }])
    case "Form":
      return yield* again([{ field: "email", says: "Write an e-mail address, such as name@example.com." }])
    case "Limited": {
      const { status, headers } = limitedStatus(said)
      return yield* again([limitedFault(said, nowMs)], status, headers)
    }
    case "Forbidden":
      return forbidden(said.permission)
  }
})

const withdraw = Effect.fnUntraced(function* (visit: MemberVisit) {
  const said = yield* managing.withdraw(visit.actor, visit.param("invitation"))
  switch (said._tag) {
    case "Withdrawn":
      return moved(`${visit.home}/members`, { says: "invitation_withdrawn" })
    case "Unknown":
      return moved(`${visit.home}/members`, { says: "invitation_ended" })
    case "Forbidden":
      return forbidden(said.permission)
  }
})

const changeRole = Effect.fnUntraced(function* (visit: MemberVisit) {
  const read = readFields({ role: roleField }, visit.form)
  if (read._tag === "Faulty") return missing
  const personId = visit.param("person") as PersonId
  const said = yield* managing.changeRole(visit.actor, { personId, role: read.values.role })
  switch (said._tag) {
    case "Changed":
      return moved(`${visit.home}/members`, { says: "role_changed" })
    case "Unknown":
      return moved(`${visit.home}/members`, { says: "member_unknown" })
    case "LastOwner":
      return moved(`${visit.home}/members`, { says: "last_owner" })
    case "Forbidden":
      return forbidden(said.permission)
  }
})

const showRemove = Effect.fnUntraced(function* (visit: MemberVisit) {
  const { members } = yield* managing.list(visit.actor)
  const member = members.find(({ person }) => person.personId === visit.param("person"))
  if (member === undefined) return missing
  const { email, name, personId } = member.person
  const leaves = personId === visit.person.personId
  const lacking = managing.removalLacks(visit.actor, member)
  if (lacking !== undefined) return forbidden(lacking.permission)
  const { organizationName } = visit.membership
  return shown({
    title: leaves ? `Leave ${organizationName}?` : `Remove ${name}?`,
    section: "members",
    body: confirmation({
      says: [
        leaves
          ? html`You lose access to <strong>${organizationName}</strong> at once, and the apps you connected to it
are disconnected.`
          : html`<strong>${name}</strong> (${email}) loses access to <strong>${organizationName}</strong> at once,
and the apps they connected to it are disconnected.`,
        "Keys stay valid: revoke those that nobody else should hold. To come back takes a new invitation."
      ],
      action: `${visit.home}/members/${encodeURIComponent(personId)}/remove`,
      submit: leaves ? "Leave the organization" : "Remove from the organization",
      cancel: `${visit.home}/members`
    })
  })
})

const remove = Effect.fnUntraced(function* (visit: MemberVisit) {
  const personId = visit.param("person") as PersonId
  const said = yield* managing.remove(visit.actor, personId)
  const leaves = personId === visit.person.personId
  switch (said._tag) {
    case "Removed":
      return leaves
        ? moved("/dashboard", { says: "organization_left" })
        : moved(`${visit.home}/members`, { says: "member_removed" })
    case "Unknown":
      return moved(`${visit.home}/members`, { says: "member_unknown" })
    case "LastOwner":
      return moved(`${visit.home}/members`, { says: "last_owner" })
    case "Forbidden":
      return forbidden(said.permission)
  }
})

/** Who belongs to an organization, and who is invited. */
export const membersPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/members", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/members",
    permission: "invite_member",
    answer: invite
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/invitations/:invitation/withdraw",
    permission: "invite_member",
    answer: withdraw
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/members/:person/role",
    permission: "change_role",
    answer: changeRole
  }),
  memberPage({ method: "GET", path: "/dashboard/:organization/members/:person/remove", answer: showRemove }),
  memberPage({ method: "POST", path: "/dashboard/:organization/members/:person/remove", answer: remove })
] as const

const tooMany = (max: number): string =>
  `There are ${max} open invitations, which is as many as there may be. Withdraw one first.`

const page = Effect.fnUntraced(function* (
  visit: MemberVisit,
  inviting: Inviting & { readonly role: Role },
  more: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
) {
  const listed = yield* managing.list(visit.actor)
  return shown({
    ...more,
    title: "Members",
    section: "members",
    body: membersBody(visit, listed, inviting)
  })
})
