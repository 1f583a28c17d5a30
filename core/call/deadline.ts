import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { makeRoll } from "../workflow/roll.ts"

/** The deadline of a whole call, in milliseconds (contract §1: SERVER_TIMEOUT). */
export const callDeadlineMs = 10_000

/**
 * How late a deadline may be noticed. One timer for all calls: a timer for each would cost more than it is
 * worth. It rests while there are none.
 */
const tickMs = 100

/** Tells how a call ended; undefined: its time was over first. */
type Ended<A, E> = (exit: Exit.Exit<A, E> | undefined) => void

/** A call that has not ended yet. */
interface Waiting {
  readonly deadlineMs: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly ended: Ended<never, never>
  /** Where it stands in the roll; undefined once somebody was told how it ended. */
  place: number | undefined
}

/**
 * Bounds a call in time: past its deadline the caller is answered at once, and what still runs is interrupted
 * behind its back. Steps that may not be interrupted, a charge under way, end first and then give back what
 * they took; `Effect.timeout` would keep the caller waiting for them.
 */
export const makeDeadlines = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const waiting = makeRoll<Waiting>()
  /** Whether nobody was told yet how the call ended: who asks is the one to tell. */
  const leaves = (call: Waiting): boolean => {
    if (call.place === undefined) return false
    waiting.leave(call.place)
    call.place = undefined
    return true
  }
  const expireLate = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    waiting.forEach((call) => {
      if (call.deadlineMs > nowMs || !leaves(call)) return
      call.fiber.interruptUnsafe()
      call.ended(undefined)
    })
  })
  const waited = Latch.makeUnsafe(false)
  const rest = Effect.sync(() => void (waiting.size() === 0 && waited.closeUnsafe()))
  const tick = Effect.all([waited.await, Effect.sleep(tickMs), expireLate, rest], { discard: true })
  yield* Effect.forkScoped(Effect.forever(tick))

  const watch = <A, E>(fiber: Fiber.Fiber<A, E>, nowMs: number, ended: Ended<A, E>): void => {
    const call: Waiting = { deadlineMs: nowMs + callDeadlineMs, fiber, ended, place: undefined }
    call.place = waiting.enter(call)
    waited.openUnsafe()
    fiber.addObserver((exit) => {
      if (leaves(call)) ended(exit)
    })
  }

  /** Begins a call, and tells once how it ended; undefined: its time is over. */
  const begin = <A, E>(steps: Effect.Effect<A, E>, ended: Ended<A, E>, around = context): void => {
    if (Exit.isExit(steps)) return ended(steps as Exit.Exit<A, E>)
    const fiber = Effect.runForkWith(around)(steps)
    // A call that waits for nothing, as most refusals do, is over by now.
    const exit = fiber.pollUnsafe()
    if (exit === undefined) watch(fiber, clock.currentTimeMillisUnsafe(), ended)
    else ended(exit)
  }

  return {
    begin,
    /** The same within a fiber, and in its context. */
    within: <A, E>(steps: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E> | undefined> =>
      Effect.contextWith((around: Context.Context<never>) =>
        Effect.callback((resume) => begin(steps, (exit) => resume(Effect.succeed(exit)), around))
      )
  } as const
})
