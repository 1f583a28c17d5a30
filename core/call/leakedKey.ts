import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { contentTypeRefusal, headerBytesMax, readJson } from "../admission/body.ts"
import { isObject } from "../json/isObject.ts"
import type { BodyReading } from "../admission/body.ts"
import type { DecodedInput, RawInput } from "../admission/decode.ts"
import type { Refusal } from "../error/Refusal.ts"
import { parseKeyText } from "../key/Key.ts"
import { text } from "../operation/field.ts"
import type { CallRow } from "../operation/Operation.ts"
import { decoder, nulFaults } from "../operation/validate.ts"
import { refusedFields } from "../error/fieldFaults.ts"
import { phiRefusal } from "../phi/refuse.ts"
import { unknownKey } from "../handler/leakedKey.ts"
import type { OperationTarget } from "./targets.ts"

const Shown = Schema.Struct({ key: text({ min: 1, max: headerBytesMax }) })

/** Beside the catalogue: it is no operation of the API, and costs nobody anything. */
const row: CallRow = {
  method: "POST",
  path: "/security/leaked-key",
  summary: "Revoke a key that was found somewhere public",
  requirement: null,
  feature: null,
  credits: 0,
  body: Shown,
  refusals: { AUTH_KEY_NOT_FOUND: null }
}

/** Where whoever found a key shows it. */
export const leakedKeyPath = row.path

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
  name: "revokeLeakedKey",
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
