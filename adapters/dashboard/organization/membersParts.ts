import type { Role } from "../../../core/organization/role.ts"
import { may, roles } from "../../../core/organization/role.ts"
import type { Invitation, Member } from "../../../core/port/Members.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { actionButton, choiceField, form, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { card, day, empty, lead, pill, rows, time } from "../parts.ts"

/** The invitation as it was written, and what is wrong with it. */
export interface InvitationForm {
  readonly email: string
  readonly role: Role
  readonly faults: ReadonlyArray<Fault>
}

/** The page of the members: who is in, who is invited, and a form to invite with. */
export const membersBody = (
  request: MemberRequest,
  listed: { readonly members: ReadonlyArray<Member>; readonly invitations: ReadonlyArray<Invitation> },
  inviting: InvitationForm
): Html => {
  const { role } = request.actor
  const mayInvite = may(role, "invite_member")
  const alone = listed.members.length === 1 && listed.invitations.length === 0
  return html`${lead(
    mayInvite
      ? html`Everybody here sees usage, keys and the audit log; owners and admins also create keys and invite.
${alone ? "You are alone so far: invite a colleague, so that somebody else can act when you are away." : ""}`
      : html`Everybody here sees usage, keys and the audit log. ${whoMay("invite_member")} ${whoMay("change_role")}`
  )}
${mayInvite ? inviteCard(request, inviting) : html``}
${card({
  title: "Members",
  body: rows(listed.members.map((member) => memberRow(request, member)))
})}
${
  mayInvite || listed.invitations.length > 0
    ? card({ title: "Open invitations", body: invitationsList(request, listed.invitations) })
    : html``
}`
}

const inviteCard = (request: MemberRequest, { email, faults, role }: InvitationForm): Html =>
  card({
    title: "Invite somebody",
    id: "invite",
    says: "A letter with a link goes to the address; it is accepted by whoever signs in with that very address.",
    body: form({
      action: `${request.home}/members`,
      submit: "Send invitation",
      layout: "across",
      faults,
      fields: [
        textField({ name: "email", label: "E-mail address", type: "email", value: email, faults }),
        choiceField({
          name: "role",
          label: "Role",
          value: role,
          options: roleOptions(request.actor.role),
          faults
        })
      ]
    })
  })

const memberRow = (request: MemberRequest, { joinedAt, person, role }: Member) => {
  const { actor } = request
  const isSelf = person.personId === actor.person.personId
  const touchable = role !== "owner" || may(actor.role, "change_owner")
  const path = `${request.home}/members/${encodeURIComponent(person.personId)}`
  const changes = !isSelf && touchable && may(actor.role, "change_role")
  const removes = isSelf || (touchable && may(actor.role, "remove_member"))
  return {
    title: html`${person.name}${isSelf ? html` <span class="muted">(you)</span>` : html``}`,
    says: html`${person.email} · since ${day(joinedAt)}`,
    actions: [
      changes
        ? roleForm({ action: `${path}/role`, role, name: person.name, by: actor.role, id: person.personId })
        : pill(role),
      ...(removes
        ? [
            html`<a class="button quiet" href="${path}/remove"${
              isSelf ? html`` : html` aria-label="Remove ${person.name}"`
            }>${isSelf ? "Leave" : "Remove"}</a>`
          ]
        : [])
    ]
  }
}

const roleForm = (parts: {
  readonly action: string
  readonly role: Role
  readonly name: string
  readonly by: Role
  readonly id: string
}): Html =>
  html`<form class="inline" method="post" action="${parts.action}"><label class="heard" for="role-${parts.id}">Role of
${parts.name}</label><select id="role-${parts.id}" name="role">${roleOptions(parts.by).map(
    ({ label, value }) =>
      html`<option value="${value}"${value === parts.role ? html` selected` : html``}>${label}</option>`
  )}</select><button class="button quiet" aria-label="Change the role of ${parts.name}">Change</button></form>`

const invitationsList = (request: MemberRequest, invitations: ReadonlyArray<Invitation>): Html =>
  invitations.length === 0
    ? empty({
        title: "Nobody is invited",
        says: "Who is, stands here until they accept or 7 days have passed."
      })
    : rows(
        invitations.map(({ email, expiresAt, invitationId, invitedBy, role }) => ({
          title: email,
          says: html`Invited by ${invitedBy}, until ${time(expiresAt)}`,
          actions: [
            pill(role),
            ...(may(request.actor.role, "invite_member") &&
            (role !== "owner" || may(request.actor.role, "change_owner"))
              ? [
                  actionButton({
                    action: `${request.home}/invitations/${encodeURIComponent(invitationId)}/withdraw`,
                    label: "Withdraw",
                    says: `Withdraw the invitation of ${email}`,
                    tone: "quiet"
                  })
                ]
              : [])
          ]
        }))
      )

/** Only owners make owners. */
const roleOptions = (by: Role) =>
  roles
    .filter((role) => role !== "owner" || may(by, "change_owner"))
    .toReversed()
    .map((role) => ({ value: role, label: `${role.charAt(0).toUpperCase()}${role.slice(1)}` }))
