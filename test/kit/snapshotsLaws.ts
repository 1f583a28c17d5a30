import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import {
  day,
  documentOf,
  id,
  importedAt,
  jurisdictionOf,
  pairOf,
  payerOf,
  procedure,
  queryOf,
  recordOf,
  save,
  snapshotOf,
  unitOf
} from "./library.ts"
import { anyDocument, anyPair, anyRecord, anyUnit } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { withSeed } from "./withSeed.ts"

const at = importedAt
const today = day("2026-01-01")

/** What every store of imported data keeps (core/port/Snapshots.ts); each check wants an empty library. */
export const snapshotsLaws: ReadonlyArray<Law<Snapshots | Policies | Codes | Payers>> = [
  {
    says: "§2.7 keeping any history of documents does what the kernel's revise decides",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 60).flatMap((one, index) =>
          index % 4 === 0 ? [one, one] : [one]
        )
        const oracle = yield* memoryLibraryOf([])
        const snapshots = yield* Snapshots
        for (const document of documents) {
          const input = { snapshot: snapshotOf({}), documents: [document], at }
          deepStrictEqual(yield* snapshots.saveHistory(input), yield* oracle.snapshots.saveHistory(input))
        }
      })
    )
  },
  {
    says: "§2.7 the same document twice is unchanged, whatever file it came from",
    check: Effect.gen(function* () {
      const document = documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] })
      deepStrictEqual(yield* save(document, { ...document, sourceDocumentSha256: "f".repeat(64) }), [
        { _tag: "Recorded", version: 1, changed: true },
        { _tag: "Unchanged" }
      ])
    })
  },
  {
    says: "§2.7 a new version leaves the old one readable on its days",
    check: Effect.gen(function* () {
      const before = documentOf({ policyId: "L1", title: "Before" })
      const policies = yield* Policies
      const title = (asOf: string) =>
        Effect.map(
          policies.find({ policyId: id("L1"), asOf: day(asOf) }),
          (reading) => reading?.version.title
        )
      yield* save(before)
      deepStrictEqual([yield* title("2023-12-31"), yield* title("2024-01-01")], ["Before", "Before"])
      yield* save({ ...before, title: "After", effectiveDate: day("2024-01-01") })
      deepStrictEqual([yield* title("2023-12-31"), yield* title("2024-01-01")], ["Before", "After"])
      const { listings } = yield* policies.search(queryOf({ asOf: day("2023-12-31") }))
      deepStrictEqual(
        listings.map((listing) => listing.title),
        ["Before"]
      )
    })
  },
  {
    says: "§2.7 a history is laid down whole and once; a policy that is known is only told of the newest",
    check: Effect.gen(function* () {
      const { saveHistory } = yield* Snapshots
      const documents = ["a", "b", "c", "d"].map((title, index) =>
        documentOf({ policyId: "NCD 1.1", title, effectiveDate: day(`202${index}-01-01`) })
      )
      const keep = (kept: ReadonlyArray<PolicyDocument>) =>
        saveHistory({ snapshot: snapshotOf({}), documents: kept, at })
      const recorded = (version: number) => ({ _tag: "Recorded", version, changed: true })
      deepStrictEqual(yield* keep([]), [])
      deepStrictEqual(yield* keep(documents.slice(0, 3)), [recorded(1), recorded(2), recorded(3)])
      deepStrictEqual(yield* keep(documents.slice(0, 3)), [{ _tag: "Unchanged" }])
      deepStrictEqual(yield* keep(documents), [recorded(4)])
      const history = yield* (yield* Policies).history(id("NCD 1.1"))
      deepStrictEqual(
        history.map((step) => step.newVersion),
        [1, 2, 3, 4]
      )
    })
  },
  {
    says: "§2.7 versions of one policy kept at once take their turns and lose none",
    check: Effect.gen(function* () {
      const titles = ["a", "b", "c", "d", "e", "f", "g", "h"]
      const kept = yield* Effect.forEach(titles, (title) => save(documentOf({ policyId: "L1", title })), {
        concurrency: "unbounded"
      })
      const versions = kept.flat().flatMap((each) => (each._tag === "Recorded" ? [each.version] : []))
      deepStrictEqual(
        versions.toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8]
      )
      strictEqual((yield* (yield* Policies).history(id("L1"))).length, 8)
    })
  },
  {
    says: "§2.7 a code equal to its newest edition is not written again, and of two in a batch the last counts",
    check: Effect.gen(function* () {
      const { save } = yield* Snapshots
      const snapshot = snapshotOf({ kind: "hcpcs" })
      const one = recordOf({ code: "E0601", description: "CPAP device" })
      const two = recordOf({ code: "E0601", codeSystem: "ICD10CM" })
      const reordered = { ...recordOf({ code: "E0601" }), code: "E0601", description: "CPAP device" }
      deepStrictEqual(
        yield* save({ _tag: "Codes", snapshot, codes: [{ ...one, description: "Old" }, one, two] }),
        {
          written: 2
        }
      )
      deepStrictEqual(yield* save({ _tag: "Codes", snapshot, codes: [reordered, two] }), { written: 0 })
      deepStrictEqual(yield* save({ _tag: "Codes", snapshot, codes: [{ ...one, billable: false }] }), {
        written: 1
      })
      deepStrictEqual(yield* save({ _tag: "Codes", snapshot, codes: [] }), { written: 0 })
    })
  },
  {
    says: "§2.7 a code that a snapshot lists no more ends the day before, once, and may come back",
    check: Effect.gen(function* () {
      const { save } = yield* Snapshots
      const codes = yield* Codes
      const snapshot = snapshotOf({ kind: "hcpcs", sourceAsOf: day("2025-01-01") })
      const [kept, gone, other] = [
        recordOf({ code: "E0601" }),
        recordOf({ code: "E0470" }),
        recordOf({ code: "M5450", codeSystem: "ICD10CM" })
      ]
      yield* save({ _tag: "Codes", snapshot, codes: [kept, gone, other] })
      const retire = save({
        _tag: "UnlistedCodes",
        snapshot,
        codeSystem: "HCPCS",
        listed: new Set(["E0601"])
      })
      deepStrictEqual([yield* retire, yield* retire], [{ written: 1 }, { written: 0 }])
      const find = codes.find({ codes: ["E0601", "E0470", "M5450"], codeSystem: null, asOf: today })
      deepStrictEqual(
        (yield* find).map((record) => record.terminationDate),
        [null, "2024-12-31", null]
      )
      deepStrictEqual(yield* save({ _tag: "Codes", snapshot, codes: [gone] }), { written: 1 })
      deepStrictEqual(
        (yield* find).map((record) => record.terminationDate),
        [null, null, null]
      )
    })
  },
  {
    says: "§2.7 keeping any history of codes writes what the memory's does",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const oracle = yield* memoryLibraryOf([])
        const snapshots = yield* Snapshots
        for (const size of [7, 1, 12, 3, 20]) {
          const snapshot = snapshotOf({ kind: "hcpcs" })
          const listing = { _tag: "Codes", snapshot, codes: draw(anyRecord, size) } as const
          deepStrictEqual(yield* snapshots.save(listing), yield* oracle.snapshots.save(listing))
          const listed = new Set(["E0601"])
          const ending = { _tag: "UnlistedCodes", snapshot, codeSystem: "HCPCS", listed } as const
          deepStrictEqual(yield* snapshots.save(ending), yield* oracle.snapshots.save(ending))
        }
      })
    )
  },
  {
    says: "contract §2 the jurisdictions are those of the newest snapshot, by code",
    check: Effect.gen(function* () {
      const { save } = yield* Snapshots
      const snapshot = snapshotOf({})
      const [j5, jh, dme] = ["J5", "JH", "DME JA"].map((jurisdictionCode) =>
        jurisdictionOf({ jurisdictionCode })
      )
      if (j5 === undefined || jh === undefined || dme === undefined) return
      deepStrictEqual(yield* save({ _tag: "Jurisdictions", snapshot, jurisdictions: [jh, j5] }), {
        written: 2
      })
      const renamed = { ...jh, macName: "Another" }
      const input = { _tag: "Jurisdictions", snapshot, jurisdictions: [renamed, dme] } as const
      deepStrictEqual([yield* save(input), yield* save(input)], [{ written: 2 }, { written: 0 }])
      deepStrictEqual(yield* (yield* Payers).jurisdictions, [dme, renamed])
    })
  },
  {
    says: "contract §1 data_as_of is the newest complete snapshot of each kind",
    check: Effect.gen(function* () {
      const snapshots = yield* Snapshots
      deepStrictEqual(yield* snapshots.current, [])
      const [older, newer, codes] = [
        snapshotOf({ snapshotId: "older", sourceAsOf: day("2025-01-01") }),
        snapshotOf({ snapshotId: "newer", sourceAsOf: day("2026-01-01") }),
        snapshotOf({ snapshotId: "codes", kind: "hcpcs", sourceAsOf: day("2016-01-01") })
      ]
      yield* snapshots.saveHistory({ snapshot: newer, documents: [documentOf({ policyId: "L1" })], at })
      strictEqual(yield* snapshots.isComplete("newer"), false)
      for (const snapshot of [newer, codes, older, older]) yield* snapshots.complete({ snapshot, at })
      strictEqual(yield* snapshots.isComplete("newer"), true)
      deepStrictEqual(yield* snapshots.current, [codes, newer])
      const corrected = { ...newer, snapshotId: "corrected" }
      yield* snapshots.complete({ snapshot: corrected, at })
      const current = yield* snapshots.current
      notStrictEqual(
        current.find((each) => each.snapshotId === "corrected"),
        undefined
      )
      strictEqual(current.length, 2)
    })
  },
  {
    says: "coverage-domain §2.2 every complete snapshot is told, by kind and then by id, once",
    check: Effect.gen(function* () {
      const { complete, completed } = yield* Snapshots
      const [a, b] = [snapshotOf({}), snapshotOf({ snapshotId: "b".repeat(64) })]
      const codes = snapshotOf({ snapshotId: "0".repeat(64), kind: "icd10cm" })
      deepStrictEqual(yield* completed, [])
      for (const snapshot of [b, a, codes, b]) yield* complete({ snapshot, at })
      deepStrictEqual(yield* completed, [codes, a, b])
    })
  },
  {
    says: "coverage-domain §1.3 an equal edit is not written again, of two in a batch the last counts",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const oracle = yield* memoryLibraryOf([])
        const snapshots = yield* Snapshots
        const snapshot = snapshotOf({ kind: "mue" })
        for (let batch = 0; batch < 8; batch++) {
          const input = {
            _tag: "Edits",
            snapshot,
            pairs: draw(anyPair, 30),
            units: draw(anyUnit, 30)
          } as const
          deepStrictEqual(yield* snapshots.save(input), yield* oracle.snapshots.save(input))
          deepStrictEqual(yield* snapshots.save({ ...input, units: [] }), { written: 0 })
        }
      })
    )
  },
  {
    says: "the generation grows with everything kept that may change an answer, and stands when nothing is written",
    check: Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const snapshot = snapshotOf({ snapshotId: "generations" })
      const writes = [
        snapshots.saveHistory({ snapshot, documents: [documentOf({ policyId: "L7" })], at }),
        snapshots.saveHistory({
          snapshot,
          documents: [documentOf({ policyId: "L7", title: "Renamed" })],
          at
        }),
        snapshots.save({ _tag: "Codes", snapshot, codes: [recordOf({ code: "E0001" })] }),
        snapshots.save({
          _tag: "Jurisdictions",
          snapshot,
          jurisdictions: [jurisdictionOf({ jurisdictionCode: "DME JA" })]
        }),
        snapshots.save({ _tag: "Payers", snapshot, payers: [payerOf({ code: "acme" })] }),
        snapshots.save({ _tag: "Edits", snapshot, pairs: [pairOf({})], units: [] }),
        snapshots.save({ _tag: "Edits", snapshot, pairs: [], units: [unitOf({})] }),
        snapshots.complete({ snapshot, at })
      ]
      let before = yield* snapshots.generation
      for (const write of writes) {
        yield* Effect.asVoid(write)
        const after = yield* snapshots.generation
        strictEqual(after > before, true)
        before = after
      }
      yield* snapshots.isComplete("generations")
      strictEqual(yield* snapshots.generation, before)
    })
  }
]
