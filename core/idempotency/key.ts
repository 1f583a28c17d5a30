import type { Refusal } from "../error/Refusal.ts"
import { fieldFault, refusedFields } from "../operation/validate.ts"

/** Contract §1, Idempotency: 1..255 printable ASCII characters. */
export const keyLengthMax = 255

const path = "/headers/x-idempotency-key"

/** Why a header is no X-Idempotency-Key; its value is never repeated. */
export const keyRefusal = (key: string): Refusal | undefined => {
  if (key.length < 1 || key.length > keyLengthMax) {
    return refusedFields([fieldFault(path, "out_of_range", `Expected 1 to ${keyLengthMax} characters.`)])
  }
  return /^[\x20-\x7e]+$/.test(key)
    ? undefined
    : refusedFields([fieldFault(path, "invalid_format", "Expected printable ASCII characters.")])
}
