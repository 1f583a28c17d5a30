import * as Context from "effect/Context"

/**
 * Hashing and randomness, which the kernel may not reach for itself. Synchronous: a key is hashed on every call and a
 * promise would cost more than the hash.
 *
 * 1. `sha256Hex` and `hmacSha256` are functions of their arguments alone.
 * 2. `randomBytes` never repeats and is fit for secrets.
 */
export class Crypto extends Context.Service<Crypto, {
  /** Lower-case hex SHA-256 of the UTF-8 bytes of the text. */
  readonly sha256Hex: (text: string) => string
  /** Base64url HMAC-SHA256. */
  readonly hmacSha256: (input: { readonly secret: string; readonly text: string }) => string
  readonly randomBytes: (count: number) => Uint8Array
}>()("coverage/core/port/Crypto") {}
