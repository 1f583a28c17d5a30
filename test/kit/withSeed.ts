import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"

/** Draws values of an arbitrary. */
export type Draw = <A>(arbitrary: fc.Arbitrary<A>, count: number) => ReadonlyArray<A>

/**
 * A check over values drawn anew in every run, or as fast-check's global seed says where one is set; its
 * failure names the seed, which may be given to repeat it.
 */
export const withSeed = <E, R>(
  check: (draw: Draw) => Effect.Effect<void, E, R>,
  given?: number
): Effect.Effect<void, never, R> =>
  Effect.suspend(() => {
    const seed = given ?? fc.readConfigureGlobal().seed ?? Math.trunc(Math.random() * 2 ** 31)
    let drawn = 0
    return check((arbitrary, count) => fc.sample(arbitrary, { numRuns: count, seed: seed + drawn++ })).pipe(
      Effect.catchCause((cause) =>
        Effect.die(new Error(`with seed ${seed}: ${Cause.pretty(cause)}`, { cause }))
      )
    )
  })
