import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The deadline of a whole call, in milliseconds (contract §1: SERVER_TIMEOUT). */
export const callDeadlineMs = 10_000

/**
 * How late a deadline may be noticed. One timer for all calls: a timer for each would cost more than it is
 * worth.
 */
const tickMs = 100

interface Waiting {
  readonly deadlineMs: number
  readonly expire: () => void
}

/**
 * Bounds a call in time: past its deadline the caller is answered with `late` at once, and what still runs is
 * interrupted behind its back. Steps that may not be interrupted, a charge under way, end first and then give
 * back what they took; `Effect.timeout` would keep the caller waiting for them.
 */
export const makeDeadline = Effect.gen(function* () {
  const waiting = new Set<Waiting>()
  const expireLate = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    for (const call of waiting) if (call.deadlineMs <= nowMs) call.expire()
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(tickMs), expireLate)))

  return <A, E>(steps: Effect.Effect<A, E>, late: () => A): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.forkDetach(steps, { startImmediately: true }), (fiber) => {
      // A call that waits for nothing, as most refusals do, is over by now.
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return exit
      return Effect.clockWith((clock) =>
        Effect.callback<A, E>((resume) => {
          const call: Waiting = {
            deadlineMs: clock.currentTimeMillisUnsafe() + callDeadlineMs,
            expire: () => {
              waiting.delete(call)
              fiber.interruptUnsafe()
              resume(Effect.sync(late))
            }
          }
          waiting.add(call)
          fiber.addObserver((exit) => {
            if (waiting.delete(call)) resume(exit)
          })
        })
      )
    })
})
