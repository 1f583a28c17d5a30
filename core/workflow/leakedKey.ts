import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { contentTypeRefusal, isObject, readJson } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { parseKeyText } from "../key/Key.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder } from "../key/state.ts"
import { isOwnOrganization } from "../key/testKey.ts"
import { addressSubject } from "../limit/subject.ts"
import { fieldFault, refusedFields } from "../operation/validate.ts"
import { Audit } from "../port/Audit.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { Transactions } from "../port/Transactions.ts"
import type { CallRequest } from "./CallRequest.ts"
import { makeEntering } from "./entering.ts"
import { answerFault } from "./fault.ts"
import { refuse, succeed } from "./reply.ts"
import type { Envelope } from "./reply.ts"

/** What one address may show in a minute. */
const leakedKeyLimits = { perMinute: 60, perDay: null, concurrent: 10 } as const

/** What the key's owner reads as its reason. */
const leakedReason = "shown to the service as leaked"

/**
 * `POST /security/leaked-key {"key"}`: whoever found a key somewhere public shows it, and it is revoked at
 * once. Nobody needs a credential for it, since the key itself is one. A key that is revoked already is
 * answered alike; one that nobody issued is not found. The key stands in no answer and no log.
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
    if (holder === undefined) return refuse(envelope, refused("RESOURCE_NOT_FOUND"))
    if (holder.key.mark !== "revoked")
      yield* write({ claim: undefined, charge: undefined, work: revoke(holder, envelope) })
    return succeed(envelope, JSON.stringify({ key_id: holder.key.keyId, revoked: true }), {})
  })

  return (request: CallRequest, envelope: Envelope) => {
    const subject = `leaked:${addressSubject(request.address)}`
    const entry = { subject, requestId: envelope.requestId, cost: 1, policy: leakedKeyLimits }
    return answerFault(
      envelope,
      entering(entry, envelope, undefined, () => shown(request, envelope))
    )
  }
})

const noAnswer = new Uint8Array(0)

const required = refusedFields([fieldFault("/body/key", "required")])

/** A mistyped key is nobody's: it is judged by its checksum, before any store is asked. */
const keyIn = (
  { contentType, contentEncoding }: CallRequest,
  body: BodyReading
): Refusal | { readonly _tag: "Key"; readonly text: ApiKey } => {
  const wrongType = contentTypeRefusal({ contentType, contentEncoding, body })
  if (wrongType !== undefined) return wrongType
  const json = readJson(body)
  if (Result.isFailure(json)) return json.failure
  const text = isObject(json.success) ? json.success["key"] : undefined
  if (typeof text !== "string") return required
  const parsed = parseKeyText(text.trim())
  return parsed._tag === "Key" ? { _tag: "Key", text: parsed.key } : refused("RESOURCE_NOT_FOUND")
}
