import * as Effect from "effect/Effect"
import { dayAfter, dayOf, isIsoDate } from "../../../core/coverage/date.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import type { DeliveryStatus } from "../../../core/webhook/delivery.ts"
import { deliveryStatuses } from "../../../core/webhook/delivery.ts"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import * as managing from "../../../core/admin/webhooks.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { forbidden, notFound, redirectTo, showPage } from "../answer.ts"
import type { FlashCode } from "../flash.ts"
import type { Answer, MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import type { EndpointView } from "./endpointParts.ts"
import { endpointBody } from "./endpointParts.ts"
import { refusalFaults } from "./refusalFaults.ts"
import { idOf } from "./webhooks.ts"
import { eventsOf } from "./webhooksParts.ts"

const show = (request: MemberRequest) => page(request, {})

const change = Effect.fnUntraced(function* (request: MemberRequest) {
  const [url, events] = [request.form.text("url"), request.form.text("events")]
  const before = yield* managing.find(request.actor, idOf(request))
  if (before === undefined) return notFound
  // Only what is another now: an address that is kept is not looked up again.
  const body = {
    ...(url === before.endpoint.url ? {} : { url }),
    ...(events === eventsText(before.endpoint) ? {} : { events: eventsOf(events) })
  }
  if (Object.keys(body).length === 0) return redirectTo(pathOf(request), { says: "webhook_changed" })
  const said = yield* managing.change(request.actor, "updateWebhook", { endpointId: idOf(request), body })
  if (said._tag !== "Refused") return after(request, said._tag, "webhook_changed")
  const faults = refusalFaults(said.refusal, ["url", "events"])
  return yield* page(request, { status: 422, draft: { url, events, faults } })
})

const setStatus = Effect.fnUntraced(function* (request: MemberRequest) {
  const status = request.form.text("status")
  const body = { status }
  const said = yield* managing.change(request.actor, "updateWebhook", { endpointId: idOf(request), body })
  return after(request, said._tag, status === "active" ? "webhook_resumed" : "webhook_paused")
})

const test = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.change(request.actor, "testWebhook", { endpointId: idOf(request) })
  switch (said._tag) {
    case "Done":
      return yield* page(request, { tested: said.data })
    case "Limited":
      return redirectTo(pathOf(request), { says: "webhook_test_limited" })
    case "Refused":
      return yield* page(request, { status: 422, faults: refusalFaults(said.refusal, []) })
    case "NeedsScale":
    case "Unknown":
    case "Forbidden":
      return after(request, said._tag, "webhook_changed")
  }
})

const replayOne = Effect.fnUntraced(function* (request: MemberRequest) {
  const given = { endpointId: idOf(request), deliveryId: idOf(request, "delivery") }
  const said = yield* managing.change(request.actor, "replayDelivery", given)
  return after(request, said._tag, "delivery_replayed", "replay_delivery")
})

const replayWindow = Effect.fnUntraced(function* (request: MemberRequest) {
  const [since, until] = [request.form.text("since"), request.form.text("until")]
  const end = isIsoDate(until) ? dayAfter(until) : undefined
  const again = (field: "since" | "until", says: string) =>
    page(request, { status: 422, window: { since, until, faults: [{ field, says }] } })
  if (!isIsoDate(since)) return yield* again("since", "Choose the first day.")
  if (end === undefined) return yield* again("until", "Choose the last day.")
  if (end <= since) return yield* again("until", "Choose a day that is not before the first.")
  const body = { since: `${since}T00:00:00.000Z`, until: `${end}T00:00:00.000Z` }
  const said = yield* managing.change(request.actor, "replayWebhook", { endpointId: idOf(request), body })
  if (said._tag === "Done" && said.data.replayed === 0)
    return redirectTo(pathOf(request), { says: "nothing_replayed" })
  return after(request, said._tag, "deliveries_replayed", "replay_delivery")
})

/** One endpoint with its delivery log. */
export const endpointPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/webhooks/:endpoint", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint",
    permission: "change_webhook",
    answer: change
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/status",
    permission: "change_webhook",
    answer: setStatus
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/test",
    permission: "change_webhook",
    answer: test
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/replay",
    permission: "replay_delivery",
    answer: replayWindow
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/deliveries/:delivery/replay",
    permission: "replay_delivery",
    answer: replayOne
  })
] as const

const pathOf = (request: MemberRequest): string => `${request.home}/webhooks/${request.param("endpoint")}`

const after = (
  request: MemberRequest,
  tag: Effect.Success<ReturnType<typeof managing.change>>["_tag"],
  says: FlashCode,
  permission: "change_webhook" | "replay_delivery" = "change_webhook"
): Answer => {
  switch (tag) {
    case "Done":
      return redirectTo(pathOf(request), { says })
    case "NeedsScale":
      return redirectTo(`${request.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Limited":
      return redirectTo(pathOf(request), { says: "webhook_test_limited" })
    case "Refused":
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden(permission)
  }
}

/** What the form shows of the events of an endpoint; made by a program it may name several. */
const eventsText = ({ events }: Endpoint): string => (events.includes("*") ? "*" : (events[0] ?? "*"))

const statusOf = (request: MemberRequest): DeliveryStatus | null =>
  deliveryStatuses.find((status) => status === request.query.get("status")) ?? null

/** A week, today included. */
const usualWindowMs = 6 * dayMs

const page = Effect.fnUntraced(function* (
  request: MemberRequest,
  more: Partial<Pick<EndpointView, "faults" | "tested" | "draft" | "window">> & { readonly status?: number }
) {
  const found = yield* managing.find(request.actor, idOf(request))
  if (found === undefined) return notFound
  const { endpoint, hasWebhooks } = found
  const place = request.query.get("before") ?? ""
  const before = /^[1-9]\d{0,14}$/.test(place) ? Number(place) : null
  const status = statusOf(request)
  const log = yield* managing.deliveries(request.actor, { endpointId: endpoint.endpointId, status, before })
  const usual = {
    since: dayOf(isoTimeOf(request.nowMs - usualWindowMs)),
    until: dayOf(isoTimeOf(request.nowMs)),
    faults: []
  }
  return showPage({
    status: more.status ?? 200,
    title: endpoint.url,
    section: "webhooks",
    body: endpointBody(request, {
      endpoint,
      hasWebhooks,
      log,
      filter: { status, isFirst: before === null },
      draft: more.draft ?? { url: endpoint.url, events: eventsText(endpoint), faults: [] },
      window: more.window ?? usual,
      tested: more.tested,
      faults: more.faults ?? []
    })
  })
})
