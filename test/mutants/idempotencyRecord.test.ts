import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Transitions } from "../kit/idempotencyHistories.ts"
import { histories, play, transitions } from "../kit/idempotencyHistories.ts"
import { invariants } from "../kit/idempotencyInvariants.ts"
import { idempotencyMutants } from "../kit/mutants/idempotency.ts"
import { trial } from "./trial.ts"

/** Enough for every mutant to be noticed by this seed. */
const noticing = { numRuns: 2_000, seed: 7 }

trial<Transitions>({
  of: "an idempotency record",
  laws: invariants.map(({ says }) => says),
  mutants: idempotencyMutants.map(({ says, spoil }) => ({ says, planted: spoil(transitions) })),
  sound: transitions,
  holds: (law, planted) =>
    Effect.sync(() => {
      const invariant = invariants.find(({ says }) => says === law)
      const keeps = fc.property(
        histories,
        (history) => invariant?.breach(play(history, planted)) === undefined
      )
      return !fc.check(keeps, noticing).failed
    })
})
