import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { LedgerUnavailable } from "../../core/port/Ledger.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { unavailable, unconfirmed } from "./Database.ts"
import type { Listing } from "./openCalls.ts"
import type { OwnConnection } from "./ownConnection.ts"
import type { StoreHealth } from "./StoreHealth.ts"
import { chargeFast } from "./chargeFast.ts"
import { chargeSlow } from "./chargeSlow.ts"

/** A server that hangs is given up after this; two such waits leave a call half of its ten seconds. */
export const flushWaitMs = 2_000

/** A COMMIT lost twice in a row leaves the outcome to whoever reads the ledger later. */
export const settleAttemptsMax = 2

/**
 * Charges a batch and answers once, an exit for each charge: the quick statement for everyone it suits, the
 * kernel for the rest, and for all when the quick statement failed. It is no Effect, because every group of
 * calls goes this way: what is not plain becomes one.
 */
export const flushCharges = (
  ways: Ways,
  batch: Batch,
  answer: (answers: ReadonlyArray<Answer>) => void
): void => {
  const { question, decisions } = chargeFast(batch.charges, batch.listing)
  const goOn = (quick: FastResult): void =>
    void Effect.runForkWith(ways.context)(afterFast(ways.sql, batch, quick)).addObserver((exit) =>
      answer(Exit.isSuccess(exit) ? exit.value : batch.charges.map(() => Exit.failCause(exit.cause)))
    )
  let isLate = false
  let giveUp = (): void => undefined
  const late = setTimeout(() => {
    isLate = true
    giveUp()
    ways.health.failed(undefined)
    goOn("hung")
  }, flushWaitMs)
  giveUp = ways.connection.ask(question, (rows) => {
    if (isLate) return
    clearTimeout(late)
    if (Exit.isFailure(rows)) {
      ways.health.failed(Cause.squash(rows.cause))
      return goOn(Exit.failCause(rows.cause))
    }
    ways.health.failure = undefined
    const decided = decisions(rows.value)
    if (decided.every(isPlain)) answer(decided.map((decision) => Exit.succeed(decision)))
    else goOn(Exit.succeed(decided))
  })
}

/** Where the quick statement is asked, and where all else: `context` is that of what runs in between. */
export interface Ways {
  readonly sql: SqlClient
  readonly connection: OwnConnection
  /** Told what the quick statement met. */
  readonly health: StoreHealth["Service"]
  readonly context: Context.Context<SqlClient>
}

/** What the quick statement decided, undefined for what it left to the kernel, or what it met. */
type FastResult = Exit.Exit<ReadonlyArray<ChargeDecision | undefined>, SqlError> | "hung"

const isPlain = (decision: ChargeDecision | undefined): decision is ChargeDecision => decision !== undefined

/** Only a connection that was never had is taken at its word: then nothing happened. */
const afterFast = Effect.fnUntraced(function* (
  sql: SqlClient,
  { charges, listing }: Batch,
  quick: FastResult
): Effect.fn.Return<ReadonlyArray<Answer>, never, SqlClient> {
  if (quick === "hung") return yield* settle(sql, { charges, listing }, quick)
  const told = yield* Effect.result(unconfirmed(same)(quick))
  if (Result.isFailure(told)) {
    return told.failure === "unreachable"
      ? charges.map(() => failed("unreachable"))
      : yield* settle(sql, { charges, listing }, told.failure)
  }
  const rest = charges.filter((_, index) => told.success[index] === undefined)
  const settled = yield* settle(sql, { charges: rest, listing }, undefined)
  let next = 0
  return told.success.map((decision) =>
    decision === undefined ? (settled[next++] ?? failed("unknown_outcome")) : Exit.succeed(decision)
  )
})

/** Charges that are made together, and the open calls of the process, theirs included. */
export interface Batch {
  readonly charges: ReadonlyArray<Charge>
  readonly listing: Listing
}

type Answer = Exit.Exit<ChargeDecision, LedgerUnavailable>

/** Why an attempt came to nothing; one that hangs is not tried again. */
type Trouble = StoreFault | "hung"

/**
 * The kernel's way. A batch that is refused is run one by one, so that a bad charge fails alone and a
 * deadlock cannot happen again; once the store itself is the trouble, the others do not wait for it too.
 */
const settle = Effect.fnUntraced(function* (
  sql: SqlClient,
  { charges, listing }: Batch,
  before: Trouble | undefined
) {
  const whole = yield* attempts(sql, { charges, listing }, before)
  if (Result.isSuccess(whole)) return whole.success.map((decision): Answer => Exit.succeed(decision))
  const answers: Array<Answer> = []
  let trouble = whole.failure
  for (const charge of charges) {
    if (trouble !== "refused" || charges.length === 1) {
      answers.push(failed(trouble))
      continue
    }
    const alone = yield* attempts(sql, { charges: [charge], listing }, before)
    if (Result.isFailure(alone)) trouble = alone.failure
    const [decision] = Result.isSuccess(alone) ? alone.success : []
    answers.push(decision === undefined ? failed(trouble) : Exit.succeed(decision))
  }
  return answers
})

/**
 * A lost COMMIT is settled by running it again. What may have been charged before and cannot be read now is
 * an unknown outcome, whatever keeps it from being read; what is refused now was not charged before either.
 */
const attempts = Effect.fnUntraced(function* (
  sql: SqlClient,
  { charges, listing }: Batch,
  before: Trouble | undefined
): Effect.fn.Return<Result.Result<ReadonlyArray<ChargeDecision>, Trouble>, never, SqlClient> {
  let trouble = before
  for (let attempt = 0; attempt < settleAttemptsMax; attempt++) {
    const outcome = yield* within(unavailable(same)(chargeSlow(sql, charges, listing)))
    if (Result.isSuccess(outcome) || outcome.failure === "refused") return outcome
    if (trouble !== "unknown_outcome" && trouble !== "hung") trouble = outcome.failure
    if (outcome.failure !== "unknown_outcome") break
  }
  return Result.fail(trouble ?? "unknown_outcome")
})

const same = (fault: StoreFault): StoreFault => fault

/** What hung may have happened. */
const failed = (trouble: Trouble): Answer =>
  Exit.fail(new LedgerUnavailable({ fault: trouble === "hung" ? "unknown_outcome" : trouble }))

/**
 * The trouble as a value, after `flushWaitMs` at the latest: a hung connection takes seconds to let go of its
 * statement, so it is left to do so by itself.
 */
const within = <A, R>(effect: Effect.Effect<A, StoreFault, R>) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<Result.Result<A, Trouble>>((resume) => {
      const fiber = Effect.runForkWith(context)(effect)
      const late = setTimeout(() => {
        fiber.interruptUnsafe()
        resume(Effect.succeed(Result.fail("hung")))
      }, flushWaitMs)
      fiber.addObserver((exit) => {
        clearTimeout(late)
        resume(toldBy(exit))
      })
    })
  )

const toldBy = <A>(exit: Exit.Exit<A, StoreFault>): Exit.Exit<Result.Result<A, Trouble>> => {
  if (Exit.isSuccess(exit)) return Exit.succeed(Result.succeed(exit.value))
  const told = Cause.findError(exit.cause)
  return Result.isSuccess(told) ? Exit.succeed(Result.fail(told.success)) : Exit.failCause(told.failure)
}
