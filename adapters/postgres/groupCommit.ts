import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { isGathering } from "../../core/workflow/gathering.ts"
import { batchSize, storeSeconds } from "../../core/workflow/meters.ts"

/** A batch pays for one COMMIT; beyond a thousand rows the share of it is noise and only the wait grows. */
export const batchMax = 1_000

/**
 * About a third of a second of charges at full speed. A queue that is full is refused at once, not waited
 * for.
 */
export const queueMax = 10_000

/**
 * Gathers what arrives while a flush is under way into the next one: one flush in flight, no timer. A flush
 * begins when the event loop has read what was there to read, so a lone item waits for nothing and those that
 * came together go together (core/workflow/gathering.ts). `flush` answers once, one exit for each item, in
 * order.
 *
 * What is submitted cannot be interrupted: the caller always learns how it ended. When the scope closes, what
 * is queued is still flushed, and later submissions fail as `full`.
 */
export const groupCommit = Effect.fnUntraced(function* <Item, Answer, Failure>(options: {
  readonly flush: (
    items: ReadonlyArray<Item>,
    answer: (exits: ReadonlyArray<Exit.Exit<Answer, Failure>>) => void
  ) => void
  readonly full: Failure
}) {
  const metered = yield* metering
  const full = Effect.fail(options.full)
  let waiting: Array<Waiting<Item, Answer, Failure>> = []
  let isBusy = false
  let isClosed = false
  let ended = (): void => undefined
  let before = 0

  const flushNext = (): void => {
    before = waiting.length
    const batch = waiting.length <= batchMax ? waiting : waiting.slice(0, batchMax)
    waiting = batch === waiting ? [] : waiting.slice(batchMax)
    const flushed = metered(batch.length)
    options.flush(
      batch.map(({ item }) => item),
      (exits) => {
        flushed()
        batch.forEach(({ resume }, index) => resume(exits[index] ?? leftOut))
        goOn()
      }
    )
  }

  const goOn = (): void => {
    isBusy = waiting.length > 0
    if (isBusy) setImmediate(gather, 0)
    else ended()
  }

  const gather = (turns: number): void => {
    if (isGathering({ waiting: waiting.length, before, turns })) setImmediate(gather, turns + 1)
    else flushNext()
  }

  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      isClosed = true
      ended = () => resume(Effect.void)
      if (!isBusy) ended()
    })
  )

  return (item: Item): Effect.Effect<Answer, Failure> =>
    Effect.uninterruptible(
      Effect.callback((resume) => {
        if (isClosed || waiting.length >= queueMax) return resume(full)
        waiting.push({ item, resume })
        if (!isBusy) goOn()
      })
    )
})

interface Waiting<Item, Answer, Failure> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<Answer, Failure>) => void
}

const leftOut = Exit.die("a flush left an item without its answer")

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
