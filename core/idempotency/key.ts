import type { Refusal } from "../error/Refusal.ts"
import { fieldFault, refusedFields } from "../error/fieldFaults.ts"
import { phiRefusalOfId } from "../phi/refuse.ts"

/** Contract §1, Idempotency: 1..255 printable ASCII characters. */
export const keyLengthMax = 255

/** The headers that may carry the key: ours, and the standard's name for the same. */
export interface KeyHeaders {
  readonly idempotencyKey: string | undefined
  readonly idempotencyAlias: string | undefined
}

/** Returns the key of a request whose headers `keyRefusal` accepts; undefined if it has none. */
export const keyIn = ({ idempotencyKey, idempotencyAlias }: KeyHeaders): string | undefined =>
  idempotencyKey ?? idempotencyAlias

/**
 * Returns why the headers do not name one valid key without a patient identifier. The refusal never repeats a
 * value.
 */
export const keyRefusal = ({ idempotencyKey, idempotencyAlias }: KeyHeaders): Refusal | undefined => {
  if (idempotencyKey !== undefined && idempotencyAlias !== undefined && idempotencyKey !== idempotencyAlias)
    return refusedFields([fieldFault(aliasPath, "invalid", differs)])
  if (idempotencyKey !== undefined)
    return valueRefusal("/headers/x-idempotency-key", "X-Idempotency-Key", idempotencyKey)
  if (idempotencyAlias === undefined) return undefined
  return valueRefusal(aliasPath, "Idempotency-Key", idempotencyAlias)
}

const valueRefusal = (path: string, name: string, key: string): Refusal | undefined => {
  const identified = phiRefusalOfId(path, key)
  if (identified !== undefined) return identified
  const kind = key.length < 1 || key.length > keyLengthMax ? "out_of_range" : "invalid_format"
  const takes = `\`${name}\` is 1 to ${keyLengthMax} printable ASCII characters.`
  return kind === "invalid_format" && /^[\x20-\x7e]+$/.test(key)
    ? undefined
    : refusedFields([fieldFault(path, kind, takes)])
}

const aliasPath = "/headers/idempotency-key"

const differs =
  "`Idempotency-Key` and `X-Idempotency-Key` differ: send one of them, or both with the same value."
