import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A clock that a test sets; it runs at the speed of the real one, and sleeping takes real time. */
export const movableClock = (startMs: number) => {
  let offsetMs = startMs - Date.now()
  const nowMs = () => Date.now() + offsetMs
  const nanos = () => BigInt(nowMs()) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => process.hrtime.bigint(),
    monotonicTimeNanos: Effect.sync(() => process.hrtime.bigint()),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration))
        return Effect.sync(() => clearTimeout(timer))
      })
  }
  return {
    layer: Layer.succeed(Clock.Clock, clock),
    /** Moves time by so many milliseconds, back if negative. */
    move: (byMs: number): void => {
      offsetMs += byMs
    }
  }
}
