import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { isObject } from "../json/isObject.ts"
import { refused } from "../error/Refusal.ts"
import { fingerprintText, scopeText } from "../idempotency/fingerprint.ts"
import { keyIn, keyRefusal } from "../idempotency/key.ts"
import { renewalMs } from "../idempotency/record.ts"
import { Crypto } from "../port/Crypto.ts"
import { Idempotency } from "../port/Idempotency.ts"
import type { Claim } from "../port/Idempotency.ts"
import { Settings } from "../port/Settings.ts"
import type { StoreFault } from "../error/StoreFault.ts"
import { TransactionsUnavailable } from "../port/Transactions.ts"
import type { Unavailable } from "../handler/Handler.ts"
import { notStored } from "./answer.ts"
import type { Call, Envelope, HttpReply, IdempotentRequest, Next, Reply, Step } from "./Call.ts"

/** Releasing a claim waits no longer than this; the lease then does it. */
const releaseWait = "1 second"

/**
 * Step 9 of a call with an X-Idempotency-Key (§4.6.2): a repeat is answered from the record or refused, and
 * the one that claims the key goes on. A write that is usually one statement goes on at once, since that
 * begins and completes its record by itself (writing.ts).
 */
export const makeIdempotencyStep = Effect.gen(function* () {
  const { sha256Hex } = yield* Crypto
  const withClaim = yield* makeWithClaim

  const identify = ({ request, target, party, body }: Call, key: string): IdempotentRequest => ({
    recordId: sha256Hex(scopeText({ subject: party.subject, operation: target.name, key })),
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
    const key = call.target.takesKey ? keyIn(call.request) : undefined
    if (key === undefined) return next(call)
    const misnamed = keyRefusal(call.request)
    if (misnamed !== undefined) return Effect.succeed(misnamed)
    // Who calls without a credential has no keys of its own.
    if (call.surface.credential === "none") return next(call)
    const idempotent = identify(call, key)
    if (!call.target.isPlain) return withClaim(call, idempotent, next)
    call.idempotent = idempotent
    return next(call)
  }
  return step
})

/**
 * Claims a key, and goes on under a lease that it renews while it lives; a repeat is answered or refused. The
 * claim is completed with the commit of its write.
 */
export const makeWithClaim = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const { decrypt } = yield* Crypto
  const { secretKeys } = yield* Settings

  const renewing = (claim: Claim) =>
    Effect.ignore(Effect.uninterruptible(idempotency.renew(claim))).pipe(
      Effect.repeat(Schedule.spaced(renewalMs)),
      Effect.delay(renewalMs)
    )

  const release = (call: Call, claim: Claim) =>
    Effect.interruptible(idempotency.release(claim)).pipe(
      Effect.timeout(releaseWait),
      Effect.catch(() =>
        logFailure(call, "an idempotency key was not released and is free when its lease ends")
      )
    )

  /** The claim ends as the write did: completed, released, or left to its lease when nobody knows. */
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
          return call.isClaimSettled || isUnknown(exit) ? Effect.void : release(call, claim)
        }
      ),
      lostButRepeatable
    )

  const replay = (call: Call, recordId: string, sealed: Uint8Array) => {
    const key = keyIn(call.request) ?? ""
    const text = decrypt({ secrets: secretKeys, context: recordContext(recordId), sealed })
    const again = text === undefined ? undefined : replayed(text, { ...call.envelope, key })
    if (again === undefined) return unclaimed(call, "a kept answer does not open under any SECRET_KEY")
    call.receipt.replayed = true
    return Effect.succeed(again)
  }

  return (
    call: Call,
    { recordId, fingerprint }: IdempotentRequest,
    next: Next
  ): Effect.Effect<Reply, Unavailable> =>
    Effect.matchEffect(idempotency.begin({ recordId, fingerprint }), {
      onFailure: ({ fault }) => unclaimed(call, `idempotency cannot begin: ${fault}`),
      onSuccess: (claimed): Effect.Effect<Reply, Unavailable> => {
        switch (claimed._tag) {
          case "Execute":
            return during(call, { recordId, fence: claimed.fence }, next)
          case "Replay":
            return replay(call, recordId, claimed.answer)
          case "InProgress":
            return Effect.succeed(refused("REQUEST_IDEMPOTENCY_IN_PROGRESS"))
          case "Conflict":
            return Effect.succeed(refused("REQUEST_IDEMPOTENCY_CONFLICT"))
        }
      }
    })
})

/** Nothing ran, and a repeat with the same key may (§7.4.4). */
const unclaimed = (call: Call, why: string): Effect.Effect<Reply> =>
  Effect.as(logFailure(call, why), refused("SERVER_IDEMPOTENCY_UNAVAILABLE"))

const logFailure = ({ envelope: { requestId } }: Call, sentence: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError(sentence), { request_id: requestId })

/** Whether the COMMIT was lost: then nobody knows whether the claim was completed with it. */
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

/** Where a sealed answer is kept: at another record it does not open. */
export const recordContext = (recordId: string): string => `idempotency ${recordId}`

/** An answer as it is kept under an idempotency key, before it is sealed. */
export const keptText = ({ status, headers, body }: HttpReply): string =>
  JSON.stringify({ status, headers, body })

/**
 * The kept answer again, to a repeat of its request (contract §1, Idempotency): status and body as they were,
 * under this call's own request id and time, and marked as a replay. Undefined: it is not an answer that was
 * kept.
 */
const replayed = (text: string, repeat: Envelope & { readonly key: string }): HttpReply | undefined => {
  const kept = parsed(text)
  if (!isObject(kept) || typeof kept["status"] !== "number" || !isObject(kept["headers"])) return undefined
  const body = typeof kept["body"] === "string" ? kept["body"] : undefined
  return {
    _tag: "Http",
    status: kept["status"],
    headers: { ...notStored, ...texts(kept["headers"]) },
    body: body && marked(body, repeat)
  }
}

/** JSON that we wrote is the same text when it is read and written again, but for its `meta`. */
const marked = (body: string, { requestId, now, key }: Envelope & { readonly key: string }): string => {
  const answer = parsed(body)
  if (!isObject(answer) || !isObject(answer["meta"])) return body
  const mark = { request_id: requestId, timestamp: now, cached: true, idempotency_key: key }
  return JSON.stringify({ ...answer, meta: { ...answer["meta"], ...mark } })
}

const parsed = (text: string): unknown =>
  Result.getOrUndefined(Result.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined }))

const texts = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )
