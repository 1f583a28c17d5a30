import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { batchSize, storeSeconds } from "../../core/call/meters.ts"

/**
 * About a third of a second of charges at full speed. A queue that is full is refused at once, not waited
 * for.
 */
export const queueMax = 10_000

/** A batch of so many says that many call at once, and that more are on their way. */
const batchThreshold = 8

/** Turns of the event loop that a batch waits at most for its calls to come together. */
const turnsMax = 10

/** How a batch of one store is carried out. */
export interface BatchWork<Item, Answer, Failure> {
  /** The label of its metrics. */
  readonly store: "charges" | "limits" | "writes"
  readonly batchMax: number
  /** Told to who comes when the queue is full, or after the end. */
  readonly full: Failure
  /**
   * Answers once, one exit for each item, in order; with `behind`, all who wait by then are told that. It
   * never throws.
   */
  readonly flush: (
    items: ReadonlyArray<Item>,
    answer: (exits: ReadonlyArray<Exit.Exit<Answer, Failure>>, behind?: Exit.Exit<Answer, Failure>) => void
  ) => void
}

export interface Batcher<Item, Answer, Failure> {
  /** Cannot be interrupted: the caller always learns how it ended. */
  readonly submit: (item: Item) => Effect.Effect<Answer, Failure>
  /** A flush begins within so many ms, also when nobody waits by then. */
  readonly flushWithin: (ms: number) => void
}

/**
 * Gathers what arrives while a flush is under way into the next one: one flush in flight, and no timer for
 * those who wait. A flush begins when the event loop has read what was there to read, so a lone item waits
 * for nothing and those that came together go together. When the scope closes, what waits is still flushed.
 */
export const makeBatcher = Effect.fnUntraced(function* <Item, Answer, Failure>(
  options: BatchWork<Item, Answer, Failure>
) {
  const { batchMax, flush } = options
  const metered = yield* makeMeter(options.store)
  const full = Effect.fail(options.full)
  let waiting: Array<Waiting<Item, Answer, Failure>> = []
  let before = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  let isBusy = false
  let isClosed = false
  let ended = (): void => undefined

  const flushNext = (): void => {
    clearTimeout(timer)
    timer = undefined
    isDue = false
    before = waiting.length
    const batch = waiting.length <= batchMax ? waiting : waiting.slice(0, batchMax)
    waiting = batch === waiting ? [] : waiting.slice(batchMax)
    const flushed = metered(batch.length)
    flush(
      batch.map(({ item }) => item),
      (exits, behind) => {
        flushed()
        // Taken before anybody is told: who comes again when told is not one of them.
        const others = behind === undefined ? [] : waiting.splice(0)
        batch.forEach(({ resume }, index) => resume(exits[index] ?? leftOut))
        for (const { resume } of others) resume(behind ?? leftOut)
        goOn()
      }
    )
  }

  const goOn = (): void => {
    isBusy = waiting.length > 0 || isDue
    if (isBusy) setImmediate(gather, 0)
    else ended()
  }

  const gather = (turns: number): void => {
    if (isFilling({ waiting: waiting.length, before, turns })) setImmediate(gather, turns + 1)
    else flushNext()
  }

  const due = (): void => {
    clearTimeout(timer)
    timer = undefined
    isDue = true
    if (!isBusy) goOn()
  }

  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      isClosed = true
      ended = () => resume(Effect.void)
      if (timer !== undefined) due()
      else if (!isBusy) ended()
    })
  )

  return {
    submit: (item) =>
      Effect.uninterruptible(
        Effect.callback((resume) => {
          if (isClosed || waiting.length >= queueMax) return resume(full)
          waiting.push({ item, resume })
          if (!isBusy) goOn()
        })
      ),
    flushWithin: (ms) => {
      timer ??= setTimeout(due, ms)
    }
  } satisfies Batcher<Item, Answer, Failure>
})

/** A batch that has not gone out yet: who waits in it, who went in the one before, and its turns so far. */
export interface OpenBatch {
  readonly waiting: number
  readonly before: number
  readonly turns: number
}

/**
 * Whether a batch waits another turn of the event loop: what a commit or a script call costs is hardly more
 * for thirty calls than for ten, and where many call at once the next ones are being read. No clock is asked:
 * a turn without work takes microseconds, and where the last batch was small, as for a lone call, none is
 * waited for. Without it the stores' CPU of a call is 1.17 of what it is (docs/performance.md).
 */
export const isFilling = ({ waiting, before, turns }: OpenBatch): boolean =>
  before >= batchThreshold && waiting < 2 * before && turns < turnsMax

interface Waiting<Item, Answer, Failure> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<Answer, Failure>) => void
}

const leftOut = Exit.die("a flush left an item without its answer")

/** Told when a batch of so many goes out; what it gives back is told when its answers are here. */
const makeMeter = (store: "charges" | "limits" | "writes") =>
  Effect.clockWith((clock) =>
    Effect.map(Effect.context<never>(), (context) => {
      const [sizes, seconds] = [batchSize({ store }), storeSeconds({ store })]
      return (size: number) => {
        const startedNs = clock.currentTimeNanosUnsafe()
        return (): void => {
          if (size > 0) sizes.updateUnsafe(size, context)
          seconds.updateUnsafe(Number(clock.currentTimeNanosUnsafe() - startedNs) / 1e9, context)
        }
      }
    })
  )
