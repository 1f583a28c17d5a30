import type { Refusal } from "../error/Refusal.ts"
import { fieldFault, refusedFields } from "../error/fieldFaults.ts"

/** Contract §1, Idempotency: 1..255 printable ASCII characters. */
export const keyLengthMax = 255

const path = "/headers/x-idempotency-key"

/** Why a header is no X-Idempotency-Key; its value is never repeated. */
export const keyRefusal = (key: string): Refusal | undefined => {
  const kind = key.length < 1 || key.length > keyLengthMax ? "out_of_range" : "invalid_format"
  return kind === "invalid_format" && /^[\x20-\x7e]+$/.test(key)
    ? undefined
    : refusedFields([fieldFault(path, kind, takes)])
}

const takes = `\`X-Idempotency-Key\` is 1 to ${keyLengthMax} printable ASCII characters.`
