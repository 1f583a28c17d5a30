import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Delivery, DeliveryPolicy } from "../webhook/delivery.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import type { WebhookEvent } from "../webhook/event.ts"
import type { Outcome } from "../webhook/Outcome.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class AttemptsUnavailable extends Schema.TaggedError<AttemptsUnavailable>()("AttemptsUnavailable", {
  fault: StoreFault
}) {}

/** The job of a delivery, as `Jobs` gives it. */
export interface DeliveryTurn {
  readonly deliveryId: number
  readonly turn: number
}

/** All that an attempt needs to know. */
export interface DueDelivery {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
  readonly event: WebhookEvent
  /** Whether the organization's pack has webhooks now; one without a row (a test key) has them. */
  readonly hasWebhooks: boolean
  /** The sandbox sends nothing out: its attempts are simulated. */
  readonly surface: "live" | "sandbox"
}

/** An attempt that was made, and what came of it. */
export interface AttemptMade extends DeliveryTurn {
  readonly outcome: Outcome
  /** When it began and ended, Unix ms. */
  readonly beganMs: number
  readonly nowMs: number
  /** Chance, from 0 to below 1. */
  readonly random: number
  readonly policy: DeliveryPolicy
}

/** At most so many deliveries are resumed, or found stranded, in one transaction. */
export const resumedMax = 200

/** At most so many rows are forgotten at once. */
export const forgottenDeliveriesMax = 1_000

/** How long what is settled stays in the owner's log: 30 days. */
export const deliveriesKeptMs = 30 * 86_400_000

/** A pending delivery that nothing has come of for so long after it was due has lost its job, or had none. */
export const strandedMs = 10 * 60_000

/**
 * The deliveries as their worker sees them (contract §2, Webhooks).
 *
 * 1. `due` gives a pending delivery whose turn this is, and nothing otherwise; whether it may be attempted is
 *    the kernel's to say.
 * 2. `settle` is the kernel's `settleAttempt` under locks: the attempt's row, the delivery, its endpoint and
 *    the next job, all or none. An attempt whose turn has passed is counted and changes nothing else of its
 *    delivery.
 * 3. `defer` gives the delivery's next turn a job at the time, and is no attempt.
 * 4. `resume` gives up to `resumedMax` pending deliveries of the endpoint their next turn, in the order of
 *    their ids, each due as the kernel's `resumeDelivery` says; the answer is where to go on, null at the
 *    end. While the endpoint may not be attempted it does nothing.
 * 5. `rescue` does so for what has been due for `strandedMs` and may be attempted, wherever it is: deliveries
 *    of an organization that has its pack again, or whose job was lost. It says how many.
 * 6. `forget` removes deliveries created `deliveriesKeptMs` ago that are neither pending nor held, those of
 *    endpoints deleted, and events without a delivery. It also removes what expired test keys wrote:
 *    endpoints older than `testKeyMs` with their deliveries and events and, where keys and acknowledgements
 *    share a store, acknowledgements. It removes at most `forgottenDeliveriesMax` rows of a kind at once, and
 *    returns the largest number of a kind.
 * 7. An unavailable store fails with AttemptsUnavailable; nothing is guessed.
 */
export class Attempts extends Context.Service<
  Attempts,
  {
    readonly due: (turn: DeliveryTurn) => Effect.Effect<DueDelivery | undefined, AttemptsUnavailable>
    /** The endpoint as it became; undefined: the delivery is gone. */
    readonly settle: (attempt: AttemptMade) => Effect.Effect<Endpoint | undefined, AttemptsUnavailable>
    readonly defer: (
      turn: DeliveryTurn & { readonly atMs: number; readonly nowMs: number }
    ) => Effect.Effect<void, AttemptsUnavailable>
    readonly resume: (input: {
      readonly endpointId: number
      /** After this delivery; 0: from the first. */
      readonly after: number
      readonly nowMs: number
    }) => Effect.Effect<number | null, AttemptsUnavailable>
    readonly rescue: (nowMs: number) => Effect.Effect<number, AttemptsUnavailable>
    readonly forget: (nowMs: number) => Effect.Effect<number, AttemptsUnavailable>
  }
>()("coverage/core/port/Attempts") {}
