import * as Effect from "effect/Effect"
import * as jose from "jose"
import type { ExportHeader, PublicKey } from "../../core/release/exported.ts"
import { manifestText } from "../../core/release/manifest.ts"
import { algorithm, protectedHeader } from "./header.ts"

/** What a signature turned out to be. */
export type SignatureVerdict =
  /** Made by this key over this manifest and both times. */
  | { readonly _tag: "Valid"; readonly keyId: string }
  /** Not by the key, or over something else, or written in another way than ours. */
  | { readonly _tag: "Invalid" }
  /** By a key that is none of those given. */
  | { readonly _tag: "OtherKey"; readonly keyId: string }

/**
 * Whether the head of an exported release was signed by the public key it names. The key in the file proves
 * only that the head is whole; with `trusted`, keys that were got elsewhere, it must be one of those.
 */
export const verifySignature = (
  header: ExportHeader,
  trusted: ReadonlyArray<PublicKey> | undefined
): Effect.Effect<SignatureVerdict> =>
  Effect.promise(async () => {
    const keyId = await jose.calculateJwkThumbprint(header.public_key)
    const isWhole = await isSignedBy(header, keyId)
    if (!isWhole) return { _tag: "Invalid" }
    const isTrusted = trusted === undefined || trusted.some(({ x }) => x === header.public_key.x)
    return { _tag: isTrusted ? "Valid" : "OtherKey", keyId }
  })

const isSignedBy = async (header: ExportHeader, keyId: string): Promise<boolean> => {
  const [stated = "", payload, signature = ""] = header.signature.split(".")
  const signed = {
    manifest: manifestText(header.manifest),
    certifiedAt: header.certified_at,
    expiresAt: header.expires_at
  }
  // Compared as text: the same bits can be written in several ways, and every bit of a file counts.
  const expected = jose.base64url.encode(JSON.stringify(protectedHeader(keyId, signed)))
  if (payload !== "" || stated !== expected || !isOneWriting(signature)) return false
  try {
    const key = await jose.importJWK(header.public_key, algorithm)
    const jws = { protected: stated, payload: new TextEncoder().encode(signed.manifest), signature }
    await jose.flattenedVerify(jws, key, { algorithms: [algorithm] })
    return true
  } catch {
    return false
  }
}

const isOneWriting = (signature: string): boolean => {
  try {
    return jose.base64url.encode(jose.base64url.decode(signature)) === signature
  } catch {
    return false
  }
}
