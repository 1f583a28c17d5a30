import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { acquire, emptyLimitState, release, tryAcquire } from "coverage-policy/core/limit/acquire"
import type { LimitState } from "coverage-policy/core/limit/acquire"
import { Limits } from "coverage-policy/core"
import type { LimitEntry } from "coverage-policy/core"

/** Limits of one's own: what a subject has used is one line of text, as a store of text would keep it. */
export const layer = Layer.sync(Limits, () => {
  const lines = new Map<string, string>()
  const read = (subject: string): LimitState => {
    const line = lines.get(subject)
    return line === undefined ? emptyLimitState : (JSON.parse(line) as LimitState)
  }
  const deciding =
    <Said>(decide: (state: LimitState, entry: LimitEntry, clockMs: number) => readonly [Said, LimitState]) =>
    (entry: LimitEntry): Effect.Effect<Said> =>
      Effect.clockWith((clock) => {
        const [said, next] = decide(read(entry.subject), entry, clock.currentTimeMillisUnsafe())
        lines.set(entry.subject, JSON.stringify(next))
        return Effect.succeed(said)
      })
  return {
    acquire: deciding(acquire),
    tryAcquire: deciding(tryAcquire),
    release: ({ subject, requestId }) =>
      Effect.sync(() => {
        lines.set(subject, JSON.stringify(release(read(subject), requestId)))
      })
  }
})
