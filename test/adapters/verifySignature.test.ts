import * as Effect from "effect/Effect"
import * as jose from "jose"
import { describe, expect, it } from "vitest"
import { algorithm, protectedHeader } from "../../adapters/jose/header.ts"
import { verifySignature } from "../../adapters/jose/verifySignature.ts"
import type { ExportHeader, PublicKey } from "../../core/release/exported.ts"
import { manifestText } from "../../core/release/manifest.ts"
import { certificateOf } from "../kit/releases.ts"

const { manifest, certifiedAt, expiresAt, releaseId } = certificateOf(["a".repeat(64)])

const newPair = async () => {
  const pair = await jose.generateKeyPair(algorithm, { extractable: true })
  const { crv, kty, x } = await jose.exportJWK(pair.publicKey)
  return { privateKey: pair.privateKey, publicKey: { crv, kty, x } as PublicKey }
}
const [signer, stranger] = await Promise.all([newPair(), newPair()])

/** The head of a release, signed over `payload`. */
const signedHead = async (payload = manifestText(manifest), key = signer): Promise<ExportHeader> => {
  const keyId = await jose.calculateJwkThumbprint(signer.publicKey)
  const signed = { manifest: manifestText(manifest), certifiedAt, expiresAt }
  const jws = await new jose.FlattenedSign(new TextEncoder().encode(payload))
    .setProtectedHeader(protectedHeader(keyId, signed))
    .sign(key.privateKey)
  return {
    certified_at: certifiedAt,
    expires_at: expiresAt,
    manifest,
    public_key: signer.publicKey,
    release_id: releaseId,
    signature: `${jws.protected}..${jws.signature}`
  }
}

const verdictOf = (header: ExportHeader, trusted?: ReadonlyArray<PublicKey>) =>
  Effect.runPromise(Effect.map(verifySignature(header, trusted), ({ _tag }) => _tag))

describe("contract §2 the signature of an exported release", () => {
  it("is that of the key it comes with, which must be trusted where keys are given", async () => {
    const head = await signedHead()
    expect(await verdictOf(head)).toBe("Valid")
    expect(await verdictOf(head, [stranger.publicKey, signer.publicKey])).toBe("Valid")
    expect(await verdictOf(head, [stranger.publicKey])).toBe("OtherKey")
    expect(await verdictOf(head, [])).toBe("OtherKey")
  })

  it("is not right over another payload, by another key, or over other times", async () => {
    expect(await verdictOf(await signedHead("{}"))).toBe("Invalid")
    expect(await verdictOf(await signedHead(undefined, stranger))).toBe("Invalid")
    expect(await verdictOf({ ...(await signedHead()), expires_at: "2099-01-01T00:00:00.000Z" })).toBe(
      "Invalid"
    )
  })

  it("has one writing: no payload of its own, no other spelling of the same bits", async () => {
    const head = await signedHead()
    const [stated = "", , signature = ""] = head.signature.split(".")
    const payload = jose.base64url.encode(manifestText(manifest))
    const respelled =
      signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1)
    const bits = (text: string) => Buffer.from(text, "base64url").toString("hex")
    expect(bits(respelled)).toBe(bits(signature))
    for (const other of [
      `${stated}.${payload}.${signature}`,
      `${stated}..${respelled}`,
      `${stated}..${signature}=`
    ])
      expect(await verdictOf({ ...head, signature: other })).toBe("Invalid")
  })
})
