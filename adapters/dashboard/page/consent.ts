import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Membership } from "../../../core/person/Person.ts"
import type { RedirectTarget } from "../../../core/oauth/redirectUri.ts"
import type { ConsentAsked } from "../../../core/port/Consents.ts"
import type { ConsentGiven, ConsentOffer } from "../../../core/admin/consents.ts"
import { allowConsent, denyConsent, offerConsent } from "../../../core/admin/consents.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Field, FormState } from "../form.ts"
import { actionButton, makeForm, newForm } from "../form.ts"
import type { PersonRequest } from "../Page.ts"
import { redirectTo, showPage } from "../Page.ts"
import { card, empty, lead, small, narrowPage } from "../parts.ts"
import { securityHeaders } from "../response.ts"
import { documentHtml } from "../shell.ts"

const consentForm = (choices: ReadonlyArray<Membership>) => {
  const organization: Field<Membership> = {
    label: "Organization whose credits it spends",
    control: {
      type: "select",
      options: choices.map(({ organizationId: value, organizationName: label }) => ({ value, label }))
    },
    parse: (sent, name) => {
      const chosen = choices.find(({ organizationId }) => organizationId === sent.text(name))
      return Result.fromNullishOr(chosen, () => "Choose one of your organizations.")
    }
  }
  return makeForm("Allow", { organization })
}

/** Asks whether an app may call in an organization's name (§5, MCP authentication). */
export const showConsent = Effect.fnUntraced(function* (request: PersonRequest) {
  const offer = yield* offerConsent(consentOf(request), request.memberships)
  return offer === undefined ? ended : page(request, offer, newForm())
})

/** Allows it for one organization. */
export const allow = Effect.fnUntraced(function* (request: PersonRequest) {
  const { form, memberships, person } = request
  const offer = yield* offerConsent(consentOf(request), memberships)
  if (offer === undefined) return ended
  const input = consentForm(offer.choices).parse(form)
  if (Result.isFailure(input)) return page(request, offer, input.failure)
  const membership = input.success.organization
  return continueTo(yield* allowConsent({ ...consentOf(request), person, membership }))
})

/** Denies it. */
export const deny = (request: PersonRequest) => Effect.map(denyConsent(consentOf(request)), continueTo)

const consentOf = ({ cookie, param }: PersonRequest) => ({ uid: param("uid"), cookie })

const continueTo = (given: ConsentGiven) => {
  switch (given._tag) {
    case "Onward":
      return redirectTo(given.path)
    case "Ended":
      return ended
    case "Forbidden":
      return closed
  }
}

const page = (request: PersonRequest, { asked, choices }: ConsentOffer, state: FormState) => {
  const path = `/oauth/consent/${encodeURIComponent(request.param("uid"))}`
  const denial = actionButton({ action: `${path}/deny`, label: "Deny" })
  return showPage({
    ...state.response,
    title: `Connect ${asked.clientName}?`,
    width: "narrow",
    // Chromium applies the policy of this page to the redirect that follows its form.
    formOrigins: [asked.formOrigin],
    body: html`${lead(html`<strong>${asked.clientName}</strong> wants to ask coverage questions in the name of one of
your organizations, and to identify you as the person who asks.`)}
${card({ title: "What it can do", body: abilities })}
${card({ title: "Who it is", body: identity(asked) })}
${card({
  title: "Your answer",
  body:
    choices.length > 0
      ? html`${consentForm(choices).render(state, { action: `${path}/allow` })}${denial}`
      : html`${empty({ ...(request.memberships.length === 0 ? noneYet : suspended), action: createFirst })}${denial}`
})}`
  })
}

const abilities = html`<ul class="plain">
<li>Read policies, codes, coverage decisions and compliance figures.</li>
<li>Spend the organization’s credits, as its own calls do.</li>
<li>Nothing else: it cannot change anything, or see keys, members or webhooks.</li>
</ul>
${small("Access lasts 30 days, or until you or an admin disconnect it under Apps.")}`

const identity = ({ clientHost, returnsTo }: ConsentAsked): Html =>
  html`<p>${
    clientHost === null
      ? "This app registered itself; we have not verified it. It chose its own name."
      : html`Its description is at <strong>${clientHost}</strong>; we have not verified it. The app chose its own name.`
  }</p>
<p>${destination(returnsTo)} Continue only if you just asked that app to connect.</p>`

const destination = (returnsTo: RedirectTarget): Html => {
  switch (returnsTo.kind) {
    case "app":
      return html`After you answer, your browser returns to the app that opens
<strong>${returnsTo.scheme}:</strong> links on this device.`
    case "loopback":
      return html`After you answer, your browser goes to <strong>${returnsTo.host}</strong>,
a program on your own machine.`
    case "web":
      return html`After you answer, your browser goes to <strong>${returnsTo.host}</strong>.`
  }
}

const createFirst = html`<a class="button primary" href="/dashboard/new" target="_blank"
rel="noopener">Create an organization</a>`

const noneYet = {
  title: "You need an organization first",
  says: "An app spends the credits of an organization. Create one in another tab, then reload this page."
}

const suspended = {
  title: "None of your organizations can connect an app now",
  says: "They are suspended. Ask an owner to contact support, or create another one."
}

const backToApp = html`<p>Go back to the app and connect it again.</p>`

const ended = narrowPage({
  status: 404,
  title: "This request has ended",
  says: "It was already answered, is more than an hour old, or began in another browser.",
  body: backToApp
})

const closed = narrowPage({
  status: 403,
  title: "That organization cannot be connected",
  says: "You are no longer a member of it, or it is suspended.",
  body: backToApp
})

/** The page of a request that the authorization server rejects, in the frame of our pages. */
export const makeConsentErrorPage =
  ({ supportUrl }: { readonly supportUrl: string }) =>
  (facts: { readonly status: number; readonly error: string; readonly says: string }) => ({
    headers: securityHeaders({}),
    text: documentHtml({
      supportUrl,
      ...narrowPage({
        status: facts.status,
        title: "The app could not be connected",
        says: facts.says,
        body: html`${backToApp}<p>If that does not help, report this error to its maker:
<code>${facts.error}</code>.</p>`
      })
    })
  })
