import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { SigningPair } from "../../core/port/SigningKeys.ts"
import { SigningKeys, SigningKeysUnavailable } from "../../core/port/SigningKeys.ts"
import type { Law } from "./Law.ts"

const pairOf = (keyId: string): SigningPair => ({
  keyId,
  publicKey: { crv: "Ed25519", kty: "OKP", x: `${keyId}-x` },
  sealed: Uint8Array.of(0, 1, 255, keyId.length)
})

/** What every store of signing keys keeps (core/port/SigningKeys.ts); each check wants an empty one. */
export const signingKeysLaws: ReadonlyArray<Law<SigningKeys>> = [
  {
    says: "law 1: every pair that was added is listed as it was given, the newest first",
    check: Effect.gen(function* () {
      const keys = yield* SigningKeys
      deepStrictEqual(yield* keys.list, [])
      yield* keys.offer({ pair: pairOf("first"), after: null })
      yield* keys.offer({ pair: pairOf("second"), after: "first" })
      deepStrictEqual((yield* keys.list).map(plain), [pairOf("second"), pairOf("first")])
    })
  },
  {
    says: "law 2: a pair is added only after the one that is newest, and whoever comes late learns which is",
    check: Effect.gen(function* () {
      const keys = yield* SigningKeys
      deepStrictEqual(plain(yield* keys.offer({ pair: pairOf("first"), after: null })), pairOf("first"))
      deepStrictEqual(plain(yield* keys.offer({ pair: pairOf("late"), after: null })), pairOf("first"))
      deepStrictEqual(plain(yield* keys.offer({ pair: pairOf("other"), after: "before" })), pairOf("first"))
      strictEqual((yield* keys.list).length, 1)
    })
  },
  {
    says: "law 2: of many that offer at once one is added, and all learn which",
    check: Effect.gen(function* () {
      const keys = yield* SigningKeys
      const offers = ["a", "b", "c", "d", "e", "f"].map((name) =>
        keys.offer({ pair: pairOf(name), after: null })
      )
      const answers = yield* Effect.all(offers, { concurrency: "unbounded" })
      const [only, ...others] = yield* keys.list
      deepStrictEqual(others, [])
      deepStrictEqual(new Set(answers.map(({ keyId }) => keyId)), new Set([only?.keyId]))
    })
  }
]

/** What a store of signing keys keeps whose PostgreSQL is unavailable. */
export const absentSigningKeysLaws: ReadonlyArray<Law<SigningKeys>> = [
  {
    says: "law 3: a store that is unavailable says so",
    check: Effect.gen(function* () {
      const keys = yield* SigningKeys
      const verbs = [keys.list, keys.offer({ pair: pairOf("a"), after: null })]
      for (const verb of verbs) {
        const failure = yield* Effect.flip(verb as Effect.Effect<unknown, SigningKeysUnavailable>)
        ok(failure instanceof SigningKeysUnavailable)
        strictEqual(failure.fault, "unreachable")
      }
    })
  }
]

/** Bytes come back as whatever array of bytes the store likes. */
const plain = ({ sealed, ...pair }: SigningPair): SigningPair => ({
  ...pair,
  sealed: Uint8Array.from(sealed)
})
