import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { contentTypeRefusal, headerBytesMax, isObject, readJson } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import type { DecodedInput, RawInput } from "../admission/decode.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { parseKeyText } from "../key/Key.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder } from "../key/state.ts"
import { isOwnOrganization } from "../key/testKey.ts"
import { text } from "../operation/field.ts"
import type { Operation } from "../operation/Operation.ts"
import { decoder, nulFaults, refusedFields } from "../operation/validate.ts"
import { phiRefusal } from "../phi/refuse.ts"
import { Audit } from "../port/Audit.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { Transactions } from "../port/Transactions.ts"
import type { AnyHandler, CallContext } from "../workflow/Handler.ts"
import type { OperationTarget } from "./targets.ts"

/** What the key's owner reads as its reason. */
const leakedReason = "shown to the service as leaked"

const Shown = Schema.Struct({ key: text({ min: 1, max: headerBytesMax }) })

/** Beside the catalogue: it is no operation of the API, and costs nobody anything. */
const row: Operation = {
  method: "POST",
  path: "/security/leaked-key",
  summary: "Revoke a key that was found somewhere public",
  requirement: null,
  feature: null,
  credits: 0,
  body: Shown,
  refusals: ["AUTH_KEY_NOT_FOUND"]
}

/** Names its handler. */
const name = "revokeLeakedKey"

/** Where whoever found a key shows it. */
export const leakedKeyPath = row.path

/**
 * `POST /security/leaked-key {"key"}`: whoever found a key somewhere public shows it, and it is revoked at
 * once. Nobody needs a credential for it, since the key itself is one. A key that is revoked already is
 * answered alike; one that nobody issued is said to be unknown, as it would be if it were used (§7.3), so
 * that its finder does not take it for a wrong address. The key stands in no answer and no log.
 */
export const makeLeakedKeyHandler = Effect.gen(function* () {
  const keys = yield* Keys
  const audit = yield* Audit
  const { sha256Hex } = yield* Crypto
  const { write } = yield* Transactions

  const revoke = ({ key }: KeyHolder, { now }: CallContext) =>
    Effect.gen(function* () {
      yield* keys.change({ keyId: key.keyId, action: "revoke", reason: leakedReason })
      if (!isOwnOrganization(key)) {
        yield* audit.append({
          organizationId: key.organizationId,
          at: now,
          actor: { kind: "service" },
          action: "key.revoked",
          subject: key.keyId,
          detail: leakedReason
        })
      }
      return { _tag: "Keep", value: undefined, answer: noAnswer } as const
    })

  const revokeLeakedKey = (shown: ApiKey, context: CallContext) =>
    Effect.gen(function* () {
      const holder = yield* keys.find(sha256Hex(shown) as KeyHash)
      if (holder === undefined) return unknownKey
      if (holder.key.mark !== "revoked")
        yield* write({ claim: undefined, charge: undefined, work: revoke(holder, context) })
      return { _tag: "Data" as const, data: { key_id: holder.key.keyId, revoked: true as const } }
    })

  const handler: AnyHandler = (input, context) =>
    revokeLeakedKey((input as { readonly body: ApiKey }).body, context)
  return { [name]: handler } as const
})

const noAnswer = new Uint8Array(0)

/** The same for every text that is no key of ours, however near to one it comes. */
const unknownKey = refused(
  "AUTH_KEY_NOT_FOUND",
  undefined,
  "No key was revoked, since this service issued none that reads so: show the whole key as it was found."
)

const decodeShown = decoder(Shown)

/**
 * The body is read as that of an operation is. A mistyped key is nobody's: it is judged by its checksum,
 * before any store is asked.
 */
const readShown = ({ contentType, contentEncoding }: RawInput, body: BodyReading): DecodedInput | Refusal => {
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
  if (parsed._tag !== "Key") return unknownKey
  return { params: {}, query: {}, body: parsed.key }
}

/** Chance may spell an identifier in a key, which must be revoked all the same. */
const besideKey = (json: unknown): unknown =>
  isObject(json) && typeof json["key"] === "string" ? { ...json, key: "" } : json

/** What the pipeline is to call. */
export const leakedKeyTarget: OperationTarget = {
  name,
  tool: undefined,
  row,
  rows: [row],
  isPublic: true,
  cost: 0,
  isWrite: false,
  isPlain: false,
  isPerAddress: true,
  hasBody: true,
  takesKey: false,
  decode: readShown
}
