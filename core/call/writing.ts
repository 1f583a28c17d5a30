import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { refused } from "../error/Refusal.ts"
import { Crypto } from "../port/Crypto.ts"
import { Ledger } from "../port/Ledger.ts"
import { PlainWrites } from "../port/PlainWrites.ts"
import { Settings } from "../port/Settings.ts"
import type { WorkResult, WriteResult } from "../port/Transactions.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import type { Unavailable } from "../handler/Handler.ts"
import type { WritePlan } from "../handler/WritePlan.ts"
import { httpReplyOf, statusOf } from "./answer.ts"
import type { Call, Reply } from "./Call.ts"
import { chargeOf, creditsExhausted, recordCharge } from "./charge.ts"
import { keptText, makeWithClaim, recordContext } from "./idempotency.ts"

/** Step 11 of a write, as its answer. */
export type Work =
  | WritePlan<Reply, Unavailable>
  /** A read that was posted with a key: only its charge and its kept answer are committed. */
  | { readonly _tag: "Read"; readonly read: Effect.Effect<Reply, Unavailable> }

/**
 * Steps 10 and 11 of a write: its work, its charge and the answer kept under its key in one commit, or none
 * of them (contract §1, Idempotency). An answer of 500 and above is no commit: nothing was charged, so there
 * is no refund. Nor is a limit of the operation's own: it spends nothing, and a repeat may run.
 */
export const makeWriteStep = Effect.gen(function* () {
  const transactions = yield* Transactions
  const ledger = yield* Ledger
  const plainWrites = Option.getOrUndefined(yield* Effect.serviceOption(PlainWrites))
  const withClaim = yield* makeWithClaim
  const { encrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const seal = ({ envelope }: Call, recordId: string, reply: Reply): Uint8Array =>
    encrypt({
      secret: secretKeys[0],
      context: recordContext(recordId),
      text: keptText(httpReplyOf(envelope, reply))
    })

  /** What the store commits of the work: its reply and the answer to keep, or nothing. */
  const outcomeOf =
    (call: Call) =>
    (reply: Reply): WorkResult<Reply> =>
      isKept(reply)
        ? {
            _tag: "Keep",
            value: reply,
            answer: call.claim === undefined ? nothing : seal(call, call.claim.recordId, reply)
          }
        : { _tag: "Undo", value: reply }

  /** The reply to a write that the store has carried out or not. */
  const replyOf = (call: Call, written: WriteResult<Reply>): Reply => {
    switch (written._tag) {
      case "Committed":
        call.isClaimSettled = true
        if (written.available !== undefined) recordCharge(call, written.available)
        return written.value
      case "Undone":
        return written.value
      case "Exhausted":
        return creditsExhausted(call, written)
      case "Stale":
        call.isClaimSettled = true
        return refused("REQUEST_IDEMPOTENCY_IN_PROGRESS")
    }
  }

  /** Any number of statements, in one transaction. */
  const inTransaction = Effect.fnUntraced(function* (
    call: Call,
    plan: Work
  ): Effect.fn.Return<Reply, Unavailable> {
    const { claim } = call
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    if (plan._tag === "Prepare") {
      // Looked at before anything goes out: a call that cannot be paid is not run.
      const rejected = yield* transactions.precheck({ claim, charge })
      if (rejected !== undefined) return replyOf(call, rejected)
    }
    const work =
      plan._tag === "Read"
        ? Exit.succeed(outcomeOf(call)(yield* plan.read))
        : Effect.map((plan._tag === "Prepare" ? yield* plan.prepare : plan).work, outcomeOf(call))
    const written = yield* transactions.write({ claim, charge, work })
    if (written._tag === "Committed" && charge !== undefined)
      yield* ledger.ended({ ...charge, status: statusOf(written.value) })
    return replyOf(call, written)
  })

  /** The one statement, where the store finds the change to be plain; undefined: it did nothing. */
  const inOneStatement = Effect.fnUntraced(function* (
    call: Call,
    { amendment, tell }: Extract<Work, { readonly _tag: "Plain" }>
  ): Effect.fn.Return<Reply | undefined, Unavailable> {
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    if (plainWrites === undefined || charge === undefined) return undefined
    const { idempotent } = call
    const kept = idempotent && {
      ...idempotent,
      seal: (endpoint: Endpoint) => seal(call, idempotent.recordId, tell(endpoint))
    }
    const amending = plainWrites.amend({ amendment, charge, kept })
    // Where the call has a key, a record that may be there is met by the claim that follows.
    const amended = yield* idempotent === undefined
      ? amending
      : Effect.orElseSucceed(amending, () => undefined)
    if (amended === undefined) return undefined
    yield* ledger.ended({ ...charge, status: 200 })
    recordCharge(call, amended.available)
    return tell(amended.endpoint)
  })

  return (call: Call, plan: Work): Effect.Effect<Reply, Unavailable> => {
    const general = Effect.suspend(() => {
      const { claim, idempotent } = call
      return idempotent === undefined || claim !== undefined
        ? inTransaction(call, plan)
        : withClaim(call, idempotent, (claimed) => inTransaction(claimed, plan))
    })
    if (plan._tag !== "Plain" || plainWrites === undefined) return general
    return Effect.flatMap(inOneStatement(call, plan), (reply) =>
      reply === undefined ? general : Effect.succeed(reply)
    )
  }
})

/** What is answered as the store's or the operation's own trouble is not kept, and spends nothing. */
const isKept = (reply: Reply): boolean => statusOf(reply) < 500 && statusOf(reply) !== 429

const nothing = new Uint8Array()
