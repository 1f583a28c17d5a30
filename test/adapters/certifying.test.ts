import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { describe, expect } from "vitest"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresReleases from "../../adapters/postgres/Releases.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import type { Crypto } from "../../core/port/Crypto.ts"
import type { Policies } from "../../core/port/Policies.ts"
import { Releases } from "../../core/port/Releases.ts"
import type { Signatures } from "../../core/port/Signatures.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Release } from "../../core/release/Release.ts"
import { certify } from "../../core/admin/certify.ts"
import { certifyLibrary, imports, memoryCertifying, signingLayer } from "../kit/certifying.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { day, diagnoses, documentOf, procedure, ruleOf } from "../kit/library.ts"
import { freshDatabase } from "../kit/postgres.ts"

const postgresAt = (connection: Database.Connection) =>
  Layer.mergeAll(
    postgresPorts,
    PostgresReleases.layer,
    Layer.provideMerge(signingLayer, MemorySigningKeys.layer),
    NodeCrypto.layer
  ).pipe(Layer.provideMerge(Database.layer(connection)), Layer.orDie, Layer.fresh)

type Ports = Crypto | Policies | Releases | Signatures | Snapshots

const memory: Layer.Layer<Ports> = Layer.fresh(memoryCertifying)
const postgres: Layer.Layer<Ports> = Layer.unwrap(Effect.map(freshDatabase, postgresAt))
const stores = [
  ["memory", memory],
  ["PostgreSQL", postgres]
] as const

/** More policies than one page of versions, and codes of two systems. */
const documents: ReadonlyArray<PolicyDocument> = [
  ...Array.from({ length: 40 }, (_, index) =>
    documentOf({ policyId: `L${100 + index}`, codeGroups: [procedure("E0601"), diagnoses(`E11${index}`)] })
  ),
  documentOf({
    policyId: "NCD 220.6",
    codeGroups: [procedure("K0001")],
    priorAuth: [ruleOf({ documentation: ["A chart"] })]
  }),
  documentOf({ policyId: "A900" })
]

const hcpcs = { kind: "hcpcs", snapshotId: "b".repeat(64), sourceAsOf: day("2026-01-01") } as const

const idOf = (given: ReadonlyArray<PolicyDocument>, store: Layer.Layer<Ports> = memory) =>
  Effect.gen(function* () {
    yield* imports(given)
    return (yield* certifyLibrary()).release.releaseId
  }).pipe(Effect.provide(store))

/** Everything that a release answers, to the last byte. */
const answers = Effect.fnUntraced(function* ({ releaseId }: Release) {
  const releases = yield* Releases
  const query = { releaseId, codeSystem: null, payerCode: null, after: null, limit: 7 }
  const found = [yield* releases.find(releaseId), yield* releases.page({ ...query, code: "E0601" })]
  return JSON.stringify([...found, yield* Stream.runCollect(releases.decisions(releaseId))])
})

for (const [name, store] of stores) {
  describe(`certifying in ${name}`, () => {
    it.live("§4.5 certifies every code of every policy in force once, and counts them", () =>
      Effect.gen(function* () {
        yield* imports(documents)
        const { isNew, release } = yield* certifyLibrary()
        expect(isNew).toBe(true)
        expect(release.manifest).toMatchObject({
          origin: "imported",
          source_as_of: "2026-03-05",
          // Forty with two codes each, and one that lists a code and rules another; one lists none.
          policy_count: 41,
          decision_count: 82
        })
        const decisions = yield* Stream.runCollect((yield* Releases).decisions(release.releaseId))
        expect(new Set(decisions.map((one) => `${one.policy.policyId} ${one.code.code}`)).size).toBe(82)
        expect(decisions.filter((one) => one.code.disposition === "requires_pa").length).toBe(1)
      }).pipe(Effect.provide(store))
    )

    it.live("the same inputs are the same release, after a re-import and in any order", () =>
      Effect.gen(function* () {
        yield* imports(documents)
        const { release } = yield* certifyLibrary()
        yield* imports(documents)
        expect(yield* certifyLibrary()).toEqual({ release, isNew: false })
        expect(yield* idOf(documents.toReversed())).toBe(release.releaseId)
      }).pipe(Effect.provide(store))
    )

    it.live("importing newer data and retiring a policy changes no byte of what is certified", () =>
      Effect.gen(function* () {
        yield* imports(documents)
        const { release } = yield* certifyLibrary()
        const before = yield* answers(release)
        const retired = documents.map(
          (one) => ({ ...one, status: "retired", retireDate: day("2026-03-01") }) as const
        )
        yield* imports(retired, { snapshotId: "c".repeat(64), sourceAsOf: day("2026-04-01") })
        expect(yield* answers(release)).toBe(before)
        const asOf = yield* certifyLibrary({ sourceAsOf: day("2026-02-01") })
        expect(asOf.release.releaseId).not.toBe(release.releaseId)
        expect(yield* Effect.flip(certifyLibrary())).toMatchObject({ lacks: "decisions" })
        expect(yield* answers(release)).toBe(before)
        expect((yield* (yield* Releases).list).length).toBe(2)
      }).pipe(Effect.provide(store))
    )

    it.live("before the first import there is nothing to certify", () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(certifyLibrary())).toMatchObject({ lacks: "imports" })
        yield* imports([documentOf({ policyId: "A900" })])
        expect(yield* Effect.flip(certifyLibrary())).toMatchObject({ lacks: "decisions" })
        expect(yield* (yield* Releases).list).toEqual([])
      }).pipe(Effect.provide(store))
    )
  })
}

describe("coverage-domain §2.2: a release id", () => {
  it.live("is the same in memory and in PostgreSQL", () =>
    Effect.gen(function* () {
      expect(yield* idOf(documents, postgres)).toBe(yield* idOf(documents))
    })
  )

  it.live("is another for one changed byte of a source, a policy or a rule", () =>
    Effect.gen(function* () {
      const changed = (change: Partial<PolicyDocument>) =>
        documents.map((one) => (one.policy.policyId === "NCD 220.6" ? { ...one, ...change } : one))
      const ids = yield* Effect.all([
        idOf(documents),
        idOf(changed({ title: "Policy NCD 220.6!" })),
        idOf(changed({ sourceDocumentSha256: `${"0".repeat(63)}1` })),
        idOf(changed({ priorAuth: [ruleOf({ documentation: ["A Chart"] })] })),
        idOf(documents.slice(1)),
        Effect.gen(function* () {
          yield* imports(documents)
          yield* imports([], hcpcs)
          return (yield* certifyLibrary()).release.releaseId
        }).pipe(Effect.provide(memory)),
        Effect.gen(function* () {
          yield* imports(documents, { snapshotId: `${"a".repeat(63)}b` })
          return (yield* certifyLibrary()).release.releaseId
        }).pipe(Effect.provide(memory))
      ])
      expect(new Set(ids).size).toBe(ids.length)
    })
  )
})

describe("certifying in PostgreSQL while others write", () => {
  it.live("sees the library as of one instant, whatever is imported meanwhile", () =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const [here, there] = yield* Effect.all([
        Layer.build(postgresAt(connection)),
        Layer.build(postgresAt(connection))
      ])
      const late = [documentOf({ policyId: "Z1", codeGroups: [procedure("E0601")] })]
      const importing = Effect.provide(imports(late, { snapshotId: "d".repeat(64) }), there)
      const made = yield* Effect.gen(function* () {
        yield* imports(documents)
        let steps = 0
        return yield* certify({ origin: "imported", sourceAsOf: null, expiresAt: null }, () =>
          steps++ === 0 ? Effect.promise(() => Effect.runPromise(Effect.orDie(importing))) : Effect.void
        )
      }).pipe(Effect.provide(here))
      expect(made.release.releaseId).toBe(yield* idOf(documents))
      const after = yield* Effect.provide(certifyLibrary(), here)
      expect(after.release.manifest.decision_count).toBe(83)
    }).pipe(Effect.scoped)
  )

  it.live("two that certify the same at once make one release", () =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const here = yield* Layer.build(postgresAt(connection))
      const there = yield* Layer.build(postgresAt(connection))
      yield* Effect.provide(imports(documents), here)
      const both = yield* Effect.all(
        [Effect.provide(certifyLibrary(), here), Effect.provide(certifyLibrary(), there)],
        {
          concurrency: 2
        }
      )
      expect(both.map(({ isNew }) => isNew).toSorted()).toEqual([false, true])
      expect(both[0].release).toEqual(both[1].release)
      expect((yield* Context.get(here, Releases).list).length).toBe(1)
    }).pipe(Effect.scoped)
  )
})

describe("coverage-domain §2.2: how long it takes", () => {
  const policies = 100
  const codes = 200

  it.live("certifies 20,000 decisions in a fifth of the minute that 100,000 may take", () =>
    Effect.gen(function* () {
      const codesOf = (policy: number) =>
        Array.from(
          { length: codes },
          (_, code) => `E${String((policy * 31 + code) % 9_999).padStart(4, "0")}`
        )
      const given = Array.from({ length: policies }, (_, index) =>
        documentOf({ policyId: `L${index}`, codeGroups: [procedure(...codesOf(index))] })
      )
      yield* imports(given)
      const beganMs = performance.now()
      const { release } = yield* certifyLibrary()
      expect(performance.now() - beganMs).toBeLessThan(12_000)
      expect(release.manifest.decision_count).toBe(policies * codes)
    }).pipe(Effect.provide(postgres))
  )
})
