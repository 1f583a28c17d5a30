import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { errorRow, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { Ledger } from "../port/Ledger.ts"
import type { Charge } from "../port/Ledger.ts"
import type { Unavailable } from "../handler/Handler.ts"
import { statusOf } from "./answer.ts"
import type { Call, Reply, Step } from "./Call.ts"
import { refusalOfCause } from "./fault.ts"

/**
 * Step 10: the cost is taken before the work and given back, once, when the work ends with a 5xx or is cut
 * off (§8.3, contract §1); a refund that fails is left to the ledger's sweep. What the work answers below 500
 * spends its cost, a 404 or 304 included. A write takes its cost in its own commit (writing.ts).
 */
export const makeChargeStep = Effect.gen(function* () {
  const ledger = yield* Ledger
  const clock = yield* Clock.Clock

  const giveBack = (call: Call, { organizationId, requestId, cost }: Charge) =>
    Effect.suspend(() =>
      ledger.refund({ organizationId, requestId, atMs: clock.currentTimeMillisUnsafe() })
    ).pipe(
      Effect.map((isRefunded) => {
        const { receipt } = call
        if (!isRefunded || receipt.remaining === undefined) return
        receipt.cost = 0
        receipt.remaining += cost
      }),
      Effect.catch(({ fault }) =>
        Effect.annotateLogs(Effect.logError("refund failed"), { request_id: requestId, fault })
      )
    )

  const step: Step = (call, next) => {
    if (isInItsCommit(call)) return next(call)
    const charge = chargeOf(call, clock.currentTimeMillisUnsafe())
    if (charge === undefined) return next(call)
    return Effect.acquireUseRelease(
      ledger.charge(charge),
      (decision) => {
        if (decision._tag === "Exhausted") return Effect.succeed(creditsExhausted(call, decision))
        recordCharge(call, decision.available)
        return next(call)
      },
      (decision, exit) => {
        if (decision._tag === "Exhausted") return Effect.void
        const { organizationId, requestId } = charge
        const status = statusAfter(exit)
        const ended = ledger.ended({ organizationId, requestId, status })
        return status >= 500 ? Effect.andThen(giveBack(call, charge), ended) : ended
      }
    )
  }
  return step
})

/** Whether the call is one commit with its charge: a write, or a read that was posted with a key. */
export const isInItsCommit = ({ target, claim }: Call): boolean => target.isWrite || claim !== undefined

/** What the call is charged; undefined: its surface has no credits, or it costs nothing. */
export const chargeOf = (call: Call, atMs: number): Charge | undefined => {
  const { surface, target, party, parts, envelope } = call
  const [part] = parts
  if (!surface.charges || target.cost === 0 || part === undefined) return undefined
  return {
    ...party.payer,
    organizationId: party.caller.organizationId,
    requestId: envelope.requestId,
    cost: target.cost,
    operation: part.operation,
    atMs,
    ...(target.tool === undefined ? {} : { tool: target.tool })
  }
}

/** Writes down what was taken. */
export const recordCharge = ({ receipt, target }: Call, available: number): void => {
  receipt.cost = target.cost
  receipt.remaining = available
}

/** Why nothing was taken. */
export const creditsExhausted = (
  { receipt }: Call,
  { required, available }: { readonly required: number; readonly available: number }
): Refusal => {
  receipt.remaining = available
  const short = { requests_required: required, requests_available: available }
  return refused("BILLING_CREDITS_EXHAUSTED", short)
}

/** How the call is answered. */
const statusAfter = (exit: Exit.Exit<Reply, Unavailable>): number => {
  if (Exit.isSuccess(exit)) return statusOf(exit.value)
  const isInterrupted = Cause.hasInterruptsOnly(exit.cause)
  return errorRow(isInterrupted ? "SERVER_TIMEOUT" : refusalOfCause(exit.cause).refusal.code).status
}
