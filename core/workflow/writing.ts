import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Facts } from "../admission/gates.ts"
import { refused } from "../error/Refusal.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type { Surface } from "../operation/Operation.ts"
import { Crypto } from "../port/Crypto.ts"
import type { Claim } from "../port/Idempotency.ts"
import type { Charge } from "../port/Ledger.ts"
import { Ledger } from "../port/Ledger.ts"
import { Settings } from "../port/Settings.ts"
import type { Worked, Written } from "../port/Transactions.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Unavailable } from "./Handler.ts"
import type { Phased } from "./Phased.ts"
import { keptText } from "./replay.ts"
import { refuse } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/** A call that is to be one commit. */
export interface WriteCall {
  readonly facts: Facts
  readonly operation: OperationId
  readonly surface: Surface
  readonly envelope: Envelope
}

/** Step 11 of a write, as its answer. */
export type Work = Phased<Answer, Unavailable>

/**
 * How a write ended; `settled`: its turn at the key was completed or had passed, and nothing is left to
 * give back.
 */
export interface Ended {
  readonly answer: Answer
  readonly settled: boolean
}

/** Where a sealed answer is kept: at another record it does not open. */
export const recordContext = (recordId: string): string => `idempotency ${recordId}`

/**
 * Steps 10 and 11 of a write: its work, its charge and the answer kept under its key in one commit, or
 * none of them (contract §1, Idempotency). An answer of 500 and above is no commit: nothing was charged,
 * so there is no refund. Nor is a limit of the operation's own: it spends nothing, and a repeat may run.
 */
export const makeWriting = Effect.gen(function* () {
  const transactions = yield* Transactions
  const ledger = yield* Ledger
  const { encrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const worked =
    (claim: Claim | undefined) =>
    (answer: Answer): Worked<Answer> => {
      if (answer.status >= 500 || answer.status === 429) return { _tag: "Undo", value: answer }
      const sealed =
        claim === undefined
          ? nothing
          : encrypt({
              secret: secretKeys[0],
              context: recordContext(claim.recordId),
              text: keptText(answer)
            })
      return { _tag: "Keep", value: answer, answer: sealed }
    }

  return Effect.fnUntraced(function* (
    call: WriteCall,
    claim: Claim | undefined,
    work: Work
  ): Effect.fn.Return<Ended, Unavailable> {
    const charge = chargeOf(call, yield* Clock.currentTimeMillis)
    const commit = (inside: Effect.Effect<Answer, Unavailable>) =>
      Effect.tap(transactions.write({ claim, charge, work: Effect.map(inside, worked(claim)) }), (written) =>
        written._tag === "Committed" && charge !== undefined
          ? ledger.ended({ ...charge, status: written.value.status })
          : Effect.void
      )
    if (work._tag === "Within") return ended(call, yield* commit(work.work))
    // Looked at before anything goes out: a call that cannot be paid is not run.
    const barred = yield* transactions.foresee({ claim, charge })
    if (barred !== undefined) return ended(call, barred)
    return ended(call, yield* commit(yield* work.work))
  })
})

const nothing = new Uint8Array()

const chargeOf = ({ facts, operation, surface, envelope }: WriteCall, atMs: number): Charge | undefined => {
  const { organizationId, keyId } = facts.holder.key
  const { requestId } = envelope
  return surface === "sandbox"
    ? undefined
    : { organizationId, requestId, cost: facts.row.credits, operation, caller: keyId, source: "api", atMs }
}

const ended = ({ facts, envelope }: WriteCall, written: Written<Answer>): Ended => {
  switch (written._tag) {
    case "Committed":
      if (written.available !== undefined) {
        envelope.headers["x-credits-remaining"] = String(written.available)
        envelope.headers["x-credits-cost"] = String(facts.row.credits)
      }
      return { answer: written.value, settled: true }
    case "Undone":
      return { answer: written.value, settled: false }
    case "Exhausted": {
      const { required, available } = written
      envelope.headers["x-credits-remaining"] = String(available)
      const short = { requests_required: required, requests_available: available }
      return { answer: refuse(envelope, refused("BILLING_CREDITS_EXHAUSTED", short)), settled: false }
    }
    case "Stale":
      return { answer: refuse(envelope, refused("REQUEST_IDEMPOTENCY_IN_PROGRESS")), settled: true }
  }
}
