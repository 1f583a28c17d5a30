import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { utcTime } from "../coverage/utcTime.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import { Deliveries } from "../port/Deliveries.ts"
import { Endpoints } from "../port/Endpoints.ts"
import type { Handler, WriteHandler } from "./Handler.ts"
import { makeAppendEntry } from "./appendEntry.ts"
import { beforeOf, pageEnd } from "./newestFirst.ts"
import { isoTimeOf } from "../coverage/date.ts"
import { commit } from "./WritePlan.ts"
import { placeOf } from "./webhooks.ts"
import { deliveryItem } from "./webhookView.ts"

/** The delivery log of an endpoint and what is sent again from it (contract §2, Webhooks). */
export const makeDeliveryHandlers = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const deliveries = yield* Deliveries
  const audit = yield* makeAppendEntry

  const listDeliveries: Handler<"listDeliveries"> = ({ params, query }, { caller, position }) =>
    Effect.gen(function* () {
      const before = beforeOf(position)
      if (before === undefined) return refused("REQUEST_INVALID_CURSOR")
      const place = placeOf(params, caller)
      if ((yield* endpoints.find(place)) === undefined) return refused("RESOURCE_NOT_FOUND")
      const limit = query.limit ?? pageLimit.standard
      const found = yield* deliveries.list({ ...place, status: query.status ?? null, before, limit })
      return {
        _tag: "Data",
        data: found.deliveries.map(deliveryItem),
        page: pageEnd(found.next, limit)
      }
    })

  const replayDelivery: WriteHandler<"replayDelivery"> = ({ params }, context) =>
    commit(
      Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        const delivery = yield* deliveries.replay({
          ...placeOf(params, context.caller),
          deliveryId: params.delivery_id,
          nowMs
        })
        if (delivery === undefined) return refused("RESOURCE_NOT_FOUND")
        const [subject, detail] = [String(params.id), `delivery ${params.delivery_id}`]
        yield* audit(context, { action: "webhook.replayed", subject, detail })
        return { _tag: "Data" as const, data: deliveryItem(delivery) }
      })
    )

  const replayWebhook: WriteHandler<"replayWebhook"> = ({ params, body }, context) =>
    commit(
      Effect.gen(function* () {
        const place = placeOf(params, context.caller)
        if ((yield* endpoints.find(place)) === undefined) return refused("RESOURCE_NOT_FOUND")
        const nowMs = yield* Clock.currentTimeMillis
        const [sinceMs, untilMs] = [msOf(body.since), msOf(body.until)]
        const replayed = yield* deliveries.replayWindow({ ...place, sinceMs, untilMs, nowMs })
        const detail = `${replayed} deliveries from ${isoTimeOf(sinceMs)} to before ${isoTimeOf(untilMs)}`
        yield* audit(context, { action: "webhook.replayed", subject: String(params.id), detail })
        return { _tag: "Data" as const, data: { id: place.endpointId, replayed } }
      })
    )

  return { listDeliveries, replayDelivery, replayWebhook } as const
})

/** The schema has let it through as a date-time. */
const msOf = (text: string): number => DateTime.makeUnsafe(utcTime(text) ?? text).epochMilliseconds
