import { may } from "../../../core/organization/role.ts"
import type { Endpoint, EndpointStatus } from "../../../core/webhook/Endpoint.ts"
import { endpointsMax, urlCharactersMax } from "../../../core/webhook/Endpoint.ts"
import type { Subscription } from "../../../core/webhook/event.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { choiceField, form, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { card, copyable, empty, lead, number, pill, rows } from "../parts.ts"

/** An endpoint as it was entered, and what is wrong with that. */
export interface EndpointForm {
  readonly url: string
  readonly events: string
  readonly faults: ReadonlyArray<Fault>
}

/** The page of the webhooks: what they are, the endpoints, and a form for another. */
export const webhooksBody = (
  request: MemberRequest,
  found: { readonly hasWebhooks: boolean; readonly endpoints: ReadonlyArray<Endpoint> },
  draft: EndpointForm
): Html => {
  const mayChange = may(request.actor.role, "change_webhook")
  const { endpoints, hasWebhooks } = found
  return html`${lead(
    html`We call your servers when something happens, each call signed. How a receiver checks the signature is in the <a
href="/docs/webhooks">guide to webhooks</a>.`
  )}
${hasWebhooks ? html`` : needsScale(request, endpoints.length)}
${hasWebhooks && mayChange ? addCard(request, draft) : html``}
${
  hasWebhooks || endpoints.length > 0
    ? card({
        title: "Endpoints",
        body: html`${
          endpoints.length === 0
            ? empty({
                title: "No endpoint yet",
                says: mayChange
                  ? "Add the https address of a server of yours, above; the next page shows the secret that signs."
                  : whoMay("change_webhook")
              })
            : rows(endpoints.map((endpoint) => endpointRow(request, endpoint)))
        }${!mayChange && endpoints.length > 0 ? html`<p class="muted">${whoMay("change_webhook")}</p>` : html``}`
      })
    : html``
}`
}

/** What webhooks are and how to get them, for packs without. */
const needsScale = (request: MemberRequest, kept: number): Html =>
  card({
    title: "Webhooks come with the Scale pack",
    id: "scale",
    body: html`<p>With webhooks you need not ask: when a change of a policy is acknowledged, we send it to your
servers within seconds, sign it, and try for three days until it arrives. Every delivery is in a log, and can be sent
again.</p>${kept === 0 ? html`` : keptSays}<div class="actions"><a class="button primary"
href="${request.home}/credits#packs">See packs and prices</a><a class="button"
href="/docs/webhooks">Read the guide</a></div>`
  })

const keptSays = html`<p class="notice warn">Your endpoints are kept. Nothing is sent to them, and events are held,
until you are on Scale again.</p>`

const addCard = (request: MemberRequest, { events, faults, url }: EndpointForm): Html =>
  card({
    title: "Add an endpoint",
    id: "add",
    says: `An organization has at most ${number(endpointsMax)}.`,
    body: form({
      action: `${request.home}/webhooks`,
      submit: "Add endpoint",
      faults,
      fields: endpointFields({ url, events, faults })
    })
  })

/** The two fields of an endpoint, for adding and for changing. */
export const endpointFields = ({ events, faults, url }: EndpointForm): ReadonlyArray<Html> => [
  textField({
    name: "url",
    label: "Address",
    type: "url",
    value: url,
    hint: "A public https address, such as https://hooks.example.com/coverage",
    charactersMax: urlCharactersMax,
    faults
  }),
  choiceField({ name: "events", label: "Events", value: events, options: eventOptions, faults })
]

const eventOptions: ReadonlyArray<{ readonly value: Subscription; readonly label: string }> = [
  { value: "*", label: "All events" },
  { value: "compliance.acknowledged", label: "compliance.acknowledged" }
]

/** What the form sends as events. */
export const eventsOf = (value: string): ReadonlyArray<string> => (value === "" ? [] : [value])

const tones: Readonly<Record<EndpointStatus, "good" | "warn" | "bad" | "plain">> = {
  active: "good",
  paused: "warn",
  disabled: "bad",
  deleted: "plain"
}

/** Its state, with what failed since it last succeeded. */
export const statusPills = ({ failureCount, status }: Endpoint): Html =>
  html`${pill(status, tones[status])}${
    failureCount === 0
      ? html``
      : html` ${pill(`${number(failureCount)} failed in a row`, status === "active" ? "warn" : "bad")}`
  }`

/** What it is sent, in words. */
export const eventsSay = ({ events }: Endpoint): string =>
  events.map((name) => (name === "*" ? "all" : name)).join(", ")

const endpointRow = (request: MemberRequest, endpoint: Endpoint) => ({
  title: html`<a class="whole" href="${request.home}/webhooks/${endpoint.endpointId}">${endpoint.url}</a>`,
  says: html`${statusPills(endpoint)} Events: ${eventsSay(endpoint)}`
})

/** A secret, shown this once. */
export const secretBody = (parts: {
  readonly request: MemberRequest
  readonly endpointId: number
  readonly secret: string
  readonly says: Html
}): Html =>
  html`<section class="secret" aria-labelledby="new-secret"><h2 id="new-secret">Copy the secret now</h2>
<p>${parts.says} This is the only time it is shown.</p>
${copyable({ id: "secret", label: "the secret", text: parts.secret })}</section>
${card({
  title: "Check signatures with it",
  body: html`<p>Our deliveries follow Standard Webhooks, so a library for your language checks them. Try it on this
machine:</p>
${copyable({
  id: "listen",
  label: "the command",
  text: `npm run --silent cli -- webhooks listen --port 8080 --secret ${parts.secret}`
})}
<p class="muted">More is in the <a href="/docs/webhooks">guide to webhooks</a>.</p>`
})}
<div class="actions"><a class="button primary" href="${parts.request.home}/webhooks/${parts.endpointId}">I have stored
it</a></div>`
