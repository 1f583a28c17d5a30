import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Role } from "../../../core/organization/role.ts"
import { may, roles } from "../../../core/organization/role.ts"
import type { PersonId } from "../../../core/person/Person.ts"
import type { Invitation } from "../../../core/port/Invitations.ts"
import type { Member } from "../../../core/port/Members.ts"
import * as managing from "../../../core/admin/members.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { choiceField, emailField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { actionButton, limitForm, makeForm, newForm, optionsHtml, rejectField, rejectForm } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import { card, confirmPage, day, empty, lead, linkButton, pill, rows, time, whoMay } from "../parts.ts"

/** Only owners may invite owners; core/admin rejects the others. */
const inviteForm = (by: Role) =>
  makeForm("Send invitation", {
    email: emailField(),
    role: choiceField({
      label: "Role",
      options: roleOptions(by),
      accepted: roles,
      missing: "Choose a role."
    })
  })

/** Shows the members, the open invitations, and a form to invite. */
export const showMembers = (request: MemberRequest) => page(request, newForm({ role: "member" }))

/** Emails an invitation. */
export const invite = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, form, home } = request
  const again = (field: string, says: string) => page(request, rejectForm(form, { field, says }))
  const input = inviteForm(actor.role).parse(form)
  if (Result.isFailure(input)) return yield* page(request, input.failure)
  const result = yield* managing.invite(actor, input.success)
  switch (result._tag) {
    case "Invited":
      return redirectTo(`${home}/members`, "member_invited")
    case "AlreadyMember":
      return yield* again("email", "This person is already a member.")
    case "TooMany":
      return yield* again(
        "",
        `There are ${result.max} open invitations, the most you can have. Withdraw one first.`
      )
    case "Form":
      return yield* page(request, rejectField(form, result))
    case "Limited":
      return yield* page(request, limitForm(request, result))
    case "Forbidden":
      return result
  }
})

/** Withdraws an invitation. */
export const withdraw = Effect.fnUntraced(function* ({ actor, home, param }: MemberRequest) {
  const result = yield* managing.withdraw(actor, param("invitation"))
  if (result._tag === "Forbidden") return result
  const flash = result._tag === "Withdrawn" ? "invitation_withdrawn" : "invitation_ended"
  return redirectTo(`${home}/members`, flash)
})

/** Changes the role of a member. */
export const changeRole = Effect.fnUntraced(function* ({ actor, form, home, param }: MemberRequest) {
  const role = roles.find((one) => one === form.text("role"))
  if (role === undefined) return notFound
  const personId = param("person") as PersonId
  const result = yield* managing.changeRole(actor, { personId, role })
  if (result._tag === "Forbidden") return result
  return redirectTo(`${home}/members`, result._tag === "Changed" ? "role_changed" : memberFlash[result._tag])
})

/** Asks before a member is removed or leaves. */
export const confirmRemove = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, home, membership, param } = request
  const { members } = yield* managing.list(actor)
  const member = members.find(({ person }) => person.personId === param("person"))
  if (member === undefined) return notFound
  const { email, name, personId } = member.person
  const leaves = personId === actor.person.personId
  const missing = managing.removalLacks(actor, member)
  if (missing !== undefined) return missing
  const organization = html`<strong>${membership.organizationName}</strong>`
  return confirmPage({
    title: leaves ? `Leave ${membership.organizationName}?` : `Remove ${name}?`,
    section: "members",
    says: [
      leaves
        ? html`You lose access to ${organization} at once, and the apps you connected to it are disconnected.`
        : html`<strong>${name}</strong> (${email}) loses access to ${organization} at once, and the apps they
connected to it are disconnected.`,
      "Keys stay valid. Revoke those that nobody else should have. Coming back takes a new invitation."
    ],
    action: `${home}/members/${encodeURIComponent(personId)}/remove`,
    submit: leaves ? "Leave the organization" : "Remove from the organization",
    cancel: `${home}/members`
  })
})

/** Removes a member, or lets the person leave. */
export const remove = Effect.fnUntraced(function* ({ actor, home, param }: MemberRequest) {
  const personId = param("person") as PersonId
  const result = yield* managing.remove(actor, personId)
  if (result._tag === "Forbidden") return result
  if (result._tag !== "Removed") return redirectTo(`${home}/members`, memberFlash[result._tag])
  return personId === actor.person.personId
    ? redirectTo("/dashboard", "organization_left")
    : redirectTo(`${home}/members`, "member_removed")
})

const memberFlash = { Unknown: "member_unknown", LastOwner: "last_owner" } as const

const page = Effect.fnUntraced(function* (request: MemberRequest, state: FormState) {
  const { actor, home } = request
  const { invitations, members } = yield* managing.list(actor)
  const mayInvite = may(actor.role, "invite_member")
  const isAlone = members.length === 1 && invitations.length === 0
  return showPage({
    ...state.response,
    title: "Members",
    section: "members",
    body: html`${lead(
      html`Everybody here sees usage, keys and the audit log. ${
        mayInvite
          ? html`Owners and admins also create keys and invite people. ${
              isAlone && "You are alone so far. Invite a colleague who can act when you are away."
            }`
          : `${whoMay("invite_member")} ${whoMay("change_role")}`
      }`
    )}
${
  mayInvite &&
  card({
    title: "Invite somebody",
    id: "invite",
    says: "We email a link to the address. To accept it, people sign in with that address.",
    body: inviteForm(actor.role).render(state, { action: `${home}/members`, layout: "across" })
  })
}
${card({ title: "Members", body: rows(members.map((member) => memberRow(request, member))) })}
${
  (mayInvite || invitations.length > 0) &&
  card({ title: "Open invitations", body: invitationsList(request, invitations) })
}`
  })
})

const memberRow = ({ actor, home }: MemberRequest, { joinedAt, person, role }: Member) => {
  const { email, name, personId } = person
  const isSelf = personId === actor.person.personId
  const mayTouch = role !== "owner" || may(actor.role, "change_owner")
  const path = `${home}/members/${encodeURIComponent(personId)}`
  const removal = isSelf
    ? linkButton({ href: `${path}/remove`, label: "Leave", tone: "quiet" })
    : linkButton({ href: `${path}/remove`, label: "Remove", says: `Remove ${name}`, tone: "quiet" })
  return {
    title: html`${name}${isSelf && html` <span class="muted">(you)</span>`}`,
    says: html`${email} · since ${day(joinedAt)}`,
    actions: [
      !isSelf && mayTouch && may(actor.role, "change_role")
        ? roleForm(`${path}/role`, { person, role }, actor.role)
        : pill(role),
      ...(isSelf || (mayTouch && may(actor.role, "remove_member")) ? [removal] : [])
    ]
  }
}

const roleForm = (action: string, { person, role }: Pick<Member, "person" | "role">, by: Role): Html => {
  const id = `role-${person.personId}`
  return html`<form class="inline" method="post" action="${action}"><label class="heard" for="${id}">Role of
${person.name}</label><select id="${id}" name="role">${optionsHtml(
    roleOptions(by),
    role
  )}</select><button class="button quiet" aria-label="Change the role of ${person.name}">Change</button></form>`
}

const invitationsList = ({ actor, home }: MemberRequest, invitations: ReadonlyArray<Invitation>): Html =>
  invitations.length === 0
    ? empty({
        title: "No open invitations",
        says: "Invited people appear here until they accept or 7 days have passed."
      })
    : rows(
        invitations.map(({ email, expiresAt, invitationId, invitedBy, role }) => {
          const withdrawal = actionButton({
            action: `${home}/invitations/${encodeURIComponent(invitationId)}/withdraw`,
            label: "Withdraw",
            says: `Withdraw the invitation of ${email}`,
            tone: "quiet"
          })
          const mayTouch = role !== "owner" || may(actor.role, "change_owner")
          return {
            title: email,
            says: html`Invited by ${invitedBy}, until ${time(expiresAt)}`,
            actions: [pill(role), ...(may(actor.role, "invite_member") && mayTouch ? [withdrawal] : [])]
          }
        })
      )

/** The roles that this role may give: only owners make owners. */
const roleOptions = (by: Role) =>
  roles
    .filter((role) => role !== "owner" || may(by, "change_owner"))
    .toReversed()
    .map((role) => ({ value: role, label: `${role.charAt(0).toUpperCase()}${role.slice(1)}` }))
