import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { LedgerUnavailable } from "../../core/port/Ledger.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { unavailable, unconfirmed } from "./Database.ts"
import { quickCharge } from "./quickCharge.ts"
import { settleCharges } from "./settleCharges.ts"

/** A server that hangs is given up after this; two waits stay within the ten seconds a call has. */
export const flushWait = Duration.seconds(3)

/** A COMMIT lost twice in a row leaves the outcome to whoever reads the ledger later. */
export const settleAttemptsMax = 2

/**
 * Charges a batch: the quick statement for everyone it suits, the kernel for the rest, and for all when the
 * quick statement failed. Only a connection that was never had is taken at its word: then nothing happened.
 */
export const flushCharges = Effect.fnUntraced(function*(sql: SqlClient, charges: ReadonlyArray<Charge>) {
  const quick = yield* faulty(unconfirmed(same)(quickCharge(sql, charges)))
  if (Result.isFailure(quick)) {
    return quick.failure === "unreachable"
      ? charges.map(() => failed(quick.failure))
      : yield* settle(sql, charges, quick.failure)
  }
  const decisions = quick.success
  const rest = charges.filter((_, index) => decisions[index] === undefined)
  const settled = rest.length === 0 ? [] : yield* settle(sql, rest, undefined)
  let next = 0
  return decisions.map((decision): Answer =>
    decision === undefined ? settled[next++] ?? lost : Exit.succeed(decision))
})

type Answer = Exit.Exit<ChargeDecision, LedgerUnavailable>

/**
 * The kernel's way. A batch that is refused is run one by one, so that a bad charge fails alone and a
 * deadlock cannot happen again; a lost COMMIT is settled by running it again. What may have been charged
 * before and cannot be read now is an unknown outcome, whatever keeps it from being read.
 */
const settle = Effect.fnUntraced(function*(
  sql: SqlClient,
  charges: ReadonlyArray<Charge>,
  before: StoreFault | undefined
): Effect.fn.Return<ReadonlyArray<Answer>, never, SqlClient> {
  let fault = before
  for (let attempt = 0; attempt < settleAttemptsMax; attempt++) {
    const outcome = yield* faulty(unavailable(same)(settleCharges(sql, charges)))
    if (Result.isSuccess(outcome)) return outcome.success.map((decision) => Exit.succeed(decision))
    if (outcome.failure === "refused" && charges.length > 1) {
      const singly = yield* Effect.forEach(charges, (charge) => settle(sql, [charge], fault))
      return singly.flat()
    }
    fault = fault === "unknown_outcome" ? fault : outcome.failure
    if (outcome.failure !== "unknown_outcome") break
  }
  return charges.map(() => failed(fault ?? "unreachable"))
})

const same = (fault: StoreFault): StoreFault => fault

const failed = (fault: StoreFault): Answer => Exit.fail(new LedgerUnavailable({ fault }))

const lost: Answer = failed("unknown_outcome")

/** The fault as a value; a statement that does not come back in time may still have happened. */
const faulty = <A, R>(effect: Effect.Effect<A, StoreFault, R>) =>
  Effect.result(Effect.timeoutOrElse(effect, {
    duration: flushWait,
    orElse: () => Effect.fail<StoreFault>("unknown_outcome")
  }))
