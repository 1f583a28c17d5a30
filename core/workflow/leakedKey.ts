import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { contentTypeRefusal, headerBytesMax, isObject, nulFaults, readJson } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { parseKeyText } from "../key/Key.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder } from "../key/state.ts"
import { isOwnOrganization } from "../key/testKey.ts"
import { addressSubject } from "../limit/subject.ts"
import { text } from "../operation/field.ts"
import { decoder, refusedFields } from "../operation/validate.ts"
import { phiRefusal } from "../phi/refuse.ts"
import { Audit } from "../port/Audit.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { Transactions } from "../port/Transactions.ts"
import type { CallRequest } from "./CallRequest.ts"
import { makeEntering } from "./entering.ts"
import { answerFault } from "./fault.ts"
import { noMeta, refuse, succeed } from "./reply.ts"
import type { Envelope } from "./reply.ts"

/** What one address may show in a minute. */
const leakedKeyLimits = { perMinute: 60, perDay: null, concurrent: 10 } as const

/** What the key's owner reads as its reason. */
const leakedReason = "shown to the service as leaked"

/**
 * `POST /security/leaked-key {"key"}`: whoever found a key somewhere public shows it, and it is revoked at
 * once. Nobody needs a credential for it, since the key itself is one. A key that is revoked already is
 * answered alike; one that nobody issued is said to be unknown, as it would be if it were used (§7.3), so
 * that its finder does not take it for a wrong address. The key stands in no answer and no log.
 */
export const makeLeakedKey = Effect.gen(function* () {
  const entering = yield* makeEntering
  const keys = yield* Keys
  const audit = yield* Audit
  const { sha256Hex } = yield* Crypto
  const { write } = yield* Transactions

  const revoke = ({ key }: KeyHolder, envelope: Envelope) =>
    Effect.gen(function* () {
      yield* keys.change({ keyId: key.keyId, action: "revoke", reason: leakedReason })
      if (!isOwnOrganization(key)) {
        yield* audit.append({
          organizationId: key.organizationId,
          at: envelope.now,
          actor: { kind: "service" },
          action: "key.revoked",
          subject: key.keyId,
          detail: leakedReason
        })
      }
      return { _tag: "Keep", value: undefined, answer: noAnswer } as const
    })

  const shown = Effect.fnUntraced(function* (request: CallRequest, envelope: Envelope) {
    const key = keyIn(request, yield* request.readBody)
    if (isRefusal(key)) return refuse(envelope, key)
    const holder = yield* keys.find(sha256Hex(key.text) as KeyHash)
    if (holder === undefined) return refuse(envelope, unknownKey)
    if (holder.key.mark !== "revoked")
      yield* write({ claim: undefined, charge: undefined, work: revoke(holder, envelope) })
    return succeed(envelope, JSON.stringify({ key_id: holder.key.keyId, revoked: true }), noMeta)
  })

  return (request: CallRequest, envelope: Envelope) => {
    const subject = `leaked:${addressSubject(request.address)}`
    const entry = { subject, requestId: envelope.requestId, cost: 1, policy: leakedKeyLimits }
    return answerFault(
      envelope,
      entering(entry, envelope, undefined, (restore) => restore(shown(request, envelope)))
    )
  }
})

const noAnswer = new Uint8Array(0)

/** The same for every text that is no key of ours, however near to one it comes. */
const unknownKey = refused(
  "AUTH_KEY_NOT_FOUND",
  undefined,
  "No key was revoked, since this service issued none that reads so: show the whole key as it was found."
)

/** A key that is used has to fit a request's header. */
const decodeShown = decoder(Schema.Struct({ key: text({ min: 1, max: headerBytesMax }) }))

/**
 * The body is read as that of an operation is. A mistyped key is nobody's: it is judged by its checksum,
 * before any store is asked.
 */
const keyIn = (
  { contentType, contentEncoding }: CallRequest,
  body: BodyReading
): Refusal | { readonly _tag: "Key"; readonly text: ApiKey } => {
  const wrongType = contentTypeRefusal({ contentType, contentEncoding, body })
  if (wrongType !== undefined) return wrongType
  const json = readJson(body)
  if (Result.isFailure(json)) return json.failure
  const unfit = phiRefusal([{ base: "/body", value: besideKey(json.success), shape: undefined }])
  if (unfit !== undefined) return unfit
  const shown = decodeShown(json.success, "/body")
  if (Result.isFailure(shown)) return refusedFields(shown.failure)
  const faults = nulFaults(shown.success, "/body")
  if (faults.length > 0) return refusedFields(faults)
  const parsed = parseKeyText(shown.success.key.trim())
  return parsed._tag === "Key" ? { _tag: "Key", text: parsed.key } : unknownKey
}

/** Chance may spell an identifier in a key, which must be revoked all the same. */
const besideKey = (json: unknown): unknown =>
  isObject(json) && typeof json["key"] === "string" ? { ...json, key: "" } : json
