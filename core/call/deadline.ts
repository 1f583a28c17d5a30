import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"

/** The deadline of a whole call, in milliseconds (contract §1: SERVER_TIMEOUT). */
export const callDeadlineMs = 10_000

/**
 * How late a deadline may be noticed. One timer for all calls: a timer for each would cost more than it is
 * worth. It rests while there are none.
 */
const tickMs = 100

/** Is told how a call ended; undefined: its time was over first. */
type OnEnd<A, E> = (exit: Exit.Exit<A, E> | undefined) => void

/** A call that has not ended yet. */
interface Pending {
  readonly deadlineMs: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly onEnd: OnEnd<never, never>
  /** Its slot in the table; undefined once somebody was told how it ended. */
  slot: number | undefined
}

/**
 * Bounds a call in time: past its deadline the caller is answered at once, and what still runs is interrupted
 * behind its back. Steps that may not be interrupted, a charge under way, end first and then give back what
 * they took; `Effect.timeout` would keep the caller waiting for them.
 */
export const makeDeadlines = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const pending = makeSlotTable<Pending>()
  /** Whether nobody was told yet how the call ended: who asks is the one to tell. */
  const settles = (call: Pending): boolean => {
    if (call.slot === undefined) return false
    pending.free(call.slot)
    call.slot = undefined
    return true
  }
  const expireLate = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    pending.forEach((call) => {
      if (call.deadlineMs > nowMs || !settles(call)) return
      call.fiber.interruptUnsafe()
      call.onEnd(undefined)
    })
  })
  const waited = Latch.makeUnsafe(false)
  const rest = Effect.sync(() => void (pending.size() === 0 && waited.closeUnsafe()))
  const tick = Effect.all([waited.await, Effect.sleep(tickMs), expireLate, rest], { discard: true })
  yield* Effect.forkScoped(Effect.forever(tick))

  const watch = <A, E>(fiber: Fiber.Fiber<A, E>, nowMs: number, onEnd: OnEnd<A, E>): void => {
    const call: Pending = { deadlineMs: nowMs + callDeadlineMs, fiber, onEnd, slot: undefined }
    call.slot = pending.add(call)
    waited.openUnsafe()
    fiber.addObserver((exit) => {
      if (settles(call)) onEnd(exit)
    })
  }

  /** Begins a call, and tells once how it ended; undefined: its time is over. */
  const begin = <A, E>(steps: Effect.Effect<A, E>, onEnd: OnEnd<A, E>, around = context): void => {
    if (Exit.isExit(steps)) return onEnd(steps as Exit.Exit<A, E>)
    const fiber = Effect.runForkWith(around)(steps)
    // A call that waits for nothing, as most refusals do, is over by now.
    const exit = fiber.pollUnsafe()
    if (exit === undefined) watch(fiber, clock.currentTimeMillisUnsafe(), onEnd)
    else onEnd(exit)
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

/**
 * What is there just now, of much that comes and goes. A Map or a Set would do, but V8 makes a new table for
 * one every few departures and lets the old table refer to the new: once one of them is old enough to be
 * swept only with the whole heap, all that came after it lives as long, and every answered call with it. With
 * a Set a call costs Node 1.12 of its CPU (docs/performance.md).
 */
interface SlotTable<Item> {
  /** Returns the slot, to be freed again. */
  readonly add: (item: Item) => number
  readonly free: (slot: number) => void
  readonly forEach: (visit: (item: Item) => void) => void
  readonly size: () => number
}

/** An empty table; it keeps as many slots as were ever taken at once. */
export const makeSlotTable = <Item>(): SlotTable<Item> => {
  const items: Array<Item | undefined> = []
  const freed: Array<number> = []
  return {
    add: (item) => {
      const slot = freed.pop() ?? items.length
      items[slot] = item
      return slot
    },
    free: (slot) => {
      items[slot] = undefined
      freed.push(slot)
    },
    forEach: (visit) => {
      for (const item of items) if (item !== undefined) visit(item)
    },
    size: () => items.length - freed.length
  }
}
