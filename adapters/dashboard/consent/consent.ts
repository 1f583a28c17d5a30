import * as Effect from "effect/Effect"
import type { Membership } from "../../../core/person/Person.ts"
import type { ConsentAsked } from "../../../core/port/Consents.ts"
import type { ConsentGiven, ConsentOffer } from "../../../core/admin/consents.ts"
import { allowConsent, denyConsent, offerConsent } from "../../../core/admin/consents.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { oneOf, readFields } from "../fields.ts"
import { actionButton, choiceField, form } from "../formParts.ts"
import type { PersonRequest } from "../Page.ts"
import { personPage } from "../Page.ts"
import { card, empty, lead } from "../parts.ts"

const show = (pageRequest: PersonRequest) =>
  Effect.map(offerConsent(placeOf(pageRequest), pageRequest.memberships), (offer) =>
    offer === undefined ? endedPage : askPage(pageRequest, offer)
  )

const allow = Effect.fnUntraced(function* (pageRequest: PersonRequest) {
  const offer = yield* offerConsent(placeOf(pageRequest), pageRequest.memberships)
  if (offer === undefined) return endedPage
  const ids = offer.choices.map(({ organizationId }) => organizationId)
  const read = readFields({ organization: oneOf(ids, chooseOne) }, pageRequest.form)
  if (read._tag === "Faulty") return askPage(pageRequest, offer, read.faults)
  const membership = offer.choices.find(({ organizationId }) => organizationId === read.values.organization)
  if (membership === undefined)
    return askPage(pageRequest, offer, [{ field: "organization", says: chooseOne }])
  const { person } = pageRequest
  return onward(yield* allowConsent({ ...placeOf(pageRequest), person, membership }))
})

const deny = (pageRequest: PersonRequest) => Effect.map(denyConsent(placeOf(pageRequest)), onward)

/** Where somebody lets an app ask in an organization's name, or does not (§5, MCP authentication). */
export const consentPages = [
  personPage({ method: "GET", path: "/oauth/consent/:uid", answer: show }),
  personPage({ method: "POST", path: "/oauth/consent/:uid/allow", answer: allow }),
  personPage({ method: "POST", path: "/oauth/consent/:uid/deny", answer: deny })
] as const

const placeOf = (pageRequest: PersonRequest) => ({
  uid: pageRequest.param("uid"),
  cookie: pageRequest.cookie
})
const pathOf = (pageRequest: PersonRequest): string =>
  `/oauth/consent/${encodeURIComponent(pageRequest.param("uid"))}`

const onward = (given: ConsentGiven) => {
  switch (given._tag) {
    case "Onward":
      return redirectTo(given.path)
    case "Ended":
      return endedPage
    case "Forbidden":
      return closedPage
  }
}

const askPage = (
  pageRequest: PersonRequest,
  { asked, choices }: ConsentOffer,
  faults: ReadonlyArray<Fault> = []
) =>
  showPage({
    ...(faults.length > 0 ? { status: 422 } : {}),
    title: `Connect ${asked.clientName}?`,
    width: "narrow",
    // Chromium holds the redirect that follows the form to the policy of the page with the form.
    formOrigins: [asked.formOrigin],
    body: html`${lead(html`<strong>${asked.clientName}</strong> wants to ask coverage questions in the name of one of
your organizations, and to say that it is you who asks.`)}
${card({ title: "What it may do", body: permissionList })}
${card({ title: "Who it is", body: whoItIs(asked) })}
${choices.length === 0 ? nowhere(pageRequest) : chooseOrganization(pageRequest, choices, faults)}`
  })

const permissionList = html`<ul class="plain">
<li>Read policies, codes, coverage decisions and compliance figures.</li>
<li>Spend the organization’s credits, as its own calls do.</li>
<li>Change nothing: it sees no keys, members or webhooks.</li>
</ul>
<p class="muted">For 30 days, or until you or an admin disconnect it under Apps.</p>`

const whoItIs = ({ clientHost, redirectHost }: ConsentAsked): Html =>
  html`<p>The app chose its name itself, and nobody has checked it. ${
    clientHost === null
      ? html`It is not known who makes it.`
      : html`It is described at <strong>${clientHost}</strong>.`
  }</p>
<p>After your answer your browser goes on to <strong>${redirectHost}</strong>${
    isOwnMachine(redirectHost) ? html`, which is a program on your own machine` : html``
  }. Go on only if you have just asked that app to connect.</p>`

const isOwnMachine = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host)

const chooseOrganization = (
  pageRequest: PersonRequest,
  choices: ReadonlyArray<Membership>,
  faults: ReadonlyArray<Fault>
): Html =>
  html`<section class="card" aria-label="Your answer">${form({
    action: `${pathOf(pageRequest)}/allow`,
    submit: "Allow",
    faults,
    fields: [
      choiceField({
        name: "organization",
        label: "Organization whose credits it spends",
        options: choices.map(({ organizationId, organizationName }) => ({
          value: organizationId,
          label: organizationName
        })),
        faults
      })
    ]
  })}${denyButton(pageRequest)}</section>`

const nowhere = (pageRequest: PersonRequest): Html => {
  const why = pageRequest.memberships.length === 0 ? nowheres.none : nowheres.suspended
  const action = html`<a class="button primary" href="/dashboard/new" target="_blank"
rel="noopener">Create an organization</a>`
  return html`<section class="card" aria-label="Your answer">${empty({ ...why, action })}${denyButton(
    pageRequest
  )}</section>`
}

const nowheres = {
  none: {
    title: "You need an organization first",
    says:
      "An app asks in the name of an organization and spends its credits. Create one in another tab, then " +
      "load this page again."
  },
  suspended: {
    title: "None of your organizations can connect an app now",
    says: "They are suspended. Ask one of their owners to contact support, or create another one."
  }
} as const

const denyButton = (pageRequest: PersonRequest): Html =>
  actionButton({ action: `${pathOf(pageRequest)}/deny`, label: "Do not allow" })

const chooseOne = "Choose one of your organizations."

const endedPage = showPage({
  status: 404,
  title: "This request has ended",
  width: "narrow",
  body: html`${lead(
    "It was answered already, is more than an hour old, or began in another browser."
  )}<p>Go back to the app and connect it again.</p>`
})

const closedPage = showPage({
  status: 403,
  title: "That organization cannot be connected",
  width: "narrow",
  body: lead("You are no longer a member of it, or it is suspended. Go back to the app and connect it again.")
})
