import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { Library } from "../../adapters/memory/Library.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import type { ImportProgress } from "../../core/import/ImportReport.ts"
import { SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import { editedFixture, fixture } from "../kit/cmsFixtures.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const silent = () => Effect.void
const importMcd = (path: string) =>
  Effect.scoped(Effect.flatMap(readMcd(path), (source) => importPolicies(source, silent)))

const changes = Effect.map(Library, (library) => library.changes)
const library = Layer.fresh(memoryLibrary)

describe("importing a download (§2.7, contract §4)", () => {
  it.effect("keeps every policy, its versions in order, and says what came of it", () =>
    Effect.gen(function* () {
      const { seconds, snapshot, gaps, ...report } = yield* importMcd(fixture("mcd"))
      expect(report).toEqual({ policies: 27, versions: 28, codes: 78, changes: 28, unchanged: false })
      expect([snapshot.length, seconds >= 0, gaps.length]).toEqual([64, true, 3])
      const kept = (yield* Library).policies
      expect(
        [...kept]
          .find(([id]) => id === "NCD 270.90")?.[1]
          .map((version) => [version.version, version.effectiveDate])
      ).toEqual([
        [1, "2012-04-01"],
        [2, "2022-10-01"]
      ])
      expect((yield* Library).jurisdictions.size).toBe(5)
    }).pipe(Effect.provide(library))
  )

  it.effect("does nothing for a snapshot that is complete", () =>
    Effect.gen(function* () {
      yield* importMcd(fixture("mcd"))
      const again = yield* importMcd(fixture("mcd"))
      expect(again).toMatchObject({ policies: 0, versions: 0, changes: 0, unchanged: true })
    }).pipe(Effect.provide(library))
  )

  it.effect("keeps a document's new version, and no change of it where the version alone is new", () =>
    Effect.gen(function* () {
      yield* importMcd(fixture("mcd"))
      const before = (yield* changes).length
      expect(yield* importMcd(fixture("mcd-next"))).toMatchObject({ policies: 29, versions: 9, changes: 7 })
      expect(
        (yield* changes)
          .slice(before)
          .map((one) => [one.policyId, one.changeType, one.addedCodes, one.modifiedCriteria])
          .toSorted()
      ).toEqual([
        ["A95001", "codes_changed", ["62322"], []],
        ["A95011", "codes_changed", [], []],
        ["A95020", "created", ["82306", "E559", "Z1321"], []],
        ["L90001", "criteria_changed", [], ["indications-1"]],
        ["L90003", "retired", [], []],
        ["L90011", "metadata_changed", [], []],
        ["L90020", "created", [], []]
      ])
    }).pipe(Effect.provide(library))
  )

  it.effect("keeps nothing of a malformed download", () =>
    Effect.gen(function* () {
      const broken = yield* editedFixture("mcd", { article_related_documents: (text) => `${text}95001,20` })
      expect(yield* Effect.flip(importMcd(broken))).toMatchObject({
        file: "article_related_documents.csv",
        line: 9
      })
      const kept = yield* Library
      expect([kept.policies.size, kept.jurisdictions.size, kept.snapshots.size]).toEqual([0, 0, 0])
    }).pipe(Effect.provide(library))
  )

  it.effect("is finished by running it again after it was cut off, wherever that was", () =>
    Effect.gen(function* () {
      const whole = yield* Effect.provide(
        Effect.flatMap(importMcd(fixture("mcd")), () => Library),
        Layer.fresh(memoryLibrary)
      )
      for (const cutOff of [0, 1, 5, 26]) {
        const again = yield* Effect.provide(interrupted(cutOff), Layer.fresh(memoryLibrary))
        expect(again.changes).toBe(whole.changes.length)
        expect(again.versions).toEqual(versionsIn(whole))
      }
    })
  )

  it.effect("reports its progress to the last policy", () =>
    Effect.gen(function* () {
      const seen: Array<ImportProgress> = []
      const source = yield* readMcd(fixture("mcd"))
      yield* importPolicies(source, (progress) =>
        Effect.sync(() => {
          seen.push(progress)
        })
      )
      expect(seen[0]).toEqual({ stage: "reading", done: 0, total: 0 })
      expect(seen.at(-1)).toEqual({ stage: "policies", done: 27, total: 27 })
      expect(seen.map((one) => one.done)).toEqual(seen.map((_, index) => index))
    }).pipe(Effect.scoped, Effect.provide(library))
  )
})

const versionsIn = (kept: typeof Library.Service) =>
  [...kept.policies]
    .map(([id, versions]) => [id, versions.map((version) => version.fingerprintSha256)])
    .toSorted()

/** An import whose store goes away after that many policies, and then the same import once more. */
const interrupted = (policies: number) =>
  Effect.gen(function* () {
    const kept = yield* Library
    const snapshots = yield* Snapshots
    let saved = 0
    const failing = Snapshots.of({
      ...snapshots,
      saveHistory: (input) => {
        saved += 1
        return saved > policies
          ? Effect.fail(new SnapshotsUnavailable({ fault: "unreachable" }))
          : snapshots.saveHistory(input)
      }
    })
    const failure = yield* Effect.flip(Effect.provideService(importMcd(fixture("mcd")), Snapshots, failing))
    expect(failure._tag).toBe("SnapshotsUnavailable")
    expect(kept.snapshots.size).toBe(0)
    yield* importMcd(fixture("mcd"))
    return { changes: kept.changes.length, versions: versionsIn(kept) }
  })

describe("importing codes (contract §4)", () => {
  it.effect("keeps every code once, and nothing when the file comes again", () =>
    Effect.gen(function* () {
      const codes = Effect.flatMap(readHcpcs(fixture("codes/hcpcs.txt")), (source) =>
        importCodes(source, silent)
      )
      expect(yield* codes).toMatchObject({ codes: 45, policies: 0, unchanged: false })
      expect(yield* codes).toMatchObject({ codes: 0, unchanged: true })
      const icd = Effect.flatMap(readIcd10cm(fixture("codes/icd10cm-order-Jan-2021.txt")), (source) =>
        importCodes(source, silent)
      )
      expect(yield* icd).toMatchObject({ codes: 15 })
    }).pipe(Effect.provide(library))
  )

  it.effect("ends the codes that a newer edition leaves out, and none for an older one", () =>
    Effect.gen(function* () {
      const source = yield* readHcpcs(fixture("codes/hcpcs.txt"))
      yield* importCodes(source, silent)
      const contents = yield* source.read
      const edition = (sourceAsOf: string) => {
        const snapshot = {
          ...contents.snapshot,
          snapshotId: sourceAsOf.repeat(7).slice(0, 64),
          sourceAsOf
        } as typeof contents.snapshot
        const codes = contents.codes.filter((code) => code.code !== "E0650")
        return {
          kind: source.kind,
          snapshotId: snapshot.snapshotId,
          read: Effect.succeed({ ...contents, snapshot, codes })
        }
      }
      expect((yield* importCodes(edition("2015-01-01"), silent)).codes).toBe(0)
      expect((yield* importCodes(edition("2018-01-01"), silent)).codes).toBe(1)
      expect((yield* Library).codes.get("E0650")?.get("HCPCS")?.at(-1)?.terminationDate).toBe("2017-12-31")
    }).pipe(Effect.provide(library))
  )
})
