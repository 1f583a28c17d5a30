import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { BodyReading } from "../admission/body.ts"
import { isoTimeOf } from "../coverage/date.ts"
import type { IsoTime } from "../coverage/date.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { readCredential } from "../key/Key.ts"
import { isAllowed, isOriginListed } from "../network/address.ts"
import { keyState } from "../key/state.ts"
import type { KeyHash, KeyHolder, KeyState } from "../key/state.ts"
import { limitRefusal } from "../limit/headers.ts"
import type { LimitDecision } from "../limit/policy.ts"
import { addressSubject } from "../limit/subject.ts"
import { requirements } from "../operation/scope.ts"
import { packs } from "../organization/pack.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { Limits } from "../port/Limits.ts"
import type { LimitEntry } from "../port/Limits.ts"
import { reservedHolder } from "../sandbox/reservedKeys.ts"
import type { Unavailable } from "../handler/Handler.ts"
import type { Call, Reply, Step } from "./Call.ts"
import { makeOpenCursor } from "./cursors.ts"
import { partyOfKey, partyOfTestKey, partyOfToken } from "./party.ts"
import type { Party } from "./party.ts"
import { firstPage } from "./targets.ts"
import type { Part } from "./targets.ts"

/** Step 1: what is wrong with the request's own line. */
export const route = ({ request }: Call): Refusal | undefined => request.fault

/** Step 2: a credential of the surface's kind; a token was looked at when it came (adapters/mcp). */
export const credential = (call: Call): Refusal | undefined => {
  const { request, surface } = call
  switch (surface.credential) {
    case "none":
      return undefined
    case "token":
      if (request.token === undefined) return refused("AUTH_MISSING")
      call.party = partyOfToken(request.token)
      return undefined
    case "key":
    case "test key": {
      const read = readCredential(request.authorization, surface.credential === "key" ? "live" : "sandbox")
      if (isRefusal(read)) return read
      call.key = read.key
      return undefined
    }
  }
}

/** Step 3: the key's owner, and whether the key is in force. */
export const makeKeyStep = Effect.gen(function* () {
  const keys = yield* Keys
  const { sha256Hex } = yield* Crypto
  const step: Step = (call, next) => {
    const { key } = call
    if (key === undefined) return next(call)
    const isTest = call.surface.credential === "test key"
    const reserved = isTest ? reservedHolder(key) : undefined
    return Effect.flatMapEager(
      reserved === undefined ? keys.find(sha256Hex(key) as KeyHash) : Effect.succeed(reserved),
      (holder) => {
        if (holder === undefined) return unknownKey
        call.party = partyOf(holder, isTest)
        const refusal = stateRefusal(holder, call.envelope.now)
        return refusal === undefined ? next(call) : Effect.succeed(refusal)
      }
    )
  }
  return step
})

const unknownKey = Effect.succeed(refused("AUTH_KEY_NOT_FOUND"))

/** Made once for a key that is kept, however many calls it makes: its mode belongs to one surface. */
const partyOf = (holder: KeyHolder, isTest: boolean): Party => {
  const known = parties.get(holder)
  if (known !== undefined) return known
  const party = isTest ? partyOfTestKey(holder) : partyOfKey(holder)
  parties.set(holder, party)
  return party
}

const parties = new WeakMap<KeyHolder, Party>()

const stateRefusal = (holder: KeyHolder, now: IsoTime): Refusal | undefined =>
  stateRefusals[keyState(holder, now)]

const stateRefusals: Readonly<Record<KeyState, Refusal | undefined>> = {
  valid: undefined,
  suspended: refused("AUTH_KEY_SUSPENDED"),
  revoked: refused("AUTH_KEY_REVOKED"),
  expired: refused("AUTH_KEY_EXPIRED")
}

/** Step 4: an empty list allows everybody, and so does a request without an Origin (contract §1). */
export const allowLists = ({ party: { holder }, request }: Call): Refusal | undefined => {
  if (holder === undefined) return undefined
  const { allowedCidrs, allowedOrigins } = holder.key
  if (allowedCidrs.length > 0 && !isAllowed(allowedCidrs, request.address))
    return refused("AUTHZ_IP_NOT_ALLOWED")
  const { origin } = request
  return origin === undefined || allowedOrigins.length === 0 || isOriginListed(allowedOrigins, origin)
    ? undefined
    : refused("AUTHZ_ORIGIN_NOT_ALLOWED")
}

/**
 * Step 5: what follows runs in the concurrency slot, which is given back however it ends. Taking it and
 * giving it back cannot be cut off; what is between can, by the call's deadline.
 */
export const makeLimitsStep = Effect.map(
  Limits,
  (limits): Step =>
    (call, next) => {
      const entry = limitEntryOf(call)
      if (entry === undefined) return next(call)
      const limitedCall = limits.acquire(entry)
      // What is refused from memory took nothing, and waits for nothing.
      if (Exit.isExit(limitedCall) && Exit.isSuccess(limitedCall)) {
        const decision = limitedCall.value as LimitDecision
        if (decision._tag === "Refused") return Effect.succeed(refusedBy(call, decision))
      }
      return Effect.acquireUseRelease(
        limitedCall,
        (decision) => {
          if (decision._tag === "Refused") return Effect.succeed(refusedBy(call, decision))
          recordLimits(call, decision)
          return next(call)
        },
        (decision) => (decision._tag === "Admitted" ? limits.release(entry) : Effect.void)
      )
    }
)

/** Whose limits the call uses; what costs nothing does not count against its caller's. */
const limitEntryOf = ({ envelope, party, request, surface, target }: Call): LimitEntry | undefined => {
  const { limits } = surface
  const { requestId } = envelope
  if (limits === "caller") {
    const { cost } = target
    return cost === 0 ? undefined : { subject: party.subject, requestId, cost, policy: party.limits }
  }
  if (limits === undefined || !target.isPerAddress) return undefined
  const subject = limits.prefix + addressSubject(request.address)
  return { subject, requestId, cost: 1, policy: limits.policy }
}

/** Writes down what the limits decided; a call that they admitted has spent nothing yet. */
export const recordLimits = ({ receipt }: Call, decision: LimitDecision): void => {
  receipt.limits = decision
  receipt.cost = 0
}

const refusedBy = (call: Call, decision: Extract<LimitDecision, { readonly _tag: "Refused" }>): Refusal => {
  recordLimits(call, decision)
  return limitRefusal(decision)
}

/** Step 6: every operation that may be run. */
export const scope = ({ party, target }: Call): Refusal | undefined => {
  for (const { requirement } of target.rows)
    if (requirement !== null && !party.may[requirement])
      return refused("AUTHZ_SCOPE_REQUIRED", { required_scopes: requirements[requirement] })
  return undefined
}

/** Step 7: the same of the pack's features. */
export const plan = ({ party, target }: Call): Refusal | undefined => {
  for (const { feature } of target.rows)
    if (feature !== null && !packs[party.caller.pack][feature]) return refused("BILLING_FEATURE_REQUIRED")
  return undefined
}

/**
 * Step 8: the body, what it and the rest decode to, and the cursor. A body that had to be waited for may come
 * seconds after its key was looked at, so the key is looked at again.
 */
export const makeInputStep = Effect.gen(function* () {
  const recheck = yield* makeRecheck
  const openCursor = yield* makeOpenCursor

  const read = (call: Call, body: BodyReading): Refusal | undefined => {
    const decoded = partsOf(call, body)
    if (isRefusal(decoded)) return decoded
    const parts: Array<Part> = []
    for (const part of decoded) {
      const opened = part.row.paged === true ? openCursor(part, call.party.caller) : part
      if (isRefusal(opened)) return opened
      parts.push(opened)
    }
    call.body = body
    call.parts = parts
    return undefined
  }

  const step: Step = (call, next) => {
    const goOn = (body: BodyReading): Effect.Effect<Reply, Unavailable> => {
      const refusal = read(call, body)
      return refusal === undefined ? next(call) : Effect.succeed(refusal)
    }
    const { reading } = call
    if (Exit.isExit(call.reading)) return Effect.flatMapEager(reading, goOn)
    return Effect.flatMap(reading, (body) =>
      Effect.flatMap(recheck(call), (refusal) =>
        refusal === undefined ? goOn(body) : Effect.succeed(refusal)
      )
    )
  }
  return step
})

const partsOf = ({ request, target }: Call, body: BodyReading): ReadonlyArray<Part> | Refusal => {
  if (target.tool !== undefined) return target.readParts(request.toolInput)
  const { name, row } = target
  const input = target.decode(request, body)
  return isRefusal(input) ? input : [{ name, operation: name, row, input, ...firstPage }]
}

/** Why a call may not go on whose body came later than its key was looked at: steps 3, 4, 6 and 7 again. */
const makeRecheck = Effect.map(
  Keys,
  (keys) =>
    (call: Call): Effect.Effect<Refusal | undefined, Unavailable> => {
      const { holder } = call.party
      if (holder === undefined) return Effect.undefined
      return Effect.flatMap(keys.find(holder.key.hash), (found) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (found === undefined) return refused("AUTH_KEY_NOT_FOUND")
          const later = { ...call, party: partyOf(found, call.surface.credential === "test key") }
          return stateRefusal(found, isoTimeOf(nowMs)) ?? allowLists(later) ?? scope(later) ?? plan(later)
        })
      )
    }
)
