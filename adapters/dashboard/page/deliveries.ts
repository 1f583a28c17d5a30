import * as Effect from "effect/Effect"
import * as managing from "../../../core/admin/webhooks.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { may } from "../../../core/organization/role.ts"
import type { Delivery, DeliveryStatus } from "../../../core/webhook/delivery.ts"
import { deliveryStatuses } from "../../../core/webhook/delivery.ts"
import { html } from "../../html/html.ts"
import { actionButton } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { card, empty, number, pager, pill, rows, time, viewLinks } from "../parts.ts"
import { endpointPath, idOf } from "./webhooks.ts"

const tones: Readonly<Record<DeliveryStatus, "good" | "warn" | "bad" | "plain">> = {
  pending: "warn",
  held: "plain",
  delivered: "good",
  failed: "bad",
  dead: "bad"
}

/** The delivery log of an endpoint: one page of it, filtered by status. */
export const logCard = Effect.fnUntraced(function* (request: MemberRequest, hasWebhooks: boolean) {
  const { actor, query } = request
  const path = endpointPath(request)
  const status = deliveryStatuses.find((one) => one === query.get("status")) ?? null
  const position = query.get("before") ?? ""
  const before = /^[1-9]\d{0,14}$/.test(position) ? Number(position) : null
  const { deliveries, next } = yield* managing.deliveries(actor, {
    endpointId: idOf(request),
    status,
    before
  })
  const mayReplay = may(actor.role, "replay_delivery") && hasWebhooks
  const filter = status === null ? "" : `status=${status}&`
  return card({
    title: "Delivery log",
    id: "log",
    body: html`${viewLinks(
      "Deliveries shown",
      [null, ...deliveryStatuses].map((one) => ({
        href: `${path}${one === null ? "" : `?status=${one}`}#log`,
        text: one ?? "all",
        isCurrent: one === status
      }))
    )}
${
  deliveries.length === 0
    ? empty({ title: "No deliveries", says: "Send a test event; its delivery appears here." })
    : rows(deliveries.map((delivery) => deliveryRow(path, delivery, mayReplay)))
}
${pager({
  newest: before === null ? undefined : `${path}?${filter}#log`,
  older: next === null ? undefined : `${path}?${filter}before=${next}#log`
})}`
  })
})

const deliveryRow = (path: string, delivery: Delivery, mayReplay: boolean) => {
  const { attempts, createdAtMs, deliveryId, error, event, httpStatus, nextAttemptAtMs, status, webhookId } =
    delivery
  return {
    title: html`${event} ${pill(status, tones[status])}`,
    says: html`${time(isoTimeOf(createdAtMs))} · ${number(attempts)} ${attempts === 1 ? "attempt" : "attempts"}${
      httpStatus !== null && ` · HTTP status ${httpStatus}`
    }${error !== null && ` · ${error}`}${
      nextAttemptAtMs !== null && html` · next attempt ${time(isoTimeOf(nextAttemptAtMs))}`
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
