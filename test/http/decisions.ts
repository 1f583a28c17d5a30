import * as Effect from "effect/Effect"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import {
  day,
  diagnoses,
  documentOf,
  id,
  importedAt,
  passage,
  procedure,
  recordOf,
  snapshotOf
} from "../kit/library.ts"
import { pairEdit } from "../kit/coverageQueryOf.ts"
import { keepShippedLists } from "../../apps/lists/shippedLists.ts"
import { seedLibrary } from "./library.ts"

/** Beside the library of all suites: an LCD with its Article, an NCD, a payer, NCCI tables, shipped lists. */
export const seedDecisions = Effect.gen(function* () {
  yield* seedLibrary
  yield* keepShippedLists
  const snapshots = yield* Snapshots
  const mcd = snapshotOf({ snapshotId: "4".repeat(64) })
  for (const document of documents)
    yield* snapshots.saveHistory({ snapshot: mcd, documents: [document], at: importedAt })
  yield* snapshots.complete({ snapshot: mcd, at: importedAt })
  const hcpcs = snapshotOf({ snapshotId: "5".repeat(64), kind: "hcpcs", sourceAsOf: "2026-02-01" as IsoDate })
  yield* snapshots.save({ _tag: "Codes", snapshot: hcpcs, codes })
  yield* snapshots.complete({ snapshot: hcpcs, at: importedAt })
  const payers = snapshotOf({ snapshotId: "6".repeat(64), kind: "payer_policies" })
  yield* snapshots.save({ _tag: "Payers", snapshot: payers, payers: [acme] })
  yield* snapshots.saveHistory({ snapshot: payers, documents: [acmePolicy], at: importedAt })
  yield* snapshots.complete({ snapshot: payers, at: importedAt })
  const ncci = snapshotOf({ snapshotId: "7".repeat(64), kind: "ncci_ptp" })
  yield* snapshots.save({ _tag: "Edits", snapshot: ncci, pairs, units: [unit] })
  yield* snapshots.complete({ snapshot: ncci, at: importedAt })
})

const novitas = { contractorNumber: "04412", name: "Novitas", jurisdictionCode: "JH" }
const cgs = { contractorNumber: "18003", name: "CGS", jurisdictionCode: "DME JC" }

const documents: ReadonlyArray<PolicyDocument> = [
  documentOf({
    policyId: "L35000",
    title: "Joint injections",
    states: ["TX"],
    contractors: [novitas],
    codeGroups: [procedure("20610", "76942")],
    related: [{ policyId: id("A56000"), policyType: "Article" }],
    sourceUrl: "https://www.cms.gov/mcd/L35000",
    criteria: [
      passage("i1", "Injection is reasonable for osteoarthritis that persists."),
      { ...passage("l1", "No more than three injections a year."), section: "limitations" },
      { ...passage("d1", "Keep the procedure note with the joint and side."), section: "documentation" }
    ]
  }),
  documentOf({
    policyId: "A56000",
    title: "Billing and coding: joint injections",
    states: ["TX"],
    contractors: [novitas],
    codeGroups: [procedure("20610", "76942"), diagnoses("M1711")],
    related: [{ policyId: id("L35000"), policyType: "LCD" }],
    sourceUrl: "https://www.cms.gov/mcd/A56000"
  }),
  documentOf({
    policyId: "L33693",
    title: "Pressure reducing support surfaces",
    states: ["TX"],
    contractors: [cgs],
    codeGroups: [procedure("E0193")]
  }),
  documentOf({
    policyId: "L33694",
    title: "Reaching aids and prolotherapy",
    states: ["TX"],
    contractors: [cgs],
    codeGroups: [procedure("A9281", "M0076", "A4649")],
    criteria: [passage("i1", "These services are covered under Medicare.")]
  }),
  documentOf({
    policyId: "NCD 280.9",
    title: "Vibrating beds",
    coverageLevel: 3,
    codeGroups: [procedure("E0240")]
  })
]

const codes = [
  recordOf({ code: "A9281", description: "Reaching device", coverageCode: "S" }),
  recordOf({ code: "E0193", description: "Powered air flotation bed" }),
  recordOf({ code: "E0240", description: "Bath chair" }),
  recordOf({ code: "K0002", description: "Chair", terminationDate: day("2024-12-31") }),
  recordOf({ code: "M1711", codeSystem: "ICD10CM", description: "Osteoarthritis, right knee" })
]

const acme = { code: "acme", name: "Acme Health", type: "commercial", linesOfBusiness: ["commercial"] }

const acmePolicy: PolicyDocument = {
  ...documentOf({ policyId: "ACME-MED-7", title: "Support surfaces", codeGroups: [procedure("E0193")] }),
  policy: {
    policyId: id("ACME-MED-7"),
    policyType: "Medical Policy",
    payerCode: "acme",
    lineOfBusiness: null
  },
  priorAuth: [
    {
      ruleId: "acme-7",
      payerCode: "acme",
      program: "payer",
      category: "Support surfaces",
      codes: ["E0193"],
      states: "all",
      sites: "all",
      effectiveDate: day("2025-01-01"),
      endDate: null,
      suspended: [],
      documentation: ["Plan of care"],
      sourceUrl: null
    }
  ]
}

const rationale = "Standards of medical and surgical practice"
const pairs = [
  pairEdit({ column1: "20610", column2: "76942", modifierIndicator: 0, rationale }),
  pairEdit({ column1: "20610", column2: "99213", deletionDate: day("2021-12-31"), rationale })
]
const unit = {
  code: "20610",
  service: "practitioner" as const,
  units: 2,
  adjudication: 3 as const,
  rationale: "Anatomic consideration",
  effectiveDate: day("2026-01-01")
}
