import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { IsoDate } from "../../../core/coverage/date.ts"
import { dayAfter, dayOf, isIsoDate, isoTimeOf } from "../../../core/coverage/date.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import { may } from "../../../core/organization/role.ts"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import type { DataOf } from "../../../core/handler/Handler.ts"
import * as managing from "../../../core/admin/webhooks.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Fault, Field, FormState } from "../form.ts"
import { actionButton, faultSummary, makeForm, newForm, rejectForm } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import { actions, card, facts, linkButton, pill, small, time, whoMay } from "../parts.ts"
import { logCard } from "./deliveries.ts"
import { endpointForm, endpointPath, eventsOf, eventsText, idOf, notChanged } from "./webhooks.ts"
import { refusalFaults, statusPills } from "./webhooks.ts"

const changeForm = endpointForm("Save")

const dateField = (label: string, missing: string): Field<IsoDate> => ({
  label,
  control: { type: "date" },
  parse: (sent, name) => {
    const text = sent.text(name)
    return isIsoDate(text) ? Result.succeed(text) : Result.fail(missing)
  }
})

const replayForm = makeForm("Replay", {
  since: dateField("From", "Choose the first day."),
  until: dateField("To", "Choose the last day.")
})

/** Shows an endpoint, what can be done with it, and its delivery log. */
export const showEndpoint = (request: MemberRequest) => page(request, {})

/** Changes the URL or the events. */
export const changeEndpoint = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, form } = request
  const endpointId = idOf(request)
  const [url, events] = [form.text("url"), form.text("events")]
  const found = yield* managing.find(actor, endpointId)
  if (found === undefined) return notFound
  // Sends only what differs, so that an unchanged URL is not resolved again.
  const body = {
    ...(url !== found.endpoint.url && { url }),
    ...(events !== selectedEvents(found.endpoint) && { events: eventsOf(events) })
  }
  if (Object.keys(body).length === 0) return redirectTo(endpointPath(request), "webhook_changed")
  const result = yield* managing.change(actor, "updateWebhook", { endpointId, body })
  if (result._tag === "Done") return redirectTo(endpointPath(request), "webhook_changed")
  if (result._tag !== "Refused") return notChanged(request, result)
  const faults = refusalFaults(result.refusal, ["url", "events"])
  return yield* page(request, { change: rejectForm(form, ...faults) })
})

/** Pauses or resumes an endpoint. */
export const setStatus = Effect.fnUntraced(function* (request: MemberRequest) {
  const body = { status: request.form.text("status") }
  const result = yield* managing.change(request.actor, "updateWebhook", { endpointId: idOf(request), body })
  if (result._tag !== "Done") return notChanged(request, result)
  return redirectTo(endpointPath(request), body.status === "active" ? "webhook_resumed" : "webhook_paused")
})

/** Sends a test event and shows its result (§4.4). */
export const sendTest = Effect.fnUntraced(function* (request: MemberRequest) {
  const result = yield* managing.change(request.actor, "testWebhook", { endpointId: idOf(request) })
  if (result._tag === "Done") return yield* page(request, { tested: result.data })
  if (result._tag !== "Refused") return notChanged(request, result)
  return yield* page(request, { faults: refusalFaults(result.refusal, []) })
})

/** Sends one delivery again. */
export const replayOne = Effect.fnUntraced(function* (request: MemberRequest) {
  const ids = { endpointId: idOf(request), deliveryId: idOf(request, "delivery") }
  const result = yield* managing.change(request.actor, "replayDelivery", ids)
  return result._tag === "Done"
    ? redirectTo(endpointPath(request), "delivery_replayed")
    : notChanged(request, result)
})

/** Sends the deliveries of some days again. */
export const replayDays = Effect.fnUntraced(function* (request: MemberRequest) {
  const input = replayForm.parse(request.form)
  if (Result.isFailure(input)) return yield* page(request, { replay: input.failure })
  const { since, until } = input.success
  const end = dayAfter(until)
  if (end === undefined || end <= since) {
    const says = "Choose a day that is not before the first."
    return yield* page(request, { replay: rejectForm(request.form, { field: "until", says }) })
  }
  const body = { since: `${since}T00:00:00.000Z`, until: `${end}T00:00:00.000Z` }
  const result = yield* managing.change(request.actor, "replayWebhook", { endpointId: idOf(request), body })
  if (result._tag !== "Done") return notChanged(request, result)
  return redirectTo(
    endpointPath(request),
    result.data.replayed === 0 ? "nothing_replayed" : "deliveries_replayed"
  )
})

/** What a page of an endpoint shows beyond the endpoint itself. */
interface Extra {
  readonly change?: FormState
  readonly replay?: FormState
  readonly tested?: DataOf<"testWebhook">
  /** Why no test was sent. */
  readonly faults?: ReadonlyArray<Fault>
}

/** The replay form starts with a week, including today. */
const usualWindowMs = 6 * dayMs

const page = Effect.fnUntraced(function* (request: MemberRequest, extra: Extra) {
  const { actor, home, nowMs } = request
  const found = yield* managing.find(actor, idOf(request))
  if (found === undefined) return notFound
  const { endpoint, hasWebhooks } = found
  const mayChange = may(actor.role, "change_webhook") && hasWebhooks
  const failure = extra.change ?? extra.replay
  const change = extra.change ?? newForm({ url: endpoint.url, events: selectedEvents(endpoint) })
  const [since, until] = [dayOf(isoTimeOf(nowMs - usualWindowMs)), dayOf(isoTimeOf(nowMs))]
  return showPage({
    ...(extra.faults === undefined ? failure?.response : { status: 422 }),
    title: endpoint.url,
    section: "webhooks",
    body: html`${small(html`<a href="${home}/webhooks">All endpoints</a>`)}
${
  !hasWebhooks &&
  html`<p class="notice warn">Nothing is sent while your plan has no webhooks. <a
href="${home}/credits#packs">See plans</a></p>`
}
${faultSummary(extra.faults ?? [])}${extra.tested && testedCard(extra.tested)}
${statusCard(request, endpoint, mayChange)}
${yield* logCard(request, hasWebhooks)}
${
  mayChange
    ? html`${replayCard(request, extra.replay ?? newForm({ since, until }))}
${card({
  title: "Change URL or events",
  id: "change",
  body: changeForm.render(change, { action: endpointPath(request) })
})}`
    : small(whoMay("change_webhook"))
}`
  })
})

/** The selected option. An endpoint that a program made may have several events. */
const selectedEvents = ({ events }: Endpoint): string => (events.includes("*") ? "*" : (events[0] ?? "*"))

const statusCard = (request: MemberRequest, endpoint: Endpoint, mayChange: boolean): Html => {
  const path = endpointPath(request)
  const isActive = endpoint.status === "active"
  return card({
    title: "Status",
    body: html`<p>${statusPills(endpoint)} ${statusSays[endpoint.status]}</p>
${facts([
  ["Events", eventsText(endpoint)],
  ["Added", time(isoTimeOf(endpoint.createdAtMs))],
  ["Changed", time(isoTimeOf(endpoint.updatedAtMs))]
])}
${
  mayChange &&
  actions(
    actionButton({ action: `${path}/test`, label: "Send a test", tone: "primary" }),
    actionButton({
      action: `${path}/status`,
      label: isActive ? "Pause" : "Resume",
      hidden: { status: isActive ? "paused" : "active" }
    }),
    linkButton({ href: `${path}/rotate`, label: "Rotate the secret" }),
    linkButton({ href: `${path}/delete`, label: "Delete", tone: "danger" })
  )
}`
  })
}

const statusSays = {
  active: "Events are sent as they happen.",
  paused: "Events are held. Resume it, then replay what it missed.",
  disabled:
    "It was disabled because the receiver returned status 410 or every delivery failed for five days. Fix the " +
    "receiver, resume it, and replay what it missed.",
  deleted: ""
} as const

const testedCard = ({
  error,
  http_status: status,
  signature_validation: signature,
  success
}: DataOf<"testWebhook">): Html =>
  card({
    title: "Test result",
    body: html`<p>${pill(success ? "delivered" : "failed", success ? "good" : "bad")} ${
      status !== null && `HTTP status ${status}.`
    } ${error ?? ""}</p><p>${signatureSays[signature]}</p>`
  })

const signatureSays = {
  enforced: "The receiver rejected a ping with a wrong signature, as it should.",
  not_enforced:
    "The receiver accepted a ping with a wrong signature. It does not check signatures, so anybody can send to it.",
  unknown: "We could not find out whether the receiver checks signatures."
} as const

const replayCard = (request: MemberRequest, state: FormState): Html =>
  card({
    title: "Replay days",
    id: "window",
    says: "Sends every event of these days (UTC) again with the same webhook-id, including held ones but not tests.",
    body: replayForm.render(state, { action: `${endpointPath(request)}/replay`, layout: "across" })
  })
