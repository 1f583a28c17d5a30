import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import { Crypto } from "../port/Crypto.ts"
import { Ledger } from "../port/Ledger.ts"
import { Settings } from "../port/Settings.ts"
import type { Worked, Written } from "../port/Transactions.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { Phased } from "../workflow/Phased.ts"
import type { Call } from "./Call.ts"
import { chargeOf, exhausted, paid } from "./charge.ts"
import { keptText } from "./replay.ts"
import { statusOf, textOf } from "./reply.ts"
import type { Reply } from "./reply.ts"

/** Step 11 of a write, as its answer. */
export type Work = Phased<Reply, Unavailable>

/** Where a sealed answer is kept: at another record it does not open. */
export const recordContext = (recordId: string): string => `idempotency ${recordId}`

/**
 * Steps 10 and 11 of a write: its work, its charge and the answer kept under its key in one commit, or none
 * of them (contract §1, Idempotency). An answer of 500 and above is no commit: nothing was charged, so there
 * is no refund. Nor is a limit of the operation's own: it spends nothing, and a repeat may run.
 */
export const makeWriting = Effect.gen(function* () {
  const transactions = yield* Transactions
  const ledger = yield* Ledger
  const { encrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const sealed = ({ claim, envelope }: Call, reply: Reply): Uint8Array => {
    if (claim === undefined) return nothing
    const context = recordContext(claim.recordId)
    return encrypt({ secret: secretKeys[0], context, text: keptText(textOf(envelope, reply)) })
  }

  const worked =
    (call: Call) =>
    (reply: Reply): Worked<Reply> =>
      isKept(reply)
        ? { _tag: "Keep", value: reply, answer: sealed(call, reply) }
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

  return Effect.fnUntraced(function* (call: Call, work: Work): Effect.fn.Return<Reply, Unavailable> {
    const { claim } = call
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    const commit = (inside: Effect.Effect<Reply, Unavailable>) =>
      Effect.tap(transactions.write({ claim, charge, work: Effect.map(inside, worked(call)) }), (written) =>
        written._tag === "Committed" && charge !== undefined
          ? ledger.ended({ ...charge, status: statusOf(written.value) })
          : Effect.void
      )
    if (work._tag === "Within") return ended(call, yield* commit(work.work))
    // Looked at before anything goes out: a call that cannot be paid is not run.
    const barred = yield* transactions.foresee({ claim, charge })
    if (barred !== undefined) return ended(call, barred)
    return ended(call, yield* commit(yield* work.work))
  })
})

/** What is answered as the store's or the operation's own trouble is not kept, and spends nothing. */
const isKept = (reply: Reply): boolean => statusOf(reply) < 500 && statusOf(reply) !== 429

const nothing = new Uint8Array()
