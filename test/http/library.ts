import * as Effect from "effect/Effect"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import {
  day,
  diagnoses,
  documentOf,
  feeOf,
  importedAt,
  passage,
  procedure,
  recordOf,
  snapshotOf
} from "../kit/library.ts"

/** What the HTTP suites ask about: three policies, a few codes, two jurisdictions. */
export const seedLibrary = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const mcd = snapshotOf({ snapshotId: "1".repeat(64) })
  for (const document of documents)
    yield* snapshots.saveHistory({ snapshot: mcd, documents: [document], at: importedAt })
  yield* snapshots.save({ _tag: "Jurisdictions", snapshot: mcd, jurisdictions })
  yield* snapshots.complete({ snapshot: mcd, at: importedAt })
  const hcpcs = snapshotOf({ snapshotId: "2".repeat(64), kind: "hcpcs", sourceAsOf: "2026-01-01" as IsoDate })
  yield* snapshots.save({ _tag: "Codes", snapshot: hcpcs, codes })
  const edition = { name: "2026", from: day("2026-01-01"), until: null }
  yield* snapshots.complete({ snapshot: hcpcs, edition, at: importedAt })
  const pfs = snapshotOf({ snapshotId: "3".repeat(64), kind: "pfs", sourceAsOf: "2026-01-01" as IsoDate })
  const visit = recordOf({ code: "99213", codeSystem: "CPT" })
  const unvalued = recordOf({ code: "11055", codeSystem: "CPT" })
  yield* snapshots.save({ _tag: "Codes", snapshot: pfs, codes: [visit, unvalued] })
  yield* snapshots.save({
    _tag: "Fees",
    snapshot: pfs,
    fees: [feeOf({}), feeOf({ modifier: "26", workRvu: 9 })]
  })
  yield* snapshots.save({ _tag: "Descriptions", snapshot: mcd, descriptions })
  yield* snapshots.complete({ snapshot: pfs, at: importedAt })
})

const descriptions = [
  { code: "K0001", codeSystem: "HCPCS" as const, description: "STANDARD WHEELCHAIR" },
  { code: "E1165", codeSystem: "ICD10CM" as const, description: "Type 2 diabetes with hyperglycemia" },
  { code: "E1166", codeSystem: "ICD10CM" as const, description: "A diagnosis of no table" }
]

const documents = [
  documentOf({
    policyId: "L33831",
    title: "Manual wheelchair bases",
    states: ["TX", "CA"],
    contractors: [{ contractorNumber: "04412", name: "Novitas", jurisdictionCode: "JH" }],
    codeGroups: [procedure("E0601", "K0001"), diagnoses("E1165", "E1166")],
    criteria: [passage("i1", 'The wheelchair is covered when mobility is limited, "in the home".')],
    sections: {
      indications: "The wheelchair is covered when mobility is limited.",
      limitations: null,
      documentation: null
    },
    sourceShape: "criteria_backed",
    sourceShapeReason: "has criteria"
  }),
  documentOf({
    policyId: "NCD 220.6",
    title: "PET scans - RETIRED",
    status: "retired",
    retireDate: day("2021-01-01")
  }),
  documentOf({ policyId: "A52423", title: "=Billing, wheelchair accessories", related: [] })
]

const jurisdictions: ReadonlyArray<Jurisdiction> = [
  {
    jurisdictionCode: "JH",
    jurisdictionName: "Jurisdiction H",
    macName: "Novitas Solutions",
    macCode: "04412",
    macType: "A/B MAC",
    states: ["TX"],
    websiteUrl: null
  },
  {
    jurisdictionCode: "DME JC",
    jurisdictionName: "DME Jurisdiction C",
    macName: "CGS",
    macCode: "18003",
    macType: "DME MAC",
    states: ["TX"],
    websiteUrl: null
  }
]

const codes = [
  recordOf({
    code: "E0601",
    description: "Continuous positive airway pressure device",
    effectiveDate: day("1995-01-01")
  }),
  recordOf({ code: "A0100", description: "Nonemergency transportation; taxi" }),
  recordOf({ code: "A0100", codeSystem: "ICD10CM", description: "Typhoid fever, unspecified" }),
  recordOf({
    code: "E1165",
    codeSystem: "ICD10CM",
    description: "Type 2 diabetes mellitus with hyperglycemia"
  })
]
