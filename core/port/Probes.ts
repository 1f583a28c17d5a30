import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What was last seen of one dependency. */
export interface Probe {
  readonly status: "up" | "down"
  /** Milliseconds; null when it did not answer. */
  readonly latencyMs: number | null
}

/**
 * What the background probe last saw, at most a second ago (contract §1: health reads no store itself).
 *
 * 1. `read` never waits for a dependency and never fails.
 */
export class Probes extends Context.Service<
  Probes,
  {
    readonly read: Effect.Effect<{ readonly database: Probe; readonly cache: Probe }>
  }
>()("coverage/core/port/Probes") {}
