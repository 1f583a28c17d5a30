import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { refused } from "../error/Refusal.ts"
import { Crypto } from "../port/Crypto.ts"
import { Ledger } from "../port/Ledger.ts"
import { PlainWrites } from "../port/PlainWrites.ts"
import { Settings } from "../port/Settings.ts"
import type { Worked, Written } from "../port/Transactions.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { WritePlan } from "../workflow/WritePlan.ts"
import type { Call } from "./Call.ts"
import { chargeOf, exhausted, paid } from "./charge.ts"
import { makeTurns } from "./idempotency.ts"
import { keptText, recordContext } from "./replay.ts"
import { statusOf, textOf } from "./reply.ts"
import type { Reply } from "./reply.ts"

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
export const makeWriting = Effect.gen(function* () {
  const transactions = yield* Transactions
  const ledger = yield* Ledger
  const plainWrites = Option.getOrUndefined(yield* Effect.serviceOption(PlainWrites))
  const begin = yield* makeTurns
  const { encrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const sealed = ({ envelope }: Call, recordId: string, reply: Reply): Uint8Array =>
    encrypt({
      secret: secretKeys[0],
      context: recordContext(recordId),
      text: keptText(textOf(envelope, reply))
    })

  const worked =
    (call: Call) =>
    (reply: Reply): Worked<Reply> =>
      isKept(reply)
        ? {
            _tag: "Keep",
            value: reply,
            answer: call.claim === undefined ? nothing : sealed(call, call.claim.recordId, reply)
          }
        : { _tag: "Undo", value: reply }

  const ended = (call: Call, written: Written<Reply>): Reply => {
    switch (written._tag) {
      case "Committed":
        call.isTurnOver = true
        if (written.available !== undefined) paid(call, written.available)
        return written.value
      case "Undone":
        return written.value
      case "Exhausted":
        return exhausted(call, written)
      case "Stale":
        call.isTurnOver = true
        return refused("REQUEST_IDEMPOTENCY_IN_PROGRESS")
    }
  }

  /** Any number of statements, in one transaction. */
  const transacted = Effect.fnUntraced(function* (
    call: Call,
    plan: Work
  ): Effect.fn.Return<Reply, Unavailable> {
    const { claim } = call
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    if (plan._tag === "Prepare") {
      // Looked at before anything goes out: a call that cannot be paid is not run.
      const barred = yield* transactions.foresee({ claim, charge })
      if (barred !== undefined) return ended(call, barred)
    }
    const work =
      plan._tag === "Read"
        ? Exit.succeed(worked(call)(yield* plan.read))
        : Effect.map((plan._tag === "Prepare" ? yield* plan.prepare : plan).work, worked(call))
    const written = yield* transactions.write({ claim, charge, work })
    if (written._tag === "Committed" && charge !== undefined)
      yield* ledger.ended({ ...charge, status: statusOf(written.value) })
    return ended(call, written)
  })

  /** The one statement, where the store finds the change to be plain; undefined: it did nothing. */
  const atOnce = Effect.fnUntraced(function* (
    call: Call,
    { amendment, tell }: Extract<Work, { readonly _tag: "Plain" }>
  ): Effect.fn.Return<Reply | undefined, Unavailable> {
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    if (plainWrites === undefined || charge === undefined) return undefined
    const { turn } = call
    const kept = turn && {
      ...turn,
      seal: (endpoint: Endpoint) => sealed(call, turn.recordId, tell(endpoint))
    }
    const amending = plainWrites.amend({ amendment, charge, kept })
    // Where the call has a key, a record that may be there is met by the turn that begins next.
    const amended = yield* turn === undefined ? amending : Effect.orElseSucceed(amending, () => undefined)
    if (amended === undefined) return undefined
    yield* ledger.ended({ ...charge, status: 200 })
    paid(call, amended.available)
    return tell(amended.endpoint)
  })

  return (call: Call, plan: Work): Effect.Effect<Reply, Unavailable> => {
    const general = Effect.suspend(() => {
      const { claim, turn } = call
      return turn === undefined || claim !== undefined
        ? transacted(call, plan)
        : begin(call, turn, (begun) => transacted(begun, plan))
    })
    if (plan._tag !== "Plain" || plainWrites === undefined) return general
    return Effect.flatMap(atOnce(call, plan), (reply) =>
      reply === undefined ? general : Effect.succeed(reply)
    )
  }
})

/** What is answered as the store's or the operation's own trouble is not kept, and spends nothing. */
const isKept = (reply: Reply): boolean => statusOf(reply) < 500 && statusOf(reply) !== 429

const nothing = new Uint8Array()
