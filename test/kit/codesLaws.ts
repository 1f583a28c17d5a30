import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { CodeSystem } from "../../core/coverage/Code.ts"
import type { CodeTableFile } from "../../core/coverage/CodeTable.ts"
import { codeTablesOf } from "../../core/coverage/CodeTable.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import {
  day,
  diagnoses,
  documentOf,
  feeOf,
  importedAt,
  procedure,
  recordOf,
  save,
  snapshotOf
} from "./library.ts"
import { anyDocument, anyQuery, anyRecord, edgeDays } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { withSeed } from "./withSeed.ts"

const at = importedAt
const today = day("2026-01-01")
const snapshot = snapshotOf({ kind: "hcpcs" })
const anyCode = fc.constantFrom("E0601", "E0610", "E0470", "E047", "S72001A", "S7200", "X9999")
const anySystem = fc.constantFrom("HCPCS" as const, "ICD10CM" as const, null)

/** What every store of codes keeps (core/port/Codes.ts); each check wants an empty library. */
export const codesLaws: ReadonlyArray<Law<Codes | Snapshots>> = [
  {
    says: "contract §2 a code reads on every day as the kernel chose among its editions, in the order asked",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const oracle = yield* memoryLibraryOf([])
        const snapshots = yield* Snapshots
        for (const record of draw(anyRecord, 60)) {
          yield* snapshots.save({ _tag: "Codes", snapshot, codes: [record] })
          yield* oracle.snapshots.save({ _tag: "Codes", snapshot, codes: [record] })
        }
        const codes = yield* Codes
        for (const asOf of edgeDays) {
          for (const asked of draw(fc.tuple(fc.array(anyCode, { maxLength: 8 }), anySystem), 5)) {
            const query = { codes: asked[0], codeSystem: asked[1], asOf }
            deepStrictEqual(yield* codes.find(query), yield* oracle.codes.find(query))
          }
        }
      })
    )
  },
  {
    says: "contract §2 a code that ended is found with its last day, one to come with its first",
    check: Effect.gen(function* () {
      const { save } = yield* Snapshots
      const past = recordOf({ code: "E0601", effectiveDate: day("2000-01-01") })
      const ended = { ...past, terminationDate: day("2019-12-31") }
      const future = recordOf({ code: "E9999", effectiveDate: day("2030-01-01") })
      yield* save({ _tag: "Codes", snapshot, codes: [past] })
      yield* save({ _tag: "Codes", snapshot, codes: [ended, future] })
      const codes = yield* Codes
      const found = yield* codes.find({
        codes: ["E9999", "E0601", "NONE", "'", "\0"],
        codeSystem: null,
        asOf: today
      })
      deepStrictEqual(found, [future, ended])
    })
  },
  {
    says: "contract §2 suggestions are the kernel's best of all codes, in its order",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const oracle = yield* memoryLibraryOf([])
        const snapshots = yield* Snapshots
        const records = draw(anyRecord, 40).map((record, index) => ({
          ...record,
          code: `${record.code}${index % 9}`
        }))
        yield* snapshots.save({ _tag: "Codes", snapshot, codes: records })
        yield* oracle.snapshots.save({ _tag: "Codes", snapshot, codes: records })
        const codes = yield* Codes
        const text = fc.oneof(
          anyCode,
          fc.constantFrom("e06", "S72.001", "oxygen", "Lumbar pump", "E", "", "scan!")
        )
        for (const asked of draw(
          fc.record({ text, codeSystem: anySystem, limit: fc.integer({ min: 1, max: 6 }) }),
          80
        )) {
          deepStrictEqual(
            yield* codes.suggest(asked),
            yield* oracle.codes.suggest(asked),
            JSON.stringify(asked)
          )
        }
      })
    )
  },
  {
    says: "contract §2 a slip or a word of the description suggests the code, scored 0 to 1",
    check: Effect.gen(function* () {
      const record = recordOf({
        code: "E0601",
        description: "Continuous positive airway pressure (CPAP) device"
      })
      yield* (yield* Snapshots).save({
        _tag: "Codes",
        snapshot,
        codes: [record, recordOf({ code: "L8000" })]
      })
      const codes = yield* Codes
      const texts = ["E0610", "E060", "E061", "E06011", "e0601", "cpap", "airway pressure"]
      for (const text of texts) {
        const [first, ...others] = yield* codes.suggest({ text, codeSystem: null, limit: 5 })
        strictEqual(first?.code, "E0601", text)
        ok(first.score > 0 && first.score <= 1, text)
        strictEqual(others.length, 0, text)
      }
      for (const text of [
        "F0601",
        "0601",
        "'",
        "\0",
        "%",
        "\\",
        "( | &",
        "x".repeat(500),
        "\ud800",
        "",
        "zzz"
      ]) {
        deepStrictEqual(yield* codes.suggest({ text, codeSystem: null, limit: 5 }), [], text)
      }
    })
  },
  {
    says: "contract §2 the policies of a code are those in force that list it in the place, by id, at most the limit",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const oracle = yield* memoryLibraryOf(documents)
        const codes = yield* Codes
        for (const { asOf, limit, place } of draw(anyQuery, 60)) {
          const query = { codes: ["E0601", "E1165", "NONE", "L8000"], place, asOf, limit }
          deepStrictEqual(
            yield* codes.policies(query),
            yield* oracle.codes.policies(query),
            JSON.stringify(query)
          )
        }
      })
    )
  },
  {
    says: "coverage-domain §2.1 the tables are the kernel's of every complete file of codes, within a second",
    check: Effect.gen(function* () {
      const { complete } = yield* Snapshots
      const stated = { name: "2016..2026", from: day("2016-01-01"), until: day("2026-12-31") }
      const file = (kind: CodeTableFile["kind"], sourceAsOf: string, edition: CodeTableFile["edition"]) => ({
        snapshotId: `${kind} ${sourceAsOf}`,
        kind,
        sourceAsOf: day(sourceAsOf),
        edition
      })
      const files = [
        file("pfs", "2026-07-01", null),
        file("hcpcs", "2016-01-01", stated),
        file("icd10cm", "2021-01-01", null),
        file("pfs", "2026-01-01", null)
      ]
      const codes = yield* Codes
      deepStrictEqual(yield* codes.tables, [])
      for (const { edition, ...snapshot } of files) yield* complete({ snapshot, edition, at })
      yield* complete({ snapshot: snapshotOf({ snapshotId: "policies" }), at })
      yield* Effect.sleep("1100 millis")
      deepStrictEqual(yield* codes.tables, codeTablesOf(files))
    })
  },
  {
    says: "contract §2 fees are the whole service's row in the schedule of the day, once it is complete",
    check: Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const schedule = (sourceAsOf: string) =>
        snapshotOf({ snapshotId: sourceAsOf, kind: "pfs", sourceAsOf: day(sourceAsOf) })
      const keep = (sourceAsOf: string, ...fees: ReadonlyArray<FeeScheduleRow>) =>
        snapshots.save({ _tag: "Fees", snapshot: schedule(sourceAsOf), fees })
      const [whole, part] = [feeOf({ workRvu: 1.3 }), feeOf({ modifier: "26", workRvu: 0.5 })]
      strictEqual((yield* keep("2026-01-01", whole, part, feeOf({ code: "G0127" }))).written, 3)
      strictEqual((yield* keep("2026-01-01", whole, part)).written, 0)
      yield* keep("2026-07-01", feeOf({ workRvu: 1.4 }))
      yield* snapshots.complete({ snapshot: schedule("2026-01-01"), at })
      const codes = yield* Codes
      const on = (asOf: string) => codes.fees({ codes: ["G0127", "99213", "NONE", "\0"], asOf: day(asOf) })
      yield* Effect.sleep("1100 millis")
      const first = { edition: "2026", judges: true }
      const january = [
        { ...whole, ...first },
        { ...feeOf({ code: "G0127" }), ...first }
      ]
      deepStrictEqual(yield* on("2026-08-01"), january)
      deepStrictEqual(yield* on("2025-12-31"), [])
      yield* snapshots.complete({ snapshot: schedule("2026-07-01"), at })
      yield* Effect.sleep("1100 millis")
      deepStrictEqual(yield* on("2026-06-30"), january)
      deepStrictEqual(yield* on("2026-07-01"), [{ ...feeOf({ workRvu: 1.4 }), ...first }])
      deepStrictEqual(yield* on("2027-07-01"), [
        { ...feeOf({ workRvu: 1.4 }), edition: "2026", judges: false }
      ])
    })
  },
  {
    says: "contract §2 a description is the documents' last, else the table's of the day, never CPT's or CDT's",
    check: Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const said = (code: string, codeSystem: CodeSystem, description: string) =>
        snapshots.save({ _tag: "Descriptions", snapshot, descriptions: [{ code, codeSystem, description }] })
      const old = recordOf({ code: "L8000", description: "A bra", effectiveDate: day("2000-01-01") })
      yield* snapshots.save({
        _tag: "Codes",
        snapshot,
        codes: [old, recordOf({ code: "E0601", description: "Table's" })]
      })
      const renamed = { ...old, description: "Another bra", effectiveDate: day("2025-01-01") }
      yield* snapshots.save({
        _tag: "Codes",
        snapshot,
        codes: [renamed, recordOf({ code: "D0120", description: "x" })]
      })
      strictEqual((yield* said("E0601", "HCPCS", "First")).written, 1)
      strictEqual((yield* said("E0601", "HCPCS", "Document's")).written, 1)
      strictEqual((yield* said("E0601", "HCPCS", "Document's")).written, 0)
      yield* said("99213", "CPT", "x")
      yield* said("M5416", "ICD10CM", "Radiculopathy")
      const codes = yield* Codes
      const on = (asOf: string) =>
        codes.descriptions({ codes: ["E0601", "L8000", "99213", "D0120", "M5416", "NONE"], asOf: day(asOf) })
      const same: ReadonlyArray<readonly [string, string]> = [
        ["HCPCS E0601", "Document's"],
        ["ICD10CM M5416", "Radiculopathy"]
      ]
      deepStrictEqual(new Map(yield* on("2024-01-01")), new Map([...same, ["HCPCS L8000", "A bra"]]))
      deepStrictEqual(new Map(yield* on("2026-01-01")), new Map([...same, ["HCPCS L8000", "Another bra"]]))
    })
  },
  {
    says: "contract §2 a code's policies say what each says of it",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "A2", codeGroups: [diagnoses("E1165")], sourceShape: "code_list_only" }),
        documentOf({ policyId: "A1", codeGroups: [procedure("E0601")] }),
        documentOf({ policyId: "A3", codeGroups: [procedure("E0601")], retireDate: day("2021-01-01") })
      )
      const found = yield* (yield* Codes).policies({
        codes: ["E0601", "E1165"],
        place: null,
        asOf: today,
        limit: 9
      })
      const said = (code: string) =>
        found.get(code)?.map((each) => [each.listing.policy.policyId, each.disposition])
      deepStrictEqual(said("E0601"), [["A1", "conditional"]])
      deepStrictEqual(said("E1165"), [["A2", "covered"]])
      yield* save(documentOf({ policyId: "A0", codeGroups: [procedure("E0601")] }))
      const one = yield* (yield* Codes).policies({ codes: ["E0601"], place: null, asOf: today, limit: 1 })
      deepStrictEqual(
        one.get("E0601")?.map((each) => each.listing.policy.policyId),
        ["A0"]
      )
    })
  }
]
