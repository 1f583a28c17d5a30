import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { readingOn } from "../../core/coverage/reading.ts"
import type { NcdCodes } from "../../core/port/NcdCodes.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import { candidatesLaws } from "./candidatesLaws.ts"
import { criteriaLaws } from "./criteriaLaws.ts"
import { inForceLaws } from "./inForceLaws.ts"
import type { Law } from "./Law.ts"
import { day, documentOf, id, importedAt, passage, procedure, queryOf, save } from "./library.ts"
import { anyDocument, edgeDays } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { policyMatchLaws } from "./policyMatchLaws.ts"
import { policyPageLaws } from "./policyPageLaws.ts"
import { policySearchLaws } from "./policySearchLaws.ts"
import { withSeed } from "./withSeed.ts"

/** What every store of policies keeps (core/port/Policies.ts); each check wants an empty library. */
export const policiesLaws: ReadonlyArray<Law<Policies | Snapshots | NcdCodes>> = [
  {
    says: "§2.7 a policy reads on every day as the kernel folded over all its versions",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 60)
        yield* save(...documents)
        const oracle = yield* memoryLibraryOf(documents)
        const policies = yield* Policies
        for (const policyId of new Set(documents.map((document) => document.policy.policyId))) {
          for (const asOf of edgeDays) {
            const expected = yield* oracle.policies.find({ policyId, asOf })
            deepStrictEqual(yield* policies.find({ policyId, asOf }), expected)
            const folded = readingOn(oracle.library.policies.get(policyId) ?? [], asOf)
            deepStrictEqual([expected?.version, expected?.status], [folded?.version, folded?.status])
          }
        }
      })
    )
  },
  {
    says: "contract §2 an id that was never kept reads as nothing",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "NCD 220.6" }))
      const policies = yield* Policies
      for (const policyId of ["NCD 220.60", "ncd 220.6", "L1", "", "'; drop table policy; --", "\0"]) {
        strictEqual(yield* policies.find({ policyId: id(policyId), asOf: day("2026-01-01") }), undefined)
      }
    })
  },
  {
    says: "§2.7 a document of any length and any letters can be kept and is found by its first words",
    check: Effect.gen(function* () {
      const long = (word: (index: number) => string) =>
        Array.from({ length: 150_000 }, (_, index) => word(index)).join(" ")
      const texts = [
        long((index) => `x${index.toString(36)}-y${index.toString(36)}-z`),
        long((index) => `www.${index.toString(36)}.com/${index}`),
        long((index) =>
          String.fromCodePoint(0x4e00 + (index % 20_000), 0x4e00 + (index % 19_997), 0x20000 + index)
        ),
        long((index) => `${index.toString(36)}`),
        "y".repeat(1_000_000),
        "a\0b \ud800"
      ]
      const policies = yield* Policies
      for (const [index, text] of texts.entries()) {
        const document = documentOf({ policyId: `L${index}`, criteria: [passage("b", `oxygen ${text}`)] })
        yield* save(document)
        const read = yield* policies.find({ policyId: id(`L${index}`), asOf: day("2026-01-01") })
        deepStrictEqual(read?.version.criteria, document.criteria)
      }
      strictEqual((yield* policies.search(queryOf({ text: "oxygen" }))).listings.length, texts.length)
    })
  },
  {
    says: "contract §2 the history tells every change, oldest first",
    check: Effect.gen(function* () {
      const first = documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] })
      yield* save(
        first,
        first,
        documentOf({ policyId: "L2" }),
        { ...first, codeGroups: [procedure("E0470")] },
        {
          ...first,
          codeGroups: [procedure("E0470")],
          title: "Another",
          retireDate: day("2021-12-31")
        }
      )
      const history = yield* (yield* Policies).history(id("L1"))
      deepStrictEqual(
        history.map((step) => [step.oldVersion, step.newVersion, step.changeType, step.changedAt]),
        [
          [null, 1, "created", importedAt],
          [1, 2, "codes_changed", importedAt],
          [2, 3, "retired", importedAt]
        ]
      )
      deepStrictEqual(history[1]?.changedFields, ["codes"])
      ok(history.every((step) => step.changeSummary !== ""))
      deepStrictEqual(yield* (yield* Policies).history(id("L9")), [])
    })
  },
  ...policySearchLaws,
  ...policyMatchLaws,
  ...policyPageLaws,
  ...candidatesLaws,
  ...criteriaLaws,
  ...inForceLaws
]
