import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { errorRow, refused } from "../error/Refusal.ts"
import { Ledger } from "../port/Ledger.ts"
import type { Charge, LedgerUnavailable } from "../port/Ledger.ts"
import { faultRefusal } from "./fault.ts"
import type { Restore } from "./entering.ts"
import type { Unavailable } from "./Handler.ts"
import { refuse } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/** Who pays how much for what: a charge before its call has come so far. */
export type Bill = Omit<Charge, "requestId" | "atMs">

/**
 * Steps 10 and 11: the cost is taken before the work and given back, once, when the work ends with a 5xx or
 * is cut off (§8.3, contract §1); a refund that fails is left to the ledger's sweep. What the work answers
 * below 500 spends its cost, a 404 or 304 included. To be asked where nothing is cut off (entering.ts):
 * `restore` lets the deadline reach the work alone.
 */
export const makeCharging = Effect.gen(function* () {
  const ledger = yield* Ledger
  const clock = yield* Clock.Clock

  return (
    bill: Bill,
    envelope: Envelope,
    restore: Restore,
    work: () => Effect.Effect<Answer, Unavailable>
  ): Effect.Effect<Answer, Unavailable | LedgerUnavailable> => {
    const { cost, organizationId } = bill
    const { requestId } = envelope
    const giveBack = () =>
      Effect.suspend(() =>
        ledger.refund({ organizationId, requestId, atMs: clock.currentTimeMillisUnsafe() })
      ).pipe(
        Effect.tap((refunded) => Effect.sync(() => refunded && showRefund(envelope, cost))),
        Effect.catch((error) =>
          Effect.annotateLogs(Effect.logError("refund failed"), {
            request_id: requestId,
            fault: error.fault
          })
        )
      )
    const ended = (exit: Exit.Exit<Answer, Unavailable>) =>
      ledger.ended({ organizationId, requestId, status: statusOf(exit) })
    const charge: Charge = { ...bill, requestId, atMs: clock.currentTimeMillisUnsafe() }
    return Effect.flatMap(ledger.charge(charge), (decision) => {
      envelope.headers["x-credits-remaining"] = String(decision.available)
      if (decision._tag === "Exhausted") {
        return Effect.succeed(
          refuse(
            envelope,
            refused("BILLING_CREDITS_EXHAUSTED", {
              requests_required: decision.required,
              requests_available: decision.available
            })
          )
        )
      }
      envelope.headers["x-credits-cost"] = String(cost)
      return Effect.onExit(restore(Effect.suspend(work)), (exit) =>
        statusOf(exit) >= 500 ? Effect.andThen(giveBack(), ended(exit)) : ended(exit)
      )
    })
  }
})

/** How the call is answered (workflow/fault.ts). */
const statusOf = (exit: Exit.Exit<Answer, Unavailable>): number => {
  if (Exit.isSuccess(exit)) return exit.value.status
  const failure = Cause.findErrorOption(exit.cause)
  return errorRow(Option.isSome(failure) ? faultRefusal(failure.value).code : cutOffCode(exit.cause)).status
}

/** What interrupts a call is its deadline. */
const cutOffCode = (cause: Cause.Cause<Unavailable>) =>
  Cause.hasInterruptsOnly(cause) ? "SERVER_TIMEOUT" : "SERVER_INTERNAL_ERROR"

/** The refund is on the answer too: it cost nothing, and the credits are there again. */
const showRefund = (envelope: Envelope, cost: number): void => {
  envelope.headers["x-credits-cost"] = "0"
  envelope.headers["x-credits-remaining"] = String(Number(envelope.headers["x-credits-remaining"]) + cost)
}
