import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LimitState } from "../../core/limit/acquire.ts"
import { tryAcquire, acquire, forgettable, release, emptyLimitState } from "../../core/limit/acquire.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"

/**
 * Each call looks at this many other subjects and forgets the idle ones. More than one, so that the sweep
 * overtakes new subjects and the memory holds only those who used something today or in the last two minutes.
 */
export const sweptPerCall = 2

/**
 * The limits in this process: for one process alone, for the sandbox, and while the shared store is
 * unavailable.
 */
export const layer: Layer.Layer<Limits> = Layer.sync(Limits, () => {
  const subjects = new Map<string, LimitState>()
  const sweep = sweeper(subjects)
  const deciding =
    <Said>(decide: (state: LimitState, entry: LimitEntry, clockMs: number) => readonly [Said, LimitState]) =>
    (entry: LimitEntry): Effect.Effect<Said> =>
      Effect.clockWith((clock) => {
        const clockMs = clock.currentTimeMillisUnsafe()
        sweep(clockMs)
        const state = subjects.get(entry.subject) ?? emptyLimitState
        const [said, next] = decide(state, entry, clockMs)
        if (next !== state) subjects.set(entry.subject, next)
        return Effect.succeed(said)
      })
  return {
    acquire: deciding(acquire),
    tryAcquire: deciding(tryAcquire),
    release: (entry) =>
      Effect.sync(() => {
        const state = subjects.get(entry.subject)
        if (state !== undefined) subjects.set(entry.subject, release(state, entry.requestId))
      })
  }
})

/** Walks round the map a few subjects at a time, so that no call pays for a sweep of all of them. */
export const sweeper = (subjects: Map<string, LimitState>) => {
  let walk = subjects.entries()
  return (clockMs: number): void => {
    for (let seen = 0; seen < sweptPerCall; seen++) {
      const next = walk.next()
      if (next.done === true) {
        walk = subjects.entries()
        return
      }
      const [subject, state] = next.value
      if (forgettable(state, clockMs)) subjects.delete(subject)
    }
  }
}
