import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Deliveries, DeliveriesUnavailable } from "../../core/port/Deliveries.ts"
import type { DeliveriesQuery } from "../../core/port/Deliveries.ts"
import type { EndpointKey } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { openDelivery, replayDelivery } from "../../core/webhook/delivery.ts"
import { fateOfEvent, statusRows } from "../../core/webhook/transitions.ts"
import { AccountStates } from "./AccountStates.ts"
import { hasWebhooks, keepDelivery, Outbox, setEntry } from "./Outbox.ts"
import type { DeliveryJob } from "./Outbox.ts"

/** Events and deliveries in the process. */
export const layer = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const states = yield* AccountStates
    const outbox = yield* Outbox
    const { offer } = yield* Jobs

    /** The endpoint's deliveries, oldest first. */
    const ofEndpoint = ({ organizationId, endpointId }: EndpointKey): ReadonlyArray<DeliveryJob> => {
      const endpoint = outbox.endpoints.get(endpointId)
      const isShown = endpoint?.organizationId === organizationId && statusRows[endpoint.status].shown
      return isShown
        ? [...outbox.deliveries.values()].filter(({ delivery }) => delivery.endpointId === endpointId)
        : []
    }

    const begunAgain = (found: DeliveryJob, nowMs: number) =>
      setEntry(outbox.deliveries, found.delivery.deliveryId, {
        delivery: replayDelivery(found.delivery, nowMs),
        turn: found.turn + 1
      })

    const replayOne = Effect.fnUntraced(function* (found: DeliveryJob, nowMs: number) {
      if (found.delivery.event === "test.ping") return found.delivery
      const { delivery, turn } = yield* begunAgain(found, nowMs)
      yield* offer([{ job: { _tag: "Deliver", deliveryId: delivery.deliveryId, turn }, delayMs: 0 }])
      return delivery
    }, unavailable)

    return Deliveries.of({
      publish: Effect.fnUntraced(function* ({ organizationId, event }) {
        const nowMs = event.occurredAtMs
        const pack = { hasWebhooks: hasWebhooks(states, organizationId, nowMs) }
        const own = [...outbox.endpoints.values()].filter((each) => each.organizationId === organizationId)
        yield* setEntry(outbox.events, event.webhookId, event)
        let published = 0
        for (const endpoint of own) {
          const fate = fateOfEvent(endpoint, event.type, pack)
          if (fate === undefined) continue
          published += 1
          const { endpointId } = endpoint
          const opened = { endpointId, organizationId, webhookId: event.webhookId, event: event.type }
          const { delivery, turn } = yield* keepDelivery(outbox, openDelivery({ ...opened, fate, nowMs }))
          const job = { _tag: "Deliver", deliveryId: delivery.deliveryId, turn } as const
          if (fate === "pending") yield* offer([{ job, delayMs: 0 }])
        }
        return published
      }, unavailable),
      list: (query) => Effect.sync(() => page(ofEndpoint(query), query)),
      replay: ({ deliveryId, nowMs, ...place }) =>
        Effect.suspend(() => {
          const found = ofEndpoint(place).find(({ delivery }) => delivery.deliveryId === deliveryId)
          return found === undefined ? Effect.undefined : replayOne(found, nowMs)
        }),
      replayWindow: Effect.fnUntraced(function* ({ sinceMs, untilMs, nowMs, ...place }) {
        const found = ofEndpoint(place).filter(
          ({ delivery: { createdAtMs, event } }) =>
            createdAtMs >= sinceMs && createdAtMs < untilMs && event !== "test.ping"
        )
        yield* Effect.forEach(found, (each) => begunAgain(each, nowMs), { discard: true })
        const job = { _tag: "Resume", endpointId: place.endpointId, atMs: nowMs } as const
        if (found.length > 0) yield* offer([{ job, delayMs: 0 }])
        return found.length
      }, unavailable),
      record: (delivery) => Effect.map(keepDelivery(outbox, delivery), (kept) => kept.delivery)
    })
  })
)

const unavailable = <A>(effect: Effect.Effect<A, { readonly fault: DeliveriesUnavailable["fault"] }>) =>
  Effect.mapError(effect, ({ fault }) => new DeliveriesUnavailable({ fault }))

const page = (all: ReadonlyArray<DeliveryJob>, { status, before, limit }: DeliveriesQuery) => {
  const admitted = all
    .map(({ delivery }) => delivery)
    .filter((each) => status === null || each.status === status)
    .filter(({ deliveryId }) => before === null || deliveryId < before)
    .toSorted((one, other) => other.deliveryId - one.deliveryId)
  const deliveries = admitted.slice(0, limit)
  return { deliveries, next: admitted.length > limit ? (deliveries.at(-1)?.deliveryId ?? null) : null }
}
