import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Delivery, DeliveryStatus, NewDelivery } from "../webhook/delivery.ts"
import type { WebhookEvent } from "../webhook/event.ts"
import type { EndpointKey } from "./Endpoints.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class DeliveriesUnavailable extends Schema.TaggedError<DeliveriesUnavailable>()(
  "DeliveriesUnavailable",
  { fault: StoreFault }
) {}

export interface DeliveriesQuery extends EndpointKey {
  /** Null: all. */
  readonly status: DeliveryStatus | null
  /** Deliveries before this one in the list; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}

/**
 * Events and their deliveries, as their owner sees them (contract §2, Webhooks). Of an endpoint that is
 * deleted or another organization's there are none.
 *
 * 1. `publish` keeps the event and a delivery for each endpoint that the kernel's `fateOfEvent` gives one,
 *    with a job for each that is pending: all in the write around it, or none of them. What it answers is how
 *    many there are.
 * 2. An organization's event reaches its own endpoints alone. One without a row has webhooks (test keys).
 * 3. `list` gives exactly the endpoint's deliveries that the filter admits, newest first (by id), at most
 *    `limit`; `next` is the last one's id when more follow. Paging by it gives each that existed throughout
 *    once, while others are written.
 * 4. `replay` and `replayWindow` make of each delivery what the kernel's `replayDelivery` makes of it, with a
 *    job for it, or one that resumes the endpoint for a window. The window is by `createdAtMs`, from
 *    `sinceMs` to before `untilMs`; tests are not replayed, nor counted.
 * 5. `record` keeps a delivery as it is given: the row of a test, which has no event and no job.
 * 6. An unavailable store fails with DeliveriesUnavailable.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly publish: (input: {
      readonly organizationId: OrganizationId
      readonly event: WebhookEvent
    }) => Effect.Effect<number, DeliveriesUnavailable>
    readonly list: (
      query: DeliveriesQuery
    ) => Effect.Effect<
      { readonly deliveries: ReadonlyArray<Delivery>; readonly next: number | null },
      DeliveriesUnavailable
    >
    /** Undefined: there is no such delivery. A test is answered as it stands. */
    readonly replay: (
      input: EndpointKey & { readonly deliveryId: number; readonly nowMs: number }
    ) => Effect.Effect<Delivery | undefined, DeliveriesUnavailable>
    /** How many were replayed. */
    readonly replayWindow: (
      input: EndpointKey & { readonly sinceMs: number; readonly untilMs: number; readonly nowMs: number }
    ) => Effect.Effect<number, DeliveriesUnavailable>
    readonly record: (delivery: NewDelivery) => Effect.Effect<Delivery, DeliveriesUnavailable>
  }
>()("coverage/core/port/Deliveries") {}
