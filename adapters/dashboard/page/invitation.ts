import * as Effect from "effect/Effect"
import type { Invitation } from "../../../core/port/Invitations.ts"
import { accept, findInvitation } from "../../../core/admin/members.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { actionButton, formHtml } from "../form.ts"
import { nextQuery } from "../next.ts"
import type { OpenRequest, PersonRequest } from "../Page.ts"
import { redirectTo } from "../Page.ts"
import { actions, linkButton, small, narrowPage } from "../parts.ts"

/** What the link in an invitation shows: a button, sign-in, or that it went to another address. */
export const showInvitation = Effect.fnUntraced(function* ({ param, person }: OpenRequest) {
  const invitation = yield* findInvitation(param("invitation"))
  if (invitation === undefined) return ended
  const body =
    person === undefined
      ? signInFirst(invitation)
      : person.email === invitation.email
        ? acceptForm(invitation)
        : otherAddress(person.email)
  return narrowPage({ title: `Join ${invitation.organizationName}`, body })
})

/** Makes the person a member. */
export const acceptInvitation = Effect.fnUntraced(function* ({ param, person }: PersonRequest) {
  const result = yield* accept(person, param("invitation"))
  switch (result._tag) {
    case "Joined":
      return redirectTo(`/dashboard/${result.membership.organizationId}/usage`, "invitation_accepted")
    case "Ended":
      return ended
    case "OtherAddress":
      return redirectTo(pathOf(param("invitation")))
  }
})

const pathOf = (invitationId: string): string => `/invitations/${encodeURIComponent(invitationId)}`

const roleWords = { owner: "an owner", admin: "an admin", member: "a member" } as const

const about = ({ invitedBy, organizationName, role }: Invitation): Html =>
  html`<p><strong>${invitedBy}</strong> invites you to <strong>${organizationName}</strong> as ${roleWords[role]}.</p>`

const acceptForm = (invitation: Invitation): Html =>
  html`${about(invitation)}${formHtml({
    action: pathOf(invitation.invitationId),
    submit: "Accept the invitation",
    cancel: "/dashboard"
  })}`

const signInFirst = (invitation: Invitation): Html => {
  const next = nextQuery(pathOf(invitation.invitationId))
  return html`${about(invitation)}${small(
    "To accept, sign in with the email address that received the invitation. You then come back here."
  )}${actions(
    linkButton({ href: `/signup${next}`, label: "Create an account", tone: "primary" }),
    linkButton({ href: `/login${next}`, label: "Sign in" })
  )}`
}

const toDashboard = linkButton({ href: "/dashboard", label: "Go to the dashboard" })

// Does not name the invited address: the holder of the link may be somebody else.
const otherAddress = (email: string): Html =>
  html`<p>This invitation was sent to another email address. You are signed in as <strong>${email}</strong>.</p>
${small(
  "Sign out, open the link again and sign in with the address that received it. Or ask for an invitation to " +
    "your own address."
)}${actions(actionButton({ action: "/logout", label: "Sign out" }), toDashboard)}`

const ended = narrowPage({
  status: 404,
  title: "This invitation has ended",
  body: html`<p>It was accepted or withdrawn, or it expired after 7 days. Ask for a new one.</p>${actions(toDashboard)}`
})
