import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { keyRandomBytes, makeKey } from "../key/Key.ts"
import type { KeyHash, KeyId } from "../key/state.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { testKeyMs, testKeyRecord, testKeyScopes } from "../sandbox/testKey.ts"
import type { Handler } from "./Handler.ts"
import { isoTimeOf } from "../coverage/date.ts"

/** POST /keys of the sandbox (§5.6, contract §3): a key for whoever asks, in the store of all keys. */
export const makeTestKeyHandler = Effect.gen(function* () {
  const { randomBytes, sha256Hex } = yield* Crypto
  const keys = yield* Keys

  const createTestKey: Handler<"createTestKey"> = ({ body }, { now }) =>
    Effect.gen(function* () {
      const nowMs = DateTime.makeUnsafe(now).epochMilliseconds
      const key = makeKey({ mode: "test", randomBytes: randomBytes(keyRandomBytes) })
      const record = testKeyRecord({
        keyId: `key_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}` as KeyId,
        hash: sha256Hex(key) as KeyHash,
        scopes: [...new Set(body.scopes ?? testKeyScopes)],
        createdAt: now,
        expiresAt: isoTimeOf(nowMs + testKeyMs)
      })
      // Two draws of 135 bits never agree, and a test key needs no organization: a refusal is a bug.
      const said = yield* keys.issue(record)
      if (said !== "issued") return yield* Effect.die(new Error("a test key was not issued"))
      const { scopes, releaseId, expiresAt } = record
      return { _tag: "Data", data: { key, scopes, release_id: releaseId, expires_at: expiresAt ?? now } }
    })

  return { createTestKey } as const
})
