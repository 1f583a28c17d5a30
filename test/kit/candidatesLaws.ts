import { diagnosisFilter } from "../../core/coverage/diagnosisFilter.ts"
import { deepStrictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import type { PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { policyCodes } from "../../core/coverage/view.ts"
import type { CandidatesQuery, PolicyQuery } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { day, diagnoses, documentOf, id, ncdCodeOf, procedure, queryOf } from "./library.ts"
import { anyDocument, anyNcdCodes, edgeDays, procedures } from "./libraryArbitraries.ts"
import { save } from "./library.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { ids } from "./policyPages.ts"
import { withSeed } from "./withSeed.ts"

const asOf = day("2026-01-01")

/** What a store finds for a decision about codes (coverage-domain §2.1, step 3). */
export const candidatesLaws: ReadonlyArray<Law<Policies | Snapshots | NcdCodes>> = [
  {
    says: "coverage-domain §2.1 candidates are what the kernel reads over everything that was kept",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const [rows = []] = draw(anyNcdCodes, 1)
        yield* (yield* NcdCodes).save({ origin: "imported", rows })
        const { library } = yield* memoryLibraryOf(documents)
        const policies = yield* Policies
        const codes = fc.subarray([...procedures, "E1165", "NONE"])
        for (const query of draw(fc.record({ codes, asOf: fc.constantFrom(...edgeDays) }), 60)) {
          const expected = candidatesOf({ kept: library.policies, rows }, query)
          deepStrictEqual(yield* policies.candidates(query), expected, JSON.stringify(query))
        }
      })
    )
  },
  {
    says: "coverage-domain §2.1 an article leads to its LCD and that to its NCD, and a row of NCD codes to its own",
    check: Effect.gen(function* () {
      const related = (policyId: string) => [{ policyId: id(policyId), policyType: "NCD" as const }]
      yield* save(
        documentOf({ policyId: "A1", codeGroups: [procedure("E0601")], related: related("L1") }),
        documentOf({ policyId: "L1", related: related("NCD 1.1") }),
        documentOf({ policyId: "NCD 1.1", related: related("NCD 1.3") }),
        documentOf({ policyId: "NCD 1.3" }),
        documentOf({ policyId: "NCD 1.2" }),
        documentOf({ policyId: "A2", codeGroups: [diagnoses("E0601")], related: related("NCD 1.2") })
      )
      const found = candidateIds({ codes: ["E0601"], asOf })
      deepStrictEqual(yield* found, ["A1", "L1", "NCD 1.1"])
      yield* (yield* NcdCodes).save({
        origin: "shipped",
        rows: [
          ncdCodeOf({ policyId: id("NCD 1.2") }),
          ncdCodeOf({ policyId: id("NCD 9.9") }),
          ncdCodeOf({ policyId: id("NCD 1.3"), code: "E0470" })
        ]
      })
      deepStrictEqual(yield* found, ["A1", "L1", "NCD 1.1", "NCD 1.2"])
      deepStrictEqual(yield* candidateIds({ codes: ["E0470"], asOf }), ["NCD 1.3"])
      deepStrictEqual(yield* candidateIds({ codes: ["'", "\0", ""], asOf }), [])
      deepStrictEqual(yield* candidateIds({ codes: [], asOf }), [])
    })
  },
  {
    says: "contract §2 a procedure code finds the determinations that the table of NCD codes names for it",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "A1", codeGroups: [procedure("E0601")] }),
        documentOf({ policyId: "NCD 1.1" }),
        documentOf({ policyId: "NCD 1.2" })
      )
      yield* (yield* NcdCodes).save({ origin: "shipped", rows: [ncdCodeOf({ policyId: id("NCD 1.2") })] })
      const policies = yield* Policies
      const found = (query: Partial<PolicyQuery>) =>
        Effect.map(policies.search(queryOf(query)), ({ listings }) => ids(listings))
      deepStrictEqual(yield* found({ procedureCode: "E0601" }), ["A1", "NCD 1.2"])
      deepStrictEqual(yield* found({ procedureCode: "E0601", policyType: "LCD" }), [])
      deepStrictEqual(yield* found({ procedureCode: "E0470" }), [])
      deepStrictEqual(yield* found({ diagnosis: diagnosisFilter("E0601") }), [])
    })
  },
  {
    says: "§2.7 a version kept after a question answers the next one",
    check: Effect.gen(function* () {
      const before = documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] })
      yield* save(before)
      const titles = Effect.map(
        Effect.flatMap(Policies, ({ candidates }) => candidates({ codes: ["E0601"], asOf })),
        (versions) => versions.map((version) => version.title)
      )
      deepStrictEqual(yield* titles, ["Policy L1"])
      yield* save({ ...before, title: "Renamed" })
      deepStrictEqual(yield* titles, ["Renamed"])
      yield* save({ ...before, title: "Renamed", retireDate: day("2025-12-31") })
      deepStrictEqual(yield* titles, [])
    })
  }
]

const candidateIds = (query: CandidatesQuery) =>
  Effect.map(
    Effect.flatMap(Policies, ({ candidates }) => candidates(query)),
    (versions) => versions.map((version) => version.policy.policyId)
  )

const candidatesOf = (
  {
    kept,
    rows
  }: {
    readonly kept: ReadonlyMap<PolicyId, ReadonlyArray<PolicyVersion>>
    readonly rows: ReadonlyArray<NcdCode>
  },
  { asOf: on, codes }: CandidatesQuery
): ReadonlyArray<PolicyVersion> => {
  const inForce = new Map(
    [...kept].flatMap(([policyId, versions]) => {
      const reading = readingOn(versions, on)
      return reading !== undefined && isInForce(reading.status) ? [[policyId, reading.version] as const] : []
    })
  )
  const listing = [...inForce.values()].filter((version) =>
    policyCodes(version).some(
      ({ code, codeSystem }) => (codeSystem === "CPT" || codeSystem === "HCPCS") && codes.includes(code)
    )
  )
  const step = (from: ReadonlyArray<PolicyVersion>): ReadonlyArray<PolicyVersion> =>
    from.flatMap((version) => [version, ...version.related.flatMap((one) => inForce.get(one.policyId) ?? [])])
  const named = rows.filter((row) => codes.includes(row.code)).map((row) => row.policyId)
  const wanted = new Set([...named, ...step(step(listing)).map((version) => version.policy.policyId)])
  return [...wanted].toSorted().flatMap((policyId) => inForce.get(policyId) ?? [])
}
