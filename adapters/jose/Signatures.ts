import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as jose from "jose"
import type { PublicKey } from "../../core/release/exported.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Settings } from "../../core/port/Settings.ts"
import type { PublishedKey, SignedPayload } from "../../core/port/Signatures.ts"
import { Signatures } from "../../core/port/Signatures.ts"
import type { SigningKeysUnavailable, SigningPair } from "../../core/port/SigningKeys.ts"
import { SigningKeys } from "../../core/port/SigningKeys.ts"
import { algorithm, protectedHeader } from "./header.ts"

/** Anybody may ask for the public keys at any rate, and they change once in years. */
const publishedFor = Duration.seconds(5)

/** Signatures by the pair that the store of keys holds, whose private half is sealed under SECRET_KEY. */
export const layer = Layer.effect(
  Signatures,
  Effect.gen(function* () {
    const keys = yield* SigningKeys
    const { decrypt, encrypt } = yield* Crypto
    const { secretKeys } = yield* Settings
    const openedOf = ({ keyId, sealed }: SigningPair) =>
      decrypt({ secrets: secretKeys, context: contextOf(keyId), sealed })

    /**
     * The newest pair, where a secret key opens it; else a new one, or the one that somebody else just made.
     */
    const pair: Effect.Effect<OpenedPair, SigningKeysUnavailable> = Effect.gen(function* () {
      const [newest] = yield* keys.list
      const privateKey = newest && openedOf(newest)
      if (newest !== undefined && privateKey !== undefined) return { keyId: newest.keyId, privateKey }
      const fresh = yield* drawn
      const sealed = encrypt({
        secret: secretKeys[0],
        context: contextOf(fresh.keyId),
        text: fresh.privateKey
      })
      const { keyId, publicKey } = fresh
      const offered = yield* keys.offer({ pair: { keyId, publicKey, sealed }, after: newest?.keyId ?? null })
      return offered.keyId === keyId ? fresh : yield* pair
    })

    const signer = Effect.gen(function* () {
      const { keyId, privateKey } = yield* pair
      const key = yield* Effect.promise(() => jose.importJWK(JSON.parse(privateKey), algorithm))
      return (signed: SignedPayload) =>
        Effect.promise(async () => {
          const jws = await new jose.FlattenedSign(new TextEncoder().encode(signed.manifest))
            .setProtectedHeader(protectedHeader(keyId, signed))
            .sign(key)
          return `${jws.protected}..${jws.signature}`
        })
    })

    const everyKey = Effect.map(Effect.andThen(pair, keys.list), (pairs) => pairs.map(published))
    const [publicKeys, forget] = yield* Effect.cachedInvalidateWithTTL(everyKey, publishedFor)
    return Signatures.of({ signer, publicKeys: Effect.onError(publicKeys, () => forget) })
  })
)

interface OpenedPair {
  readonly keyId: string
  /** The JSON of its JWK. A secret. */
  readonly privateKey: string
}

const contextOf = (keyId: string): string => `signing key ${keyId}`

/** A pair of its own randomness; the private half as the JSON of its JWK. */
const drawn = Effect.promise(async () => {
  const { privateKey } = await jose.generateKeyPair(algorithm, { crv: "Ed25519", extractable: true })
  const jwk = await jose.exportJWK(privateKey)
  const publicKey: PublicKey = { crv: "Ed25519", kty: "OKP", x: String(jwk.x) }
  const keyId = await jose.calculateJwkThumbprint(publicKey)
  return { keyId, publicKey, privateKey: JSON.stringify(jwk) }
})

const published = ({ keyId, publicKey }: SigningPair): PublishedKey => ({
  ...publicKey,
  kid: keyId,
  use: "sig",
  alg: algorithm
})
