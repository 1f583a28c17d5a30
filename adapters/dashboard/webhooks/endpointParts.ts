import { may } from "../../../core/organization/role.ts"
import { deliveryStatuses } from "../../../core/webhook/delivery.ts"
import type { Delivery, DeliveryStatus } from "../../../core/webhook/delivery.ts"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import type { DataOf } from "../../../core/handler/Handler.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { actionButton, form, summary, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { card, empty, number, pill, rows, time } from "../parts.ts"
import type { EndpointForm } from "./webhooksParts.ts"
import { endpointFields, eventsSay, statusPills } from "./webhooksParts.ts"

/** What the page of one endpoint shows. */
export interface EndpointView {
  readonly endpoint: Endpoint
  readonly hasWebhooks: boolean
  readonly log: { readonly deliveries: ReadonlyArray<Delivery>; readonly next: number | null }
  readonly filter: { readonly status: DeliveryStatus | null; readonly isFirst: boolean }
  readonly draft: EndpointForm
  readonly window: { readonly since: string; readonly until: string; readonly faults: ReadonlyArray<Fault> }
  /** What the test just now came to. */
  readonly tested: DataOf<"testWebhook"> | undefined
  /** Why no test was sent. */
  readonly faults: ReadonlyArray<Fault>
}

/** One endpoint: its state, what can be done with it, and its delivery log. */
export const endpointBody = (request: MemberRequest, view: EndpointView): Html => {
  const mayChange = may(request.actor.role, "change_webhook") && view.hasWebhooks
  return html`<p class="muted"><a href="${request.home}/webhooks">All endpoints</a></p>
${
  view.hasWebhooks
    ? html``
    : html`<p class="notice warn">Nothing is sent while the organization’s pack has no webhooks. <a
href="${request.home}/credits#packs">See the packs</a></p>`
}
${summary(view.faults)}${view.tested === undefined ? html`` : testedCard(view.tested)}
${stateCard(request, view.endpoint, mayChange)}
${logCard(request, view)}
${mayChange ? windowCard(request, view) : html``}
${mayChange ? changeCard(request, view) : html``}
${mayChange ? html`` : html`<p class="muted">${whoMay("change_webhook")}</p>`}`
}

const stateCard = (request: MemberRequest, endpoint: Endpoint, mayChange: boolean): Html => {
  const path = `${request.home}/webhooks/${endpoint.endpointId}`
  return card({
    title: "State",
    body: html`<p>${statusPills(endpoint)} ${states[endpoint.status]}</p>
<dl class="facts"><dt>Events</dt><dd>${eventsSay(endpoint)}</dd>
<dt>Added</dt><dd>${time(isoTimeOf(endpoint.createdAtMs))}</dd>
<dt>Changed</dt><dd>${time(isoTimeOf(endpoint.updatedAtMs))}</dd></dl>
${mayChange ? stateActions(path, endpoint.status === "active") : html``}`
  })
}

const stateActions = (path: string, isActive: boolean): Html =>
  html`<div class="actions">${[
    actionButton({ action: `${path}/test`, label: "Send a test", tone: "primary" }),
    actionButton({
      action: `${path}/status`,
      label: isActive ? "Pause" : "Set active",
      hidden: { status: isActive ? "paused" : "active" }
    }),
    html`<a class="button" href="${path}/rotate">Rotate the secret</a>`,
    html`<a class="button danger" href="${path}/delete">Delete</a>`
  ]}</div>`

const states = {
  active: "Events are sent as they happen.",
  paused: "Events are held until it is set active; then replay what it missed.",
  disabled:
    "It was disabled because the receiver answered 410, or everything failed for five days. Mend the receiver, " +
    "set it active, and replay what it missed.",
  deleted: ""
} as const

const testedCard = (tested: DataOf<"testWebhook">): Html =>
  card({
    title: "What the test came to",
    body: html`<p>${pill(tested.success ? "delivered" : "failed", tested.success ? "good" : "bad")} ${
      tested.http_status === null ? "" : `HTTP status ${tested.http_status}.`
    } ${tested.error ?? ""}</p><p>${signatures[tested.signature_validation]}</p>`
  })

const signatures = {
  enforced: "The receiver refused a ping with a false signature, as it should.",
  not_enforced:
    "The receiver also took a ping with a false signature: it does not check signatures, and would believe anybody.",
  unknown: "Whether the receiver checks signatures could not be told."
} as const

const tones: Readonly<Record<DeliveryStatus, "good" | "warn" | "bad" | "plain">> = {
  pending: "warn",
  held: "plain",
  delivered: "good",
  failed: "bad",
  dead: "bad"
}

const logCard = (request: MemberRequest, { endpoint, filter, hasWebhooks, log }: EndpointView): Html => {
  const path = `${request.home}/webhooks/${endpoint.endpointId}`
  const mayReplay = may(request.actor.role, "replay_delivery") && hasWebhooks
  return card({
    title: "Delivery log",
    id: "log",
    body: html`<nav class="ranges" aria-label="Deliveries shown">${[null, ...deliveryStatuses].map(
      (status) =>
        html`<a href="${path}${status === null ? "" : `?status=${status}`}#log"${
          status === filter.status ? html` aria-current="true"` : html``
        }>${status ?? "all"}</a>`
    )}</nav>
${
  log.deliveries.length === 0
    ? empty({ title: "Nothing here", says: "Send a test, and its delivery stands here at once." })
    : rows(log.deliveries.map((delivery) => deliveryRow(path, delivery, mayReplay)))
}
${logPager(path, filter, log.next)}`
  })
}

const deliveryRow = (path: string, delivery: Delivery, mayReplay: boolean) => {
  const { attempts, createdAtMs, deliveryId, error, event, httpStatus, nextAttemptAtMs, status, webhookId } =
    delivery
  return {
    title: html`${event} ${pill(status, tones[status])}`,
    says: html`${time(isoTimeOf(createdAtMs))} · ${number(attempts)} ${attempts === 1 ? "attempt" : "attempts"}${
      httpStatus === null ? "" : ` · HTTP status ${httpStatus}`
    }${error === null ? "" : ` · ${error}`}${
      nextAttemptAtMs === null ? html`` : html` · next attempt ${time(isoTimeOf(nextAttemptAtMs))}`
    }<br><code>${webhookId}</code>`,
    // A test is never sent again.
    actions:
      mayReplay && event !== "test.ping"
        ? [
            actionButton({
              action: `${path}/deliveries/${deliveryId}/replay`,
              label: "Replay",
              says: `Replay delivery ${deliveryId}`,
              tone: "quiet"
            })
          ]
        : []
  }
}

const logPager = (path: string, filter: EndpointView["filter"], next: number | null): Html => {
  const status = filter.status === null ? "" : `status=${filter.status}`
  const older = next === null ? undefined : [status, `before=${next}`].filter((part) => part !== "").join("&")
  return filter.isFirst && older === undefined
    ? html``
    : html`<nav class="actions" aria-label="Pages">${
        filter.isFirst ? html`` : html`<a class="button quiet" href="${path}?${status}#log">Newest</a>`
      }${older === undefined ? html`` : html`<a class="button quiet" href="${path}?${older}#log">Older</a>`}</nav>`
}

const windowCard = (
  request: MemberRequest,
  { endpoint, window: { faults, since, until } }: EndpointView
): Html =>
  card({
    title: "Replay a window",
    id: "window",
    says: "Sends every event of these days (UTC) again, with the same webhook-id, held ones too. Tests are left out.",
    body: form({
      action: `${request.home}/webhooks/${endpoint.endpointId}/replay`,
      submit: "Replay",
      layout: "across",
      faults,
      fields: [
        html`<div class="columns">${[
          textField({ name: "since", label: "From", type: "date", value: since, faults }),
          textField({ name: "until", label: "To and with", type: "date", value: until, faults })
        ]}</div>`
      ]
    })
  })

const changeCard = (request: MemberRequest, { endpoint, draft }: EndpointView): Html =>
  card({
    title: "Change address or events",
    id: "change",
    body: form({
      action: `${request.home}/webhooks/${endpoint.endpointId}`,
      submit: "Save",
      faults: draft.faults,
      fields: endpointFields(draft)
    })
  })
