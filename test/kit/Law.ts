import type * as Effect from "effect/Effect"

/**
 * One sentence that every adapter of a port keeps, with the check that shows it. Laws are data, so that they
 * bind to any runner: `for (const law of laws) it(law.says, () => run(law.check))`.
 */
export interface Law<R> {
  readonly says: string
  /** Fails or dies when the law is broken. */
  readonly check: Effect.Effect<void, unknown, R>
}
