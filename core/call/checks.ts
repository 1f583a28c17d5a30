import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  addressRefusal,
  featureRefusal,
  originRefusal,
  scopeRefusal,
  stateRefusal
} from "../admission/gates.ts"
import { isoTimeOf } from "../coverage/date.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { readCredential } from "../key/credential.ts"
import type { KeyHash } from "../key/state.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { reservedHolder } from "../sandbox/reservedKeys.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { Call, Step } from "./Call.ts"
import { partyOfKey, partyOfTestKey, partyOfToken } from "./party.ts"

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
      const read = readCredential(request.authorization, request.surface)
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
        call.party = isTest ? partyOfTestKey(holder) : partyOfKey(holder)
        const refusal = stateRefusal(holder, call.envelope.now)
        return refusal === undefined ? next(call) : Effect.succeed(refusal)
      }
    )
  }
  return step
})

/** Step 4. */
export const allowLists = ({ party, request }: Call): Refusal | undefined =>
  party.holder &&
  (addressRefusal(party.holder, request.address) ?? originRefusal(party.holder, request.origin))

/** Step 6: every operation that may be run. */
export const scope = ({ party, target }: Call): Refusal | undefined => {
  for (const row of target.rows) {
    const refusal = scopeRefusal(row, party.may)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Step 7. */
export const plan = ({ party, target }: Call): Refusal | undefined => {
  for (const row of target.rows) {
    const refusal = featureRefusal(row, party.caller.pack)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Why a call may not go on whose body came later, seconds perhaps, than its key was looked at. */
export const makeAgain = Effect.map(
  Keys,
  (keys) =>
    (call: Call): Effect.Effect<Refusal | undefined, Unavailable> => {
      const { holder } = call.party
      if (holder === undefined) return Effect.undefined
      return Effect.flatMap(keys.find(holder.key.hash), (found) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (found === undefined) return refused("AUTH_KEY_NOT_FOUND")
          const party = call.surface.credential === "test key" ? partyOfTestKey(found) : partyOfKey(found)
          const again = { ...call, party }
          return stateRefusal(found, isoTimeOf(nowMs)) ?? allowLists(again) ?? scope(again) ?? plan(again)
        })
      )
    }
)

const unknownKey = Effect.succeed(refused("AUTH_KEY_NOT_FOUND"))
