import * as Context from "effect/Context"

/**
 * Hashing, encryption and randomness, which the kernel may not reach for itself. Synchronous: a key is hashed
 * on every call and a promise would cost more than the hash.
 *
 * 1. `sha256Hex`, `sha256` and `hmacSha256` are functions of their arguments alone.
 * 2. `randomBytes` never repeats and is fit for secrets.
 * 3. `decrypt` answers the text that `encrypt` was given, under any secret of the list, for the same context
 *    only; and undefined for bytes that are changed in any place. Equal texts are encrypted differently each
 *    time.
 */
export class Crypto extends Context.Service<
  Crypto,
  {
    /** Lower-case hex SHA-256 of the UTF-8 bytes of the text. */
    readonly sha256Hex: (text: string) => string
    /** The 32 bytes of the SHA-256 of the bytes. */
    readonly sha256: (bytes: Uint8Array) => Uint8Array
    /** Base64url HMAC-SHA256 over the UTF-8 bytes of the text; a secret of text is its UTF-8 bytes. */
    readonly hmacSha256: (input: { readonly secret: string | Uint8Array; readonly text: string }) => string
    readonly randomBytes: (count: number) => Uint8Array
    /**
     * For what is kept at rest. `context` says where it is kept, and is not secret: elsewhere it does not
     * open.
     */
    readonly encrypt: (input: {
      readonly secret: string
      readonly context: string
      readonly text: string
    }) => Uint8Array
    readonly decrypt: (input: {
      readonly secrets: ReadonlyArray<string>
      readonly context: string
      readonly sealed: Uint8Array
    }) => string | undefined
  }
>()("coverage/core/port/Crypto") {}
