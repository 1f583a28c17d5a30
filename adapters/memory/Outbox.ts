import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { packs } from "../../core/organization/pack.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import type { AttemptMade } from "../../core/port/Attempts.ts"
import type { Delivery, NewDelivery } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import type { WebhookEvent } from "../../core/webhook/event.ts"
import type { AccountStates } from "./AccountStates.ts"
import { change } from "./change.ts"

/** A delivery with the number of the job that is its own. */
export interface DeliveryJob {
  readonly delivery: Delivery
  readonly turn: number
}

/**
 * What the memory adapters of endpoints, deliveries and attempts share; read and written within one
 * synchronous step.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    readonly endpoints: Map<number, Endpoint>
    readonly events: Map<string, WebhookEvent>
    readonly deliveries: Map<number, DeliveryJob>
    /** Every attempt that was made of a delivery, the first one first. */
    readonly attempts: Map<number, Array<AttemptMade>>
    /** The last id given of each kind; ids are given once, like a sequence's. */
    readonly last: { endpointId: number; deliveryId: number }
  }
>()("coverage/adapters/memory/Outbox") {}

export const layer = Layer.sync(Outbox, () => ({
  endpoints: new Map(),
  events: new Map(),
  deliveries: new Map(),
  attempts: new Map(),
  last: { endpointId: 0, deliveryId: 0 }
}))

/** Sets an entry of one of the maps, and takes it back should the transaction around it not commit. */
export const setEntry = <Id, Value>(map: Map<Id, Value>, id: Id, value: Value): Effect.Effect<Value> =>
  change(() => {
    const before = map.get(id)
    map.set(id, value)
    return { value, undo: () => (before === undefined ? map.delete(id) : map.set(id, before)) }
  })

/** Keeps a new delivery under the next id, in its first turn. */
export const keepDelivery = (outbox: Outbox["Service"], delivery: NewDelivery): Effect.Effect<DeliveryJob> =>
  Effect.suspend(() => {
    const deliveryId = ++outbox.last.deliveryId
    return setEntry(outbox.deliveries, deliveryId, { delivery: { ...delivery, deliveryId }, turn: 1 })
  })

/** Whether an organization's pack has webhooks; one without an account is a test key, which has them. */
export const hasWebhooks = (
  books: AccountStates["Service"],
  organizationId: OrganizationId,
  nowMs: number
): boolean => {
  const state = books.organizations.get(organizationId)
  return packs[state === undefined ? "scale" : packInForce(state.account, nowMs).pack].webhooks
}
