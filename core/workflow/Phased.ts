import * as Effect from "effect/Effect"

/** Step 11 of a write, by what of it may stand in its transaction. */
export type Phased<A, E> =
  /** All of it happens in the transaction. */
  | { readonly _tag: "Within"; readonly work: Effect.Effect<A, E> }
  /**
   * The first part waits for the world outside (names, receivers) or only reads, and so stays out of the
   * transaction; what it answers is carried out within.
   */
  | { readonly _tag: "Before"; readonly work: Effect.Effect<Effect.Effect<A, E>, E> }

export const within = <A, E>(work: Effect.Effect<A, E>): Phased<A, E> => ({ _tag: "Within", work })

export const before = <A, E>(work: Effect.Effect<Effect.Effect<A, E>, E>): Phased<A, E> => ({
  _tag: "Before",
  work
})

/** The same write with what it comes to told otherwise. */
export const mapPhased = <A, B, E>(phased: Phased<A, E>, tell: (value: A) => B): Phased<B, E> =>
  phased._tag === "Within"
    ? within(Effect.map(phased.work, tell))
    : before(Effect.map(phased.work, Effect.map(tell)))
