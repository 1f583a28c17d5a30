import * as Effect from "effect/Effect"
import { dayAfter, dayOf, isIsoDate } from "../../../core/coverage/date.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import type { DeliveryStatus } from "../../../core/webhook/delivery.ts"
import { deliveryStatuses } from "../../../core/webhook/delivery.ts"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import * as managing from "../../../core/workflow/managing/webhooks.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { forbidden, missing, moved, shown } from "../answer.ts"
import type { FlashCode } from "../flash.ts"
import type { Answer, MemberVisit } from "../Page.ts"
import { memberPage } from "../Page.ts"
import type { EndpointView } from "./endpointParts.ts"
import { endpointBody } from "./endpointParts.ts"
import { refusalFaults } from "./refusalFaults.ts"
import { idOf } from "./webhooks.ts"
import { eventsOf } from "./webhooksParts.ts"

const show = (visit: MemberVisit) => page(visit, {})

const change = Effect.fnUntraced(function* (visit: MemberVisit) {
  const [url, events] = [visit.form.text("url"), visit.form.text("events")]
  const before = yield* managing.find(visit.actor, idOf(visit))
  if (before === undefined) return missing
  // Only what is another now: an address that is kept is not looked up again.
  const body = {
    ...(url === before.endpoint.url ? {} : { url }),
    ...(events === eventsText(before.endpoint) ? {} : { events: eventsOf(events) })
  }
  if (Object.keys(body).length === 0) return moved(pathOf(visit), { says: "webhook_changed" })
  const said = yield* managing.change(visit.actor, "updateWebhook", { endpointId: idOf(visit), body })
  if (said._tag !== "Refused") return after(visit, said._tag, "webhook_changed")
  const faults = refusalFaults(said.refusal, ["url", "events"])
  return yield* page(visit, { status: 422, wishing: { url, events, faults } })
})

const setStatus = Effect.fnUntraced(function* (visit: MemberVisit) {
  const status = visit.form.text("status")
  const body = { status }
  const said = yield* managing.change(visit.actor, "updateWebhook", { endpointId: idOf(visit), body })
  return after(visit, said._tag, status === "active" ? "webhook_resumed" : "webhook_paused")
})

const test = Effect.fnUntraced(function* (visit: MemberVisit) {
  const said = yield* managing.change(visit.actor, "testWebhook", { endpointId: idOf(visit) })
  switch (said._tag) {
    case "Done":
      return yield* page(visit, { tested: said.data })
    case "Limited":
      return moved(pathOf(visit), { says: "webhook_test_limited" })
    case "Refused":
      return yield* page(visit, { status: 422, faults: refusalFaults(said.refusal, []) })
    case "NeedsScale":
    case "Unknown":
    case "Forbidden":
      return after(visit, said._tag, "webhook_changed")
  }
})

const replayOne = Effect.fnUntraced(function* (visit: MemberVisit) {
  const given = { endpointId: idOf(visit), deliveryId: idOf(visit, "delivery") }
  const said = yield* managing.change(visit.actor, "replayDelivery", given)
  return after(visit, said._tag, "delivery_replayed", "replay_delivery")
})

const replayWindow = Effect.fnUntraced(function* (visit: MemberVisit) {
  const [since, until] = [visit.form.text("since"), visit.form.text("until")]
  const end = isIsoDate(until) ? dayAfter(until) : undefined
  const again = (field: "since" | "until", says: string) =>
    page(visit, { status: 422, window: { since, until, faults: [{ field, says }] } })
  if (!isIsoDate(since)) return yield* again("since", "Choose the first day.")
  if (end === undefined) return yield* again("until", "Choose the last day.")
  if (end <= since) return yield* again("until", "Choose a day that is not before the first.")
  const body = { since: `${since}T00:00:00.000Z`, until: `${end}T00:00:00.000Z` }
  const said = yield* managing.change(visit.actor, "replayWebhook", { endpointId: idOf(visit), body })
  if (said._tag === "Done" && said.data.replayed === 0)
    return moved(pathOf(visit), { says: "nothing_replayed" })
  return after(visit, said._tag, "deliveries_replayed", "replay_delivery")
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

const pathOf = (visit: MemberVisit): string => `${visit.home}/webhooks/${visit.param("endpoint")}`

const after = (
  visit: MemberVisit,
  tag: Effect.Success<ReturnType<typeof managing.change>>["_tag"],
  says: FlashCode,
  permission: "change_webhook" | "replay_delivery" = "change_webhook"
): Answer => {
  switch (tag) {
    case "Done":
      return moved(pathOf(visit), { says })
    case "NeedsScale":
      return moved(`${visit.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Limited":
      return moved(pathOf(visit), { says: "webhook_test_limited" })
    case "Refused":
    case "Unknown":
      return missing
    case "Forbidden":
      return forbidden(permission)
  }
}

/** What the form shows of the events of an endpoint; made by a program it may name several. */
const eventsText = ({ events }: Endpoint): string => (events.includes("*") ? "*" : (events[0] ?? "*"))

const statusOf = (visit: MemberVisit): DeliveryStatus | null =>
  deliveryStatuses.find((status) => status === visit.query.get("status")) ?? null

/** A week, today included. */
const usualWindowMs = 6 * dayMs

const page = Effect.fnUntraced(function* (
  visit: MemberVisit,
  more: Partial<Pick<EndpointView, "faults" | "tested" | "wishing" | "window">> & { readonly status?: number }
) {
  const found = yield* managing.find(visit.actor, idOf(visit))
  if (found === undefined) return missing
  const { endpoint, hasWebhooks } = found
  const place = visit.query.get("before") ?? ""
  const before = /^[1-9]\d{0,14}$/.test(place) ? Number(place) : null
  const status = statusOf(visit)
  const log = yield* managing.deliveries(visit.actor, { endpointId: endpoint.endpointId, status, before })
  const usual = {
    since: dayOf(isoTimeOf(visit.nowMs - usualWindowMs)),
    until: dayOf(isoTimeOf(visit.nowMs)),
    faults: []
  }
  return shown({
    status: more.status ?? 200,
    title: endpoint.url,
    section: "webhooks",
    body: endpointBody(visit, {
      endpoint,
      hasWebhooks,
      log,
      filter: { status, isFirst: before === null },
      wishing: more.wishing ?? { url: endpoint.url, events: eventsText(endpoint), faults: [] },
      window: more.window ?? usual,
      tested: more.tested,
      faults: more.faults ?? []
    })
  })
})
