import * as Effect from "effect/Effect"
import type { Role } from "../../../core/organization/role.ts"
import { roles } from "../../../core/organization/role.ts"
import type { PersonId } from "../../../core/person/Person.ts"
import * as managing from "../../../core/admin/members.ts"
import { html } from "../../html/html.ts"
import { forbidden, notFound, redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { emailText, oneOf, readFields } from "../fields.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { confirmation } from "../parts.ts"
import { limitedFault, limitedStatus } from "../people/limited.ts"
import type { InvitationForm } from "./membersParts.ts"
import { membersBody } from "./membersParts.ts"

const show = (request: MemberRequest) => page(request, { email: "", role: "member", faults: [] })

const roleField = oneOf(roles, "Choose a role.")

const invite = Effect.fnUntraced(function* (request: MemberRequest) {
  const { form: sent, nowMs } = request
  const role = roles.find((each) => each === sent.text("role")) ?? "member"
  const again = (faults: ReadonlyArray<Fault>, status = 422, headers = {}) =>
    page(request, { email: sent.text("email"), role, faults }, { status, headers })
  const read = readFields({ email: emailText, role: roleField }, sent)
  if (read._tag === "Faulty") return yield* again(read.faults)
  const said = yield* managing.invite(request.actor, read.values)
  switch (said._tag) {
    case "Invited":
      return redirectTo(`${request.home}/members`, { says: "member_invited" })
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

const withdraw = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.withdraw(request.actor, request.param("invitation"))
  switch (said._tag) {
    case "Withdrawn":
      return redirectTo(`${request.home}/members`, { says: "invitation_withdrawn" })
    case "Unknown":
      return redirectTo(`${request.home}/members`, { says: "invitation_ended" })
    case "Forbidden":
      return forbidden(said.permission)
  }
})

const changeRole = Effect.fnUntraced(function* (request: MemberRequest) {
  const read = readFields({ role: roleField }, request.form)
  if (read._tag === "Faulty") return notFound
  const personId = request.param("person") as PersonId
  const said = yield* managing.changeRole(request.actor, { personId, role: read.values.role })
  switch (said._tag) {
    case "Changed":
      return redirectTo(`${request.home}/members`, { says: "role_changed" })
    case "Unknown":
      return redirectTo(`${request.home}/members`, { says: "member_unknown" })
    case "LastOwner":
      return redirectTo(`${request.home}/members`, { says: "last_owner" })
    case "Forbidden":
      return forbidden(said.permission)
  }
})

const showRemove = Effect.fnUntraced(function* (request: MemberRequest) {
  const { members } = yield* managing.list(request.actor)
  const member = members.find(({ person }) => person.personId === request.param("person"))
  if (member === undefined) return notFound
  const { email, name, personId } = member.person
  const leaves = personId === request.person.personId
  const lacking = managing.removalLacks(request.actor, member)
  if (lacking !== undefined) return forbidden(lacking.permission)
  const { organizationName } = request.membership
  return showPage({
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
      action: `${request.home}/members/${encodeURIComponent(personId)}/remove`,
      submit: leaves ? "Leave the organization" : "Remove from the organization",
      cancel: `${request.home}/members`
    })
  })
})

const remove = Effect.fnUntraced(function* (request: MemberRequest) {
  const personId = request.param("person") as PersonId
  const said = yield* managing.remove(request.actor, personId)
  const leaves = personId === request.person.personId
  switch (said._tag) {
    case "Removed":
      return leaves
        ? redirectTo("/dashboard", { says: "organization_left" })
        : redirectTo(`${request.home}/members`, { says: "member_removed" })
    case "Unknown":
      return redirectTo(`${request.home}/members`, { says: "member_unknown" })
    case "LastOwner":
      return redirectTo(`${request.home}/members`, { says: "last_owner" })
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
  request: MemberRequest,
  inviting: InvitationForm & { readonly role: Role },
  more: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
) {
  const listed = yield* managing.list(request.actor)
  return showPage({
    ...more,
    title: "Members",
    section: "members",
    body: membersBody(request, listed, inviting)
  })
})
