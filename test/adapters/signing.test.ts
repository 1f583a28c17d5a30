import { createPublicKey, verify } from "node:crypto"
import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as jose from "jose"
import { describe, expect } from "vitest"
import * as Signing from "../../adapters/jose/Signatures.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as PostgresSigningKeys from "../../adapters/postgres/SigningKeys.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { Signatures as SigningPort } from "../../core/port/Signatures.ts"
import { SigningKeys } from "../../core/port/SigningKeys.ts"
import { signingSettings } from "../kit/certifying.ts"
import { postgresLayer } from "../kit/postgres.ts"

const stores = [
  ["memory", MemorySigningKeys.layer],
  ["PostgreSQL", PostgresSigningKeys.layer.pipe(Layer.provide(postgresLayer))]
] as const

const signed = {
  manifest: '{"a":"é"}',
  certifiedAt: "2026-03-06T10:00:00.000Z" as IsoTime,
  expiresAt: "2027-03-06T10:00:00.000Z" as IsoTime
}

/** A process of its own over the store around it, started with these secret keys. */
const started = (...secretKeys: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.gen(function* () {
    const store = yield* Effect.context<SigningKeys>()
    const process = Layer.fresh(Signing.layer).pipe(
      Layer.provide(Layer.merge(Layer.succeedContext(store), signingSettings(...secretKeys)))
    )
    const signing = Context.get(yield* Layer.build(process), SigningPort)
    const signature = yield* (yield* signing.signer)(signed)
    return { signature, keys: yield* signing.publicKeys }
  })

for (const [name, store] of stores) {
  describe(`the signature of a release, by keys in ${name}`, () => {
    const law = (
      says: string,
      check: Effect.Effect<void, unknown, SigningKeys | Effect.Services<ReturnType<typeof started>>>
    ) => it.live(says, () => Effect.scoped(Effect.provide(check, Layer.fresh(store))))

    law(
      "RFC 7797 is a detached JWS over the manifest's own bytes, which jose and a bare Ed25519 verify",
      Effect.gen(function* () {
        const { keys, signature } = yield* started("a secret")
        const [key] = keys
        const [header = "", payload, bits = ""] = signature.split(".")
        expect(payload).toBe("")
        expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
          alg: "EdDSA",
          b64: false,
          crit: ["b64"],
          kid: key?.kid,
          certified_at: signed.certifiedAt,
          expires_at: signed.expiresAt
        })
        const jws = { protected: header, payload: Buffer.from(signed.manifest), signature: bits }
        const set = jose.createLocalJWKSet({ keys: keys.map((one) => ({ ...one })) })
        yield* Effect.promise(() => jose.flattenedVerify(jws, set))
        const bare = createPublicKey({ key: { ...key }, format: "jwk" })
        const input = Buffer.from(`${header}.${signed.manifest}`)
        expect(verify(null, input, bare, Buffer.from(bits, "base64url"))).toBe(true)
      })
    )

    law(
      "is the same from every process and after every start, by a pair that is made once",
      Effect.gen(function* () {
        const both = yield* Effect.all([started("a secret"), started("a secret")], { concurrency: 2 })
        expect(both[0]).toEqual(both[1])
        expect(both[0].keys.length).toBe(1)
        expect(yield* started("a secret")).toEqual(both[0])
      })
    )

    law(
      "contract §4 outlives a rotation of SECRET_KEY; a lost key is replaced, and the old public key stays published",
      Effect.gen(function* () {
        const first = yield* started("a secret")
        expect(yield* started("a new secret", "a secret")).toEqual(first)
        const second = yield* started("a new secret")
        expect(second.keys.length).toBe(2)
        expect(second.keys[1]).toEqual(first.keys[0])
        expect(second.signature).not.toBe(first.signature)
        expect(yield* started("a new secret")).toEqual(second)
      })
    )

    law(
      "has a private half that lies nowhere in the open",
      Effect.gen(function* () {
        yield* started("a secret")
        const [pair] = yield* (yield* SigningKeys).list
        expect(pair?.keyId).toMatch(/^[\w-]{43}$/)
        expect(Object.keys(pair?.publicKey ?? {}).toSorted()).toEqual(["crv", "kty", "x"])
        expect(Buffer.from(pair?.sealed ?? []).toString("latin1")).not.toContain('"d"')
      })
    )
  })
}
