import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import type { Law } from "./Law.ts"
import { subject, wide } from "./limitsLaws.ts"
import type { LimitsMutant } from "./mutants/limits.ts"
import { faultless } from "./mutants/limits.ts"

/** For a store that fails now and then: the switch is outside of the adapter. */
export const failingLaws = (store: { isAway: boolean }): readonly Law<Limits>[] => [
  {
    says: "5. a slot given back while the store fails is given back once it answers",
    check: Effect.gen(function* () {
      const { call, at } = yield* subject
      const policy = { ...wide, concurrent: 1 }
      yield* at(0)
      const first = call(1, policy)
      yield* first.expect("admitted")
      store.isAway = true
      yield* first.leave
      yield* Effect.flip(call(1, policy).entered)
      store.isAway = false
      const second = call(1, policy)
      yield* second.expect("admitted")
      yield* call(1, policy).expect("concurrent")
      yield* second.leave
    })
  }
]

/** The switch of the stores below. */
export const failingStore = { isAway: false }

/** A store that fails while it is unavailable, and what it does then with slots that are given back. */
const failing = (keep: (owed: Array<LimitEntry>, entry: LimitEntry) => void): Layer.Layer<Limits> =>
  Layer.effect(
    Limits,
    Effect.map(Limits, (limits) => {
      const owed: Array<LimitEntry> = []
      const giveBack = Effect.suspend(() => Effect.forEach(owed.splice(0), limits.release))
      const deciding =
        <Said>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
        (entry: LimitEntry) =>
          Effect.suspend(() =>
            failingStore.isAway ? unavailable() : Effect.andThen(giveBack, decide(entry))
          )
      return {
        acquire: deciding(limits.acquire),
        tryAcquire: deciding(limits.tryAcquire),
        release: (entry) =>
          Effect.suspend(() =>
            failingStore.isAway ? Effect.sync(() => keep(owed, entry)) : limits.release(entry)
          )
      }
    })
  ).pipe(Layer.provide(faultless))

/** What it owes is given back. */
export const limitsThatOwe = failing((owed, entry) => void owed.push(entry))

export const failingMutants: readonly LimitsMutant[] = [
  {
    name: "a slot is lost when the batch that gives it back fails",
    kills: "5. a slot given back while the store fails is given back once it answers",
    layer: failing(() => undefined)
  }
]

const unavailable = () => Effect.fail(new LimitsUnavailable({ fault: "unreachable" }))

/** A store that is unavailable, without a fault of its own. */
export const away: Layer.Layer<Limits> = Layer.succeed(Limits, {
  acquire: unavailable,
  tryAcquire: unavailable,
  release: () => Effect.void
})

export const awayMutants: readonly LimitsMutant[] = [
  {
    name: "a store that is unavailable admits",
    kills: "6. a store that is unavailable fails with LimitsUnavailable, never a guess",
    layer: faultless
  },
  {
    name: "a store that is unavailable dies of a slot to give back",
    kills: "6. leave never fails, since a slot ends by itself",
    layer: Layer.succeed(Limits, {
      acquire: unavailable,
      tryAcquire: unavailable,
      release: () => Effect.die(new Error("away"))
    })
  }
]
