import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { refused } from "../error/Refusal.ts"
import { fingerprintText, scopeText } from "../idempotency/fingerprint.ts"
import { keyRefusal } from "../idempotency/key.ts"
import { renewalMs } from "../idempotency/record.ts"
import { Crypto } from "../port/Crypto.ts"
import { Idempotency } from "../port/Idempotency.ts"
import type { Claim } from "../port/Idempotency.ts"
import { Settings } from "../port/Settings.ts"
import type { StoreFault } from "../port/StoreFault.ts"
import { TransactionsUnavailable } from "../port/Transactions.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { Call, Next, Step, Turn } from "./Call.ts"
import { recordContext, replayed } from "./replay.ts"
import type { Reply } from "./reply.ts"

/** Giving a turn back waits no longer than this; the lease then does it. */
const releaseWait = "1 second"

/**
 * Step 9 of a call with an X-Idempotency-Key (§4.6.2): a repeat is answered from the record or refused, and
 * the one whose turn it is goes on. A write that is usually one statement goes on at once, since that begins
 * and completes its record by itself (writing.ts).
 */
export const makeIdempotencyStep = Effect.gen(function* () {
  const { sha256Hex } = yield* Crypto
  const begin = yield* makeTurns

  const turnOf = ({ request, target, party, body }: Call, key: string): Turn => ({
    recordId: sha256Hex(scopeText({ subject: party.subject, operation: request.operation, key })),
    fingerprint: sha256Hex(
      fingerprintText({
        path: target.rows[0]?.path ?? "",
        params: request.params,
        query: request.query,
        body: body._tag === "Text" ? body.text : ""
      })
    )
  })

  const step: Step = (call, next) => {
    const key = call.target.takesKey ? call.request.idempotencyKey : undefined
    if (key === undefined) return next(call)
    const misnamed = keyRefusal(key)
    if (misnamed !== undefined) return Effect.succeed(misnamed)
    // Who calls without a credential has no keys of its own.
    if (call.surface.credential === "none") return next(call)
    const turn = turnOf(call, key)
    if (!call.target.isPlain) return begin(call, turn, next)
    call.turn = turn
    return next(call)
  }
  return step
})

/**
 * Begins a turn, and goes on under a lease that it renews while it lives; a repeat is answered or refused.
 * The turn is completed with the commit of its write.
 */
export const makeTurns = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const { decrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const renewing = (claim: Claim) =>
    Effect.forever(
      Effect.andThen(Effect.sleep(renewalMs), Effect.ignore(Effect.uninterruptible(idempotency.renew(claim))))
    )

  const release = (call: Call, claim: Claim) =>
    Effect.interruptible(idempotency.release(claim)).pipe(
      Effect.timeout(releaseWait),
      Effect.catch(() => complain(call, "a turn was not given back and ends with its lease"))
    )

  /** The turn ends as the write did: completed, given back, or left to its lease when nobody knows. */
  const during = (call: Call, claim: Claim, next: Next): Effect.Effect<Reply, Unavailable> =>
    Effect.mapError(
      Effect.acquireUseRelease(
        Effect.forkChild(Effect.interruptible(renewing(claim))),
        () => {
          call.claim = claim
          return next(call)
        },
        (renewal, exit) => {
          renewal.interruptUnsafe()
          return call.isTurnOver || isUnknown(exit) ? Effect.void : release(call, claim)
        }
      ),
      lostButRepeatable
    )

  const replay = (call: Call, recordId: string, sealed: Uint8Array) => {
    const key = call.request.idempotencyKey ?? ""
    const text = decrypt({ secrets: secretKeys, context: recordContext(recordId), sealed })
    const again = text === undefined ? undefined : replayed(text, { ...call.envelope, key })
    if (again === undefined) return unbegun(call, "a kept answer does not open under any SECRET_KEY")
    call.receipt = { ...call.receipt, replayed: true }
    return Effect.succeed(again)
  }

  return (call: Call, { recordId, fingerprint }: Turn, next: Next): Effect.Effect<Reply, Unavailable> =>
    Effect.matchEffect(idempotency.begin({ recordId, fingerprint }), {
      onFailure: ({ fault }) => unbegun(call, `idempotency cannot begin: ${fault}`),
      onSuccess: (begun): Effect.Effect<Reply, Unavailable> => {
        switch (begun._tag) {
          case "Execute":
            return during(call, { recordId, fence: begun.fence }, next)
          case "Replay":
            return replay(call, recordId, begun.answer)
          case "InProgress":
            return Effect.succeed(refused("REQUEST_IDEMPOTENCY_IN_PROGRESS"))
          case "Conflict":
            return Effect.succeed(refused("REQUEST_IDEMPOTENCY_CONFLICT"))
        }
      }
    })
})

/** Nothing ran, and a repeat with the same key may (§7.4.4). */
const unbegun = (call: Call, why: string): Effect.Effect<Reply> =>
  Effect.as(complain(call, why), refused("SERVER_IDEMPOTENCY_UNAVAILABLE"))

const complain = ({ envelope: { requestId } }: Call, sentence: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError(sentence), { request_id: requestId })

/** Whether the COMMIT was lost: then nobody knows whether the turn was completed with it. */
const isUnknown = (exit: Exit.Exit<Reply, Unavailable>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const failure = Cause.findErrorOption(exit.cause)
  return Option.isSome(failure) && faultOf(failure.value) === "unknown_outcome"
}

const faultOf = ({ _tag, fault }: Unavailable): StoreFault | undefined =>
  _tag === "TransactionsUnavailable" ? fault : undefined

/** Contract §1, Server faults: COMMIT lost is SERVER_UNAVAILABLE where a key makes the repeat safe. */
const lostButRepeatable = (error: Unavailable): Unavailable =>
  error.fault === "unknown_outcome" ? new TransactionsUnavailable({ fault: "unreachable" }) : error
