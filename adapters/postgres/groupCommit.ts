import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { batchSize, storeSeconds } from "../../core/workflow/meters.ts"

/** A batch pays for one COMMIT; beyond a thousand rows the share of it is noise and only the wait grows. */
export const batchMax = 1_000

/**
 * About a third of a second of charges at full speed. A queue that is full is refused at once, not waited
 * for.
 */
export const queueMax = 10_000

/**
 * Gathers what arrives while a flush is under way into the next one: one fiber, one flush in flight, no
 * timer, so a lone item waits for nothing. `flush` answers one exit for each item, in order, and never fails.
 *
 * What is submitted cannot be interrupted: the caller always learns how it ended. When the scope closes, what
 * is queued is still flushed, and later submissions fail as `full`.
 */
export const groupCommit = Effect.fnUntraced(function* <Item, Answer, Failure>(options: {
  readonly flush: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<Answer, Failure>>>
  readonly full: Failure
}) {
  const queue = yield* Queue.dropping<Waiting<Item, Answer, Failure>, Cause.Done>(queueMax)
  const metered = yield* metering
  const round = Effect.flatMap(Queue.takeBetween(queue, 1, batchMax), (waiting) => {
    const flushed = metered(waiting.length)
    return Effect.matchCauseEager(options.flush(waiting.map(({ item }) => item)), {
      onSuccess: (exits) => {
        flushed()
        waiting.forEach(({ answer }, index) => settle(answer, exits[index]))
      },
      onFailure: (cause) => waiting.forEach(({ answer }) => settle(answer, Exit.failCause(cause)))
    })
  })
  const worker = yield* Effect.forkDetach(Effect.ignore(Effect.forever(round)))
  yield* Effect.addFinalizer(() => Effect.andThen(Queue.end(queue), Fiber.await(worker)))
  return (item: Item): Effect.Effect<Answer, Failure> =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<Answer, Failure>()
      return Queue.offerUnsafe(queue, { item, answer })
        ? Effect.uninterruptible(Deferred.await(answer))
        : Effect.fail(options.full)
    })
})

const metering = Effect.clockWith((clock) =>
  Effect.map(Effect.context<never>(), (context) => (size: number) => {
    const startedNs = clock.currentTimeNanosUnsafe()
    return (): void => {
      sizes.updateUnsafe(size, context)
      seconds.updateUnsafe(Number(clock.currentTimeNanosUnsafe() - startedNs) / 1e9, context)
    }
  })
)
const sizes = batchSize({ store: "charges" })
const seconds = storeSeconds({ store: "charges" })

interface Waiting<Item, Answer, Failure> {
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer, Failure>
}

const settle = <Answer, Failure>(
  answer: Deferred.Deferred<Answer, Failure>,
  exit: Exit.Exit<Answer, Failure> | undefined
): boolean => Deferred.doneUnsafe(answer, exit ?? Effect.die("a flush left an item without its answer"))
