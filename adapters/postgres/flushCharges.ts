import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { LedgerUnavailable } from "../../core/port/Ledger.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { unavailable, unconfirmed } from "./Database.ts"
import type { Listing } from "./openCalls.ts"
import { quickCharge } from "./quickCharge.ts"
import { settleCharges } from "./settleCharges.ts"

/** A server that hangs is given up after this; two such waits leave a call half of its ten seconds. */
export const flushWait = Duration.seconds(2)

/** A COMMIT lost twice in a row leaves the outcome to whoever reads the ledger later. */
export const settleAttemptsMax = 2

/**
 * Charges a batch: the quick statement for everyone it suits, the kernel for the rest, and for all when the
 * quick statement failed. Only a connection that was never had is taken at its word: then nothing happened.
 */
export const flushCharges = Effect.fnUntraced(function* (sql: SqlClient, { charges, listing }: Batch) {
  const quick = yield* within(unconfirmed(same)(quickCharge(sql, charges, listing)))
  if (Result.isFailure(quick)) {
    return quick.failure === "unreachable"
      ? charges.map(() => failed("unreachable"))
      : yield* settle(sql, { charges, listing }, quick.failure)
  }
  const decisions = quick.success
  const rest = charges.filter((_, index) => decisions[index] === undefined)
  const settled = rest.length === 0 ? [] : yield* settle(sql, { charges: rest, listing }, undefined)
  let next = 0
  return decisions.map(
    (decision): Answer =>
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
    const outcome = yield* within(unavailable(same)(settleCharges(sql, charges, listing)))
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
 * The trouble as a value, after `flushWait` at the latest: a hung connection takes seconds to let go of its
 * statement, so it is left to do so by itself.
 */
const within = Effect.fnUntraced(function* <A, R>(effect: Effect.Effect<A, StoreFault, R>) {
  const fiber = yield* Effect.forkDetach(effect)
  return yield* Effect.result(
    Effect.timeoutOrElse(Fiber.join(fiber), {
      duration: flushWait,
      orElse: () => Effect.andThen(Effect.forkDetach(Fiber.interrupt(fiber)), Effect.fail<Trouble>("hung"))
    })
  )
})
