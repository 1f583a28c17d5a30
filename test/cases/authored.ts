import * as Effect from "effect/Effect"
import type { CodeGroup, PolicyDocument, PolicyType } from "../../core/coverage/Policy.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { day, diagnoses, documentOf, id, imported, procedure, snapshotOf } from "../kit/library.ts"

const issuer = (contractorNumber: string, jurisdictionCode: string, ...states: ReadonlyArray<string>) => ({
  contractors: [{ contractorNumber, name: "Authored", jurisdictionCode }],
  states
})

/** An Article whose lists are all that it says of the procedure. */
const article = (given: Parameters<typeof documentOf>[0]): PolicyDocument =>
  documentOf({ sourceShape: "code_list_only", effectiveDate: day("2020-01-01"), ...given })

const refusing = (...codes: ReadonlyArray<string>): CodeGroup => ({
  ...diagnoses(...codes),
  kind: "dx_noncovered"
})

const stating = (disposition: "not_covered" | "requires_pa", code: string): CodeGroup => ({
  ...procedure(code),
  disposition
})

const jh = issuer("04412", "JH", "AR", "CO", "LA", "MS", "NM", "OK", "TX")

const payers = [
  {
    code: "northern-plan",
    name: "Northern Plan",
    type: "commercial",
    linesOfBusiness: ["commercial", "medicare_advantage"]
  }
]

const payerDocument = (
  given: Parameters<typeof documentOf>[0] & { readonly lineOfBusiness: string | null }
): PolicyDocument => {
  const { lineOfBusiness, ...rest } = given
  return {
    ...documentOf({
      sourceShape: "criteria_backed",
      effectiveDate: day("2025-01-01"),
      national: true,
      ...rest
    }),
    policy: {
      policyId: id(given.policyId),
      policyType: "Medical Policy" satisfies PolicyType,
      payerCode: "northern-plan",
      lineOfBusiness
    }
  }
}

const wound = ["L89154"] as const

const documents: ReadonlyArray<PolicyDocument> = [
  article({ policyId: "A99901", ...jh, codeGroups: [procedure("97610"), diagnoses(...wound)] }),
  article({
    policyId: "A99902",
    ...issuer("12502", "JL", "DC", "DE", "MD", "NJ", "PA"),
    codeGroups: [procedure("97610"), refusing(...wound)]
  }),
  article({
    policyId: "A99903",
    ...issuer("01112", "JE", "CA"),
    codeGroups: [procedure("97605"), diagnoses(...wound)]
  }),
  article({
    policyId: "A99904",
    ...issuer("19003", "DME JD", "CA"),
    codeGroups: [procedure("97605"), refusing(...wound)]
  }),
  documentOf({
    policyId: "DL99905",
    status: "proposed",
    ...jh,
    codeGroups: [stating("not_covered", "97597")]
  }),
  article({ policyId: "A99906", ...jh, codeGroups: [procedure("97606"), refusing(...wound)] }),
  article({ policyId: "A99907", ...jh, codeGroups: [procedure("97607"), diagnoses(...wound)] }),
  documentOf({ policyId: "NCD 999.1", coverageLevel: 1, codeGroups: [procedure("97606")] }),
  documentOf({ policyId: "NCD 999.3", coverageLevel: 3, codeGroups: [procedure("97607")] }),
  documentOf({ policyId: "NCD 999.4", coverageLevel: 4, codeGroups: [procedure("97608")] }),
  payerDocument({ policyId: "NP-1", lineOfBusiness: null, codeGroups: [stating("requires_pa", "E0601")] }),
  payerDocument({
    policyId: "NP-2",
    lineOfBusiness: "commercial",
    codeGroups: [stating("not_covered", "K0606")]
  })
]

/** Keeps the documents of the cases that the real tables cannot show. */
export const saveAuthored = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const snapshot = snapshotOf({ snapshotId: "c".repeat(64), kind: "payer_policies" })
  yield* snapshots.savePayers({ snapshot, payers, at: imported })
  yield* Effect.forEach(documents, (document) => snapshots.savePolicy({ snapshot, document, at: imported }))
})
