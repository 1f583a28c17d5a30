import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { refused } from "../error/Refusal.ts"
import { fingerprintText, scopeText } from "../idempotency/fingerprint.ts"
import { renewalMs } from "../idempotency/record.ts"
import { Crypto } from "../port/Crypto.ts"
import { Idempotency } from "../port/Idempotency.ts"
import type { Claim, IdempotencyUnavailable } from "../port/Idempotency.ts"
import { Settings } from "../port/Settings.ts"
import { TransactionsUnavailable } from "../port/Transactions.ts"
import type { Unavailable } from "./Handler.ts"
import { replayed } from "./replay.ts"
import { refuse } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"
import { makeWriting, recordContext } from "./writing.ts"
import type { Ended, Work, WriteCall } from "./writing.ts"

/** What of a request decides whether another one with its key is the same (contract §1, Idempotency). */
export interface KeyedRequest {
  /** The header; `keyRefusal` has passed it. */
  readonly key: string
  /** The row's path, its params as they came, and the query as it came. */
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The body as it came; empty where the operation has none. */
  readonly body: string
}

/** Giving a turn back waits no longer than this; the lease then does it. */
const releaseWait = "1 second"

/**
 * Steps 9 to 11 of a call with an X-Idempotency-Key (§4.6.2): a repeat is answered from the record or
 * refused, and the one whose turn it is runs as a write under a lease that it renews while it lives.
 * Without a key it is a write and nothing else.
 */
export const makeIdempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const { sha256Hex, decrypt } = yield* Crypto
  const { secretKeys } = yield* Settings
  const writing = yield* makeWriting

  const renewing = (claim: Claim) =>
    Effect.forever(
      Effect.andThen(Effect.sleep(renewalMs), Effect.ignore(Effect.uninterruptible(idempotency.renew(claim))))
    )

  const release = (claim: Claim, envelope: Envelope) =>
    Effect.interruptible(idempotency.release(claim)).pipe(
      Effect.timeout(releaseWait),
      Effect.catch(() => complain(envelope, "a turn was not given back and ends with its lease"))
    )

  /**
   * The turn ends as the write did: completed with it, given back, or left to its lease when nobody
   * knows.
   */
  const during = (call: WriteCall, claim: Claim, work: Work): Effect.Effect<Answer, Unavailable> =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const renewal = yield* Effect.forkChild(Effect.interruptible(renewing(claim)))
        const exit = yield* Effect.exit(restore(writing(call, claim, work)))
        renewal.interruptUnsafe()
        if (isReturned(exit)) yield* release(claim, call.envelope)
        return yield* Exit.isSuccess(exit) ? Effect.succeed(exit.value.answer) : Effect.failCause(exit.cause)
      })
    ).pipe(Effect.mapError(lostButRepeatable))

  const replay = (
    call: WriteCall,
    claim: { readonly recordId: string; readonly key: string; readonly answer: Uint8Array }
  ) => {
    const { recordId, key, answer } = claim
    const text = decrypt({ secrets: secretKeys, context: recordContext(recordId), sealed: answer })
    const again = text === undefined ? undefined : replayed(text, { ...call.envelope, key })
    return again === undefined
      ? unbegun(call.envelope, "a kept answer does not open under any SECRET_KEY")
      : Effect.succeed(again)
  }

  const keyed = Effect.fnUntraced(function* (call: WriteCall, request: KeyedRequest, work: Work) {
    const recordId = sha256Hex(
      scopeText({ subject: subjectOf(call), operation: call.operation, key: request.key })
    )
    const { path, params, query, body } = request
    const fingerprint = sha256Hex(fingerprintText({ path, params, query, body }))
    const begun = yield* Effect.result(idempotency.begin({ recordId, fingerprint }))
    if (begun._tag === "Failure") return yield* unbegun(call.envelope, begun.failure)
    switch (begun.success._tag) {
      case "Execute":
        return yield* during(call, { recordId, fence: begun.success.fence }, work)
      case "Replay":
        return yield* replay(call, { recordId, key: request.key, answer: begun.success.answer })
      case "InProgress":
        return refuse(call.envelope, refused("REQUEST_IDEMPOTENCY_IN_PROGRESS"))
      case "Conflict":
        return refuse(call.envelope, refused("REQUEST_IDEMPOTENCY_CONFLICT"))
    }
  })

  return (
    call: WriteCall,
    request: KeyedRequest | undefined,
    work: Work
  ): Effect.Effect<Answer, Unavailable> =>
    request === undefined
      ? Effect.map(writing(call, undefined, work), ({ answer }) => answer)
      : keyed(call, request, work)
})

/** Nothing ran, and a repeat with the same key may (§7.4.4). */
const unbegun = (envelope: Envelope, why: string | IdempotencyUnavailable): Effect.Effect<Answer> =>
  Effect.as(
    complain(envelope, typeof why === "string" ? why : `idempotency cannot begin: ${why.fault}`),
    refuse(envelope, refused("SERVER_IDEMPOTENCY_UNAVAILABLE"))
  )

const complain = ({ requestId }: Envelope, sentence: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError(sentence), { request_id: requestId })

const subjectOf = ({ facts, surface }: WriteCall): string =>
  surface === "sandbox" ? `key:${facts.holder.key.keyId}` : `org:${facts.holder.key.organizationId}`

const isReturned = (exit: Exit.Exit<Ended, Unavailable>): boolean => {
  if (Exit.isSuccess(exit)) return !exit.value.settled
  const failure = Cause.findErrorOption(exit.cause)
  return Option.isNone(failure) || !isCommitLost(failure.value)
}

const isCommitLost = (error: Unavailable): boolean =>
  error._tag === "TransactionsUnavailable" && error.fault === "unknown_outcome"

/** Contract §1, Server faults: COMMIT lost is SERVER_UNAVAILABLE where a key makes the repeat safe. */
const lostButRepeatable = (error: Unavailable): Unavailable =>
  error.fault === "unknown_outcome" ? new TransactionsUnavailable({ fault: "unreachable" }) : error
