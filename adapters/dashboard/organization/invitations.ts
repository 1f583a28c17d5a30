import * as Effect from "effect/Effect"
import type { Invitation } from "../../../core/port/Members.ts"
import { accept as acceptInvitation, findInvitation } from "../../../core/admin/members.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import { actionButton, form } from "../formParts.ts"
import { nextQuery } from "../next.ts"
import type { OpenRequest, PersonRequest } from "../Page.ts"
import { openPage, personPage } from "../Page.ts"

const show = Effect.fnUntraced(function* (request: OpenRequest) {
  const invitation = yield* findInvitation(request.param("invitation"))
  if (invitation === undefined) return ended
  const { person } = request
  if (person === undefined) return page(invitation, strangerHtml(invitation))
  return person.email === invitation.email
    ? page(invitation, acceptHtml(invitation))
    : page(invitation, otherHtml(person.email))
})

const accept = Effect.fnUntraced(function* (request: PersonRequest) {
  const said = yield* acceptInvitation(request.person, request.param("invitation"))
  switch (said._tag) {
    case "Joined":
      return redirectTo(`/dashboard/${said.membership.organizationId}/usage`, { says: "invitation_accepted" })
    case "Ended":
      return ended
    case "OtherAddress":
      return redirectTo(pathTo(request.param("invitation")))
  }
})

/** The link of an invitation's letter. */
export const invitationsPages = [
  openPage({ method: "GET", path: "/invitations/:invitation", answer: show }),
  personPage({ method: "POST", path: "/invitations/:invitation", answer: accept })
] as const

const pathTo = (invitationId: string): string => `/invitations/${encodeURIComponent(invitationId)}`

const page = ({ organizationName }: Invitation, body: Html) =>
  showPage({
    title: `Join ${organizationName}`,
    width: "narrow",
    body: html`<section class="card" aria-label="Invitation">${body}</section>`
  })

const asWhat = { owner: "an owner", admin: "an admin", member: "a member" } as const

const invitedHtml = ({ invitedBy, organizationName, role }: Invitation): Html =>
  html`<p><strong>${invitedBy}</strong> invites you to <strong>${organizationName}</strong> as ${asWhat[role]}.</p>`

const acceptHtml = (invitation: Invitation): Html =>
  html`${invitedHtml(invitation)}${form({
    action: pathTo(invitation.invitationId),
    submit: "Accept the invitation",
    fields: [],
    cancel: "/dashboard"
  })}`

const strangerHtml = (invitation: Invitation): Html => {
  const next = nextQuery(pathTo(invitation.invitationId))
  return html`${invitedHtml(invitation)}<p class="muted">To accept, sign in with the very address the letter came to.
You come back here.</p><div class="actions"><a class="button primary" href="/signup${next}">Create an account</a>
<a class="button" href="/login${next}">Sign in</a></div>`
}

// The address it was sent to stays untold: whoever holds the link need not be whom it was meant for.
const otherHtml = (email: string): Html =>
  html`<p>This invitation was sent to another address than yours: you are signed in as <strong>${email}</strong>.</p>
<p class="muted">Sign out, then open the link again and sign in with the address the letter came to. Or ask for an
invitation to the address you use.</p><div class="actions">${actionButton({ action: "/logout", label: "Sign out" })}
<a class="button" href="/dashboard">To the dashboard</a></div>`

const ended = showPage({
  status: 404,
  title: "This invitation has ended",
  width: "narrow",
  body: html`<section class="card" aria-label="Next"><p>It was accepted or withdrawn, or 7 days have passed. Ask whoever
sent it for another.</p><div class="actions"><a class="button" href="/dashboard">To the dashboard</a></div></section>`
})
