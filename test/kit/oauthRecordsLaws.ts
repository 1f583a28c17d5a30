import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { OAuthGrants as Grants } from "../../core/port/OAuthGrants.ts"
import type { OAuthRecord } from "../../core/port/OAuthRecords.ts"
import { OAuthRecords, OAuthRecordsUnavailable, recordModels } from "../../core/port/OAuthRecords.ts"
import { rotationWindowMs } from "../../core/oauth/rotation.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Law } from "./Law.ts"
import type { OAuthMembers } from "./oauths.ts"
import { openGrant, recordOf } from "./oauths.ts"

/** What every store of the authorization server's records keeps (core/port/OAuthRecords.ts). */
export const oauthRecordsLaws: ReadonlyArray<Law<OAuthRecords | OAuthGrants | Organizations | OAuthMembers>> =
  [
    {
      says: "law 1: a record is found as it was saved last, by model and hash, until it is removed",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const { grant } = yield* openGrant()
        for (const model of recordModels) {
          const record = recordOf(model === "Interaction" ? null : grant, { model })
          assert.equal(yield* records.find(record), undefined)
          assert.equal(yield* records.save(record), true)
          assert.deepEqual(plain(yield* records.find(record)), record)
          const again = { ...record, sealed: Uint8Array.of(2), expiresAtMs: record.expiresAtMs + 1 }
          assert.equal(yield* records.save(again), true)
          assert.deepEqual(plain(yield* records.find(record)), again)
          const others = recordModels.filter((other) => other !== model)
          for (const other of others)
            assert.equal(yield* records.find({ model: other, hash: record.hash }), undefined)
          yield* records.remove(record)
          assert.equal(yield* records.find(record), undefined)
        }
      })
    },
    {
      says: "laws 1 and 2: with its grant a record ends, and none is saved for it any more",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const [{ grant }, other] = [yield* openGrant(), yield* openGrant()]
        const [record, bystander] = [recordOf(grant), recordOf(other.grant)]
        yield* records.save(record)
        yield* records.save(bystander)
        yield* (yield* Grants).end(grant.grantId)
        assert.equal(yield* records.find(record), undefined)
        assert.equal(yield* records.save(recordOf(grant)), false)
        assert.deepEqual(plain(yield* records.find(bystander)), bystander)
      })
    },
    {
      says: "law 3: an exchange spends one record and saves what is given for it",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const { grant } = yield* openGrant()
        const [spent, next, access] = [
          recordOf(grant),
          recordOf(grant),
          recordOf(grant, { model: "AccessToken" })
        ]
        yield* records.save(spent)
        const exchange = { spent, atMs: 1_000, records: [next, access] }
        assert.deepEqual(yield* records.exchange(exchange), { _tag: "Exchanged" })
        assert.deepEqual(plain(yield* records.find(spent)), { ...spent, spentAtMs: 1_000 })
        for (const record of exchange.records) assert.deepEqual(plain(yield* records.find(record)), record)
      })
    },
    {
      says: "law 3: a code spent twice, or a refresh token after its window, ends its grant and no other",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const reuses = [
          { model: "AuthorizationCode", againAtMs: 1_000 },
          { model: "AuthorizationCode", againAtMs: 2_000 },
          { model: "RefreshToken", againAtMs: 1_001 + rotationWindowMs }
        ] as const
        for (const { againAtMs, model } of reuses) {
          const [{ grant }, other] = [yield* openGrant(), yield* openGrant()]
          const [spent, next, bystander] = [
            recordOf(grant, { model }),
            recordOf(grant),
            recordOf(other.grant)
          ]
          yield* records.save(spent)
          yield* records.save(bystander)
          yield* records.exchange({ spent, atMs: 1_000, records: [next] })
          const reused = yield* records.exchange({ spent, atMs: againAtMs, records: [recordOf(grant)] })
          assert.deepEqual(reused, { _tag: "Reused", grant })
          assert.equal(yield* records.find(next), undefined)
          assert.equal(yield* (yield* Grants).find(grant.grantId), undefined)
          assert.deepEqual(yield* records.exchange({ spent, atMs: againAtMs, records: [] }), {
            _tag: "Ended"
          })
          assert.deepEqual(plain(yield* records.find(bystander)), bystander)
          assert.notEqual(yield* (yield* Grants).find(other.grant.grantId), undefined)
        }
      })
    },
    {
      says: "law 3: a refresh token spent again within its window saves nothing and leaves the grant open",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const { grant } = yield* openGrant()
        const [spent, next] = [recordOf(grant), recordOf(grant)]
        yield* records.save(spent)
        yield* records.exchange({ spent, atMs: 1_000, records: [next] })
        for (const atMs of [999, 1_000, 1_000 + rotationWindowMs]) {
          const branch = recordOf(grant)
          assert.deepEqual(yield* records.exchange({ spent, atMs, records: [branch] }), { _tag: "Repeated" })
          assert.equal(yield* records.find(branch), undefined)
        }
        assert.deepEqual(plain(yield* records.find(next)), next)
        assert.equal((yield* records.find(spent))?.spentAtMs, 1_000)
        assert.notEqual(yield* (yield* Grants).find(grant.grantId), undefined)
      })
    },
    {
      says: "law 3: of many that spend one refresh token at once exactly one saves its records",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        for (let round = 0; round < 5; round++) {
          const { grant } = yield* openGrant()
          const spent = recordOf(grant)
          yield* records.save(spent)
          const given = Array.from({ length: 6 }, () => recordOf(grant))
          const answers = yield* Effect.forEach(
            given,
            (record) => records.exchange({ spent, atMs: 1_000, records: [record] }),
            { concurrency: "unbounded" }
          )
          const found = yield* Effect.forEach(given, records.find)
          assert.deepEqual(
            answers.map(({ _tag }) => _tag),
            found.map((record) => (record === undefined ? "Repeated" : "Exchanged"))
          )
          assert.equal(found.filter((record) => record !== undefined).length, 1)
        }
      })
    },
    {
      says: "law 3: of many that spend one code at once one is answered, and the grant ends",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        for (let round = 0; round < 5; round++) {
          const { grant } = yield* openGrant()
          const spent = recordOf(grant, { model: "AuthorizationCode" })
          yield* records.save(spent)
          const given = Array.from({ length: 6 }, () => recordOf(grant))
          const answers = yield* Effect.forEach(
            given,
            (record) => records.exchange({ spent, atMs: 1_000, records: [record] }),
            { concurrency: "unbounded" }
          )
          const tags = answers.map(({ _tag }) => _tag).sort()
          assert.deepEqual(tags, ["Ended", "Ended", "Ended", "Ended", "Exchanged", "Reused"])
          for (const record of given) assert.equal(yield* records.find(record), undefined)
        }
      })
    },
    {
      says: "law 3: a grant that ends while its records are spent leaves none behind",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        const grants = yield* Grants
        for (let round = 0; round < 5; round++) {
          const { grant } = yield* openGrant()
          const [spent, next] = [recordOf(grant), recordOf(grant)]
          yield* records.save(spent)
          yield* Effect.all(
            [grants.end(grant.grantId), records.exchange({ spent, atMs: 1_000, records: [next] })],
            { concurrency: "unbounded" }
          )
          assert.equal(yield* records.find(next), undefined)
        }
      })
    },
    {
      says: "law 4: what ended by an instant is forgotten, grants with it, and nothing else",
      check: Effect.gen(function* () {
        const records = yield* OAuthRecords
        yield* records.forget(1)
        const { grant } = yield* openGrant({ connectedAtMs: 1_000, endsAtMs: 5_000 })
        const [old, live] = [recordOf(grant, { expiresAtMs: 2_000 }), recordOf(grant, { expiresAtMs: 4_000 })]
        yield* records.save(old)
        yield* records.save(live)
        assert.equal(yield* records.forget(2_000), 1)
        assert.equal(yield* records.find(old), undefined)
        assert.deepEqual(plain(yield* records.find(live)), live)
        assert.equal(yield* records.forget(3_999), 0)
        assert.notEqual(yield* (yield* Grants).find(grant.grantId), undefined)
        yield* records.forget(5_000)
        assert.equal(yield* (yield* Grants).find(grant.grantId), undefined)
        assert.equal(yield* records.find(live), undefined)
      })
    }
  ]

/** What a store of records keeps whose PostgreSQL is unavailable. */
export const absentOAuthRecordsLaws: ReadonlyArray<Law<OAuthRecords>> = [
  {
    says: "law 5: a store that is unavailable says so",
    check: Effect.gen(function* () {
      const records = yield* OAuthRecords
      const record = recordOf(null)
      const verbs = [
        records.save(record),
        records.find(record),
        records.exchange({ spent: record, atMs: 0, records: [] }),
        records.remove(record),
        records.forget(0)
      ]
      for (const verb of verbs) {
        const failure = yield* Effect.flip(verb as Effect.Effect<unknown, OAuthRecordsUnavailable>)
        assert.ok(failure instanceof OAuthRecordsUnavailable)
        assert.equal(failure.fault, "unreachable")
      }
    })
  }
]

/** Bytes come back as whatever array of bytes the store likes. */
const plain = (record: OAuthRecord | undefined): OAuthRecord | undefined =>
  record && { ...record, sealed: Uint8Array.from(record.sealed) }
