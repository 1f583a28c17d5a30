import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** What an import changes is seen by every process within this. */
export const cachedFor = Duration.seconds(1)

/**
 * A small read that many calls need and imports seldom change, made at most once a second. A failure is not
 * remembered. `forget` is for the process that changed it, which sees its own change at once.
 */
export const cacheForSecond = <A, E>(read: Effect.Effect<A, E>) =>
  Effect.map(Effect.cachedInvalidateWithTTL(read, cachedFor), ([value, forget]) => ({
    value: Effect.onError(value, () => forget),
    forget
  }))
