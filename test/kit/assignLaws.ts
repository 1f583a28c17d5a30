import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { retireKey } from "../../core/key/change.ts"
import { ownHolder, ownOrganization } from "../../core/key/testKey.ts"
import type { KeyId, KeyRecord } from "../../core/key/state.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import { Keys } from "../../core/port/Keys.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { ReleaseId } from "../../core/release/ReleaseId.ts"
import { newAccount, freshId, isoTime } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { bareKeyOf, keyOf } from "./keysLaws.ts"
import type { Law } from "./Law.ts"
import { withoutLastUse, unusedIn } from "./unused.ts"

const release = (digit: string): ReleaseId => `rel_${digit.repeat(64)}` as ReleaseId

/** What every store of keys keeps of their releases and of their ends (core/port/Keys.ts, laws 5 and 6). */
export const assignLaws: ReadonlyArray<Law<Keys | Organizations>> = [
  {
    says: "law 6: a key is retired to an earlier end, never to a later one, and revoked stays revoked",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const [bare, ending] = [bareKeyOf(organizationId), keyOf(organizationId)]
      for (const key of [bare, ending]) {
        yield* keys.issue(key)
        let expected = key
        for (const until of [90_000_000, 80_000_000, 86_400_123].map((ms) => isoTime(beganMs + ms))) {
          const before = expected
          expected = retireKey(before, until)
          const isNews = expected !== before
          assert.deepEqual(unusedIn(yield* keys.retire({ keyId: key.keyId, until })), {
            key: expected,
            isNews
          })
          assert.deepEqual(withoutLastUse((yield* keys.find(key.hash))?.key), expected)
        }
      }
      const end = { keyId: bare.keyId, until: isoTime(beganMs + 70_000_000) }
      const said = yield* Effect.all(
        Array.from({ length: 5 }, () => keys.retire(end)),
        { concurrency: "unbounded" }
      )
      assert.equal(said.filter((retired) => retired?.isNews === true).length, 1)
      yield* keys.change({ keyId: bare.keyId, action: "revoke", reason: "leaked" })
      yield* keys.retire({ keyId: bare.keyId, until: isoTime(beganMs) })
      assert.equal((yield* keys.find(bare.hash))?.key.mark, "revoked")
    })
  },
  {
    says: "law 5: a key reads the release that it was assigned last, and nothing else of it changes",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const key = yield* certifiedKey
      for (const releaseId of [release("a"), release("b")]) {
        const assigned = { ...key, releaseId }
        assert.deepEqual(unusedIn(yield* keys.assign({ keyId: key.keyId, releaseId })), {
          _tag: "Assigned",
          key: assigned
        })
        assert.deepEqual(withoutLastUse((yield* keys.find(key.hash))?.key), assigned)
      }
    })
  },
  {
    says: "law 5: a key of other scopes and a test key stay as they are, and an unknown one is none",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const plain = keyOf(organizationId)
      const keyId = freshId("key_") as KeyId
      const own: KeyRecord = {
        ...plain,
        ...{ keyId, mode: "test", scopes: [certifiedScope], organizationId: ownOrganization(keyId) },
        hash: plain.hash.replace(/^0/, "1") as KeyRecord["hash"]
      }
      for (const key of [plain, own]) assert.equal(yield* keys.issue(key), "issued")
      const assign = (key: KeyRecord) => keys.assign({ keyId: key.keyId, releaseId: release("c") })
      assert.deepEqual(yield* assign(plain), { _tag: "Unfit", because: "scope" })
      assert.deepEqual(yield* assign(own), { _tag: "Unfit", because: "test_key" })
      assert.deepEqual((yield* keys.find(plain.hash))?.key, plain)
      assert.deepEqual(yield* keys.find(own.hash), ownHolder(own))
      assert.equal(yield* assign({ ...plain, keyId: freshId("key_") as KeyId }), undefined)
    })
  }
]

const certifiedKey = Effect.gen(function* () {
  const { organizationId } = yield* newAccount({ pack: "credits" })
  const key: KeyRecord = { ...keyOf(organizationId), scopes: [certifiedScope], releaseId: null }
  assert.equal(yield* (yield* Keys).issue(key), "issued")
  return key
})
