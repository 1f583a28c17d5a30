import assert from "node:assert/strict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { changeKey } from "../../core/key/change.ts"
import type { KeyHash, KeyId, KeyRecord } from "../../core/key/state.ts"
import { keyActions } from "../../core/key/state.ts"
import { ownHolder, ownOrganization } from "../../core/key/testKey.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Accounts } from "./accounts.ts"
import { newAccount, Elsewhere, freshId, isoTime } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"
import { withoutLastUse } from "./unused.ts"

/** What every store of keys keeps (core/port/Keys.ts). */
export const keysLaws: ReadonlyArray<Law<Keys | Organizations>> = [
  {
    says: "law 1: an issued key is found by its hash as it was issued, with its organization's pack (§2.5)",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({
        pack: "scale",
        createdMs: yield* Clock.currentTimeMillis
      })
      for (const key of [keyOf(organizationId), bareKeyOf(organizationId)]) {
        assert.equal(yield* keys.issue(key), "issued")
        assert.deepEqual(yield* keys.find(key.hash), {
          key,
          pack: "scale",
          organizationSuspended: false,
          concurrentMax: null
        })
      }
    })
  },
  {
    says: "law 1: a key shows its organization's suspension, bound and pack as they are now",
    check: Effect.gen(function* () {
      const organizations = yield* Organizations
      const longAgoMs = (yield* Clock.currentTimeMillis) - 40 * 86_400_000
      const { organizationId } = yield* newAccount({ pack: "scale", createdMs: longAgoMs })
      const { hash } = yield* issued(organizationId)
      for (const change of [
        { _tag: "Suspend", reason: null },
        { _tag: "ConcurrentMax", max: 7 },
        { _tag: "Pack", pack: "build", nowMs: longAgoMs }
      ] as const)
        yield* organizations.change({ organizationId, change })
      const { pack, organizationSuspended, concurrentMax } = yield* found(hash)
      assert.deepEqual(
        { pack, organizationSuspended, concurrentMax },
        {
          pack: "build",
          organizationSuspended: true,
          concurrentMax: 7
        }
      )
    })
  },
  {
    says: "law 2: after any actions a key is as the kernel folded over them, and revoked is final (§3.2)",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const action = fc.record({ action: fc.constantFrom(...keyActions), reason: fc.constantFrom(null, "x") })
      const actions = fc.array(action, { maxLength: 6 })
      for (const history of fc.sample(actions, runs(30))) {
        let expected = yield* issued(organizationId)
        for (const change of history) {
          expected = changeKey(expected, change)
          assert.deepEqual(withoutLastUse(yield* keys.change({ keyId: expected.keyId, ...change })), expected)
          assert.deepEqual(withoutLastUse((yield* found(expected.hash)).key), expected)
        }
      }
    })
  },
  {
    says: "law 2: a key that is revoked while others suspend and lift it is revoked (§3.2)",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({ pack: "credits" })
      for (let round = 0; round < 20; round++) {
        const { hash, keyId } = yield* issued(organizationId)
        yield* Effect.forEach(
          ["suspend", "revoke", "unsuspend", "suspend"] as const,
          (action) => keys.change({ keyId, action, reason: null }),
          { concurrency: "unbounded" }
        )
        assert.equal((yield* found(hash)).key.mark, "revoked")
      }
    })
  },
  {
    says: "law 3: of ten that issue the same hash at once one succeeds, and its key stands",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const key = keyOf(organizationId)
      const rivals = Array.from({ length: 10 }, (_, index) => ({
        ...key,
        keyId: freshId("key_") as KeyId,
        name: `n${index}`
      }))
      const answers = yield* Effect.forEach(rivals, keys.issue, { concurrency: "unbounded" })
      assert.deepEqual(answers.toSorted(), ["issued", ...Array.from({ length: 9 }, () => "taken")])
      assert.equal((yield* found(key.hash)).key.name, `n${answers.indexOf("issued")}`)
    })
  },
  {
    says: "no key is issued without its organization; an unknown key is undefined",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const stray = keyOf(freshId("org_") as OrganizationId)
      assert.equal(yield* keys.issue(stray), "no_organization")
      assert.equal(yield* keys.find(stray.hash), undefined)
      assert.equal(yield* keys.change({ keyId: stray.keyId, action: "revoke", reason: null }), undefined)
      assert.equal(yield* keys.retire({ keyId: stray.keyId, until: isoTime(beganMs) }), undefined)
      assert.deepEqual(yield* keys.list(stray.organizationId), [])
    })
  },
  {
    says: "an organization's keys are listed in the order of their ids, and no other's",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const [one, other] = [yield* newAccount({ pack: "credits" }), yield* newAccount({ pack: "credits" })]
      const own = yield* Effect.forEach([1, 2, 3], () => issued(one.organizationId))
      yield* issued(other.organizationId)
      assert.deepEqual(yield* keys.list(one.organizationId), own)
    })
  },
  {
    says: "law 7: a test key alone needs no organization and has the Scale pack; a live key never is one",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const [key, other] = [ownKey(), ownKey()]
      assert.equal(yield* keys.issue(key), "issued")
      assert.equal(yield* keys.issue(other), "issued")
      assert.equal(yield* keys.issue(key), "taken")
      assert.deepEqual(yield* keys.find(key.hash), ownHolder(key))
      assert.deepEqual((yield* keys.list(key.organizationId)).map(withoutLastUse), [key])
      assert.equal(yield* (yield* Organizations).find(key.organizationId), undefined)
      const revoked = yield* keys.change({ keyId: key.keyId, action: "revoke", reason: null })
      assert.deepEqual(withoutLastUse(revoked), { ...key, mark: "revoked" })
      const live = { ...ownKey(), mode: "live" } as const
      assert.equal(yield* keys.issue(live), "no_organization")
    })
  }
]

/** What it keeps when two processes share the store. */
export const sharedKeysLaws: ReadonlyArray<Law<Accounts | Elsewhere>> = [
  {
    says: "law 4: a change is seen by the next find on another connection",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const { keyId, hash } = yield* issued(organizationId)
      const mark = Effect.provide(
        Effect.map(found(hash), ({ key }) => key.mark),
        elsewhere
      )
      const becomes = { suspend: "suspended", unsuspend: "valid", revoke: "revoked" } as const
      for (const action of keyActions) {
        yield* keys.change({ keyId, action, reason: null })
        assert.equal(yield* mark, becomes[action])
      }
    })
  }
]

/** What it keeps when two processes share the store and each remembers what it found. */
export const promptKeysLaws: ReadonlyArray<Law<Accounts | Elsewhere>> = [
  {
    says: "law 4: a change is seen by the next find of the same process, and elsewhere within a second",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const { keyId, hash } = yield* issued(organizationId)
      const mark = Effect.map(found(hash), ({ key }) => key.mark)
      const markElsewhere = Effect.provide(mark, elsewhere)
      const becomes = { suspend: "suspended", unsuspend: "valid", revoke: "revoked" } as const
      for (const action of keyActions) {
        yield* keys.change({ keyId, action, reason: null })
        assert.equal(yield* mark, becomes[action])
        yield* Effect.timeout(
          Effect.repeat(markElsewhere, { until: (seen) => seen === becomes[action] }),
          "1 second"
        )
      }
    })
  },
  {
    says: "a key that was unknown elsewhere is found there within a second of being issued",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "credits" })
      for (let round = 0; round < 10; round++) {
        const key = keyOf(organizationId)
        assert.equal(yield* keys.find(key.hash), undefined)
        const there = Effect.flatMap(Keys, ({ find }) => find(key.hash)).pipe(Effect.provide(elsewhere))
        assert.equal(yield* there, undefined)
        yield* keys.issue(key)
        assert.deepEqual((yield* keys.find(key.hash))?.key, key)
        yield* Effect.timeout(Effect.repeat(there, { until: (holder) => holder !== undefined }), "1 second")
      }
    })
  }
]

/** What it keeps while the store is unavailable. */
export const absentKeysLaws: ReadonlyArray<Law<Keys | Organizations>> = [
  {
    says: "every verb of keys and organizations fails as unreachable within a second",
    check: Effect.gen(function* () {
      const keys = yield* Keys
      const organizations = yield* Organizations
      const organizationId = freshId("org_") as OrganizationId
      const key = keyOf(organizationId)
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>> = [
        keys.find(key.hash),
        keys.issue(key),
        keys.change({ keyId: key.keyId, action: "revoke", reason: null }),
        keys.retire({ keyId: key.keyId, until: isoTime(beganMs) }),
        keys.list(organizationId),
        organizations.find(organizationId),
        organizations.change({ organizationId, change: { _tag: "Unsuspend" } })
      ]
      const faults = yield* Effect.forEach(verbs, (verb) => Effect.flip(verb), {
        concurrency: "unbounded"
      }).pipe(Effect.timeout("1 second"))
      assert.deepEqual([...new Set(faults.map(({ fault }) => fault))], ["unreachable"])
    })
  }
]

/** A test key that is an organization of its own. */
const ownKey = (): KeyRecord => {
  const { keyId, ...rest } = bareKeyOf("" as OrganizationId)
  return { ...rest, keyId, mode: "test", organizationId: ownOrganization(keyId) }
}

/** A live key that uses every field. */
export const keyOf = (organizationId: OrganizationId): KeyRecord => ({
  keyId: freshId("key_") as KeyId,
  hash: freshId("").padStart(64, "0") as KeyHash,
  organizationId,
  name: 'Front desk, "north"',
  mode: "live",
  scopes: ["read", "write"],
  mark: "valid",
  reason: null,
  createdAt: isoTime(beganMs),
  expiresAt: isoTime(beganMs + 86_400_123),
  lastUsedAt: null,
  allowedCidrs: ["192.0.2.0/24", "2001:db8::/32"],
  allowedOrigins: ["https://clinic.example"],
  releaseId: "rel_1"
})

export const bareKeyOf = (organizationId: OrganizationId): KeyRecord => ({
  ...keyOf(organizationId),
  scopes: ["read"],
  expiresAt: null,
  allowedCidrs: [],
  allowedOrigins: [],
  releaseId: null
})

const issued = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const key = keyOf(organizationId)
  assert.equal(yield* (yield* Keys).issue(key), "issued")
  return key
})

const found = Effect.fnUntraced(function* (hash: KeyHash) {
  return (yield* (yield* Keys).find(hash)) ?? assert.fail("the key is not found")
})
