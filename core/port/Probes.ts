import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What was last seen of one dependency. */
export interface Probe {
  readonly status: "up" | "down"
  /** Milliseconds; null when it did not answer. */
  readonly latencyMs: number | null
  /** Why it is down, in a word. */
  readonly reason?: string
}

/** What was last seen of all of them. */
export interface ProbeResults {
  readonly database: Probe
  readonly cache: Probe
  /**
   * How long the webhook delivery that is due for longest has waited, seconds, as of at most a quarter of a
   * minute ago; null or absent: nobody could look.
   */
  readonly webhookWaitSeconds?: number | null
}

/**
 * What the background probe last saw, at most a second ago (contract §1: health reads no store itself).
 *
 * 1. `read` never waits for a dependency and never fails.
 */
export class Probes extends Context.Service<
  Probes,
  {
    readonly read: Effect.Effect<ProbeResults>
  }
>()("coverage/core/port/Probes") {}
