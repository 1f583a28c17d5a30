import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import type { PtpEdit } from "../../core/coverage/editTables.ts"
import type {
  CodeDecision,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus
} from "../../core/coverage/CoverageDecision.ts"
import type { PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { day, documentOf, everyDay, importedAt } from "./library.ts"

/** A Medicare query of one day, with nothing else said unless given. */
export const coverageQueryOf = (given: Partial<CoverageQuery> = {}): CoverageQuery => ({
  procedureCodes: ["E0193"],
  diagnosisCodes: [],
  modifiers: [],
  dateOfService: day("2026-01-15"),
  scope: { _tag: "Medicare" },
  place: null,
  siteOfService: null,
  ageCategory: null,
  sex: null,
  providerSpecialty: null,
  attestedConditions: [],
  ...given
})

/** A place that is one state. */
export const inState = (state: string) => ({ jurisdictions: [], states: [state] })

/** The first version of an authored document. */
export const versionOf = (given: Parameters<typeof documentOf>[0]): PolicyVersion =>
  firstVersion(documentOf(given))

const firstVersion = (document: PolicyDocument): PolicyVersion => ({
  ...document,
  version: 1,
  fingerprintSha256: "f".repeat(64),
  recordedAt: importedAt
})

/** The same of a payer's own policy. */
export const payerVersionOf = ({
  lineOfBusiness,
  payerCode,
  ...given
}: Parameters<typeof documentOf>[0] & {
  readonly payerCode: string
  readonly lineOfBusiness: string | null
}): PolicyVersion => {
  const version = versionOf(given)
  const policy = { ...version.policy, policyType: "PayerPolicy" as const, payerCode, lineOfBusiness }
  return { ...version, policy }
}

export const factsOf = (...policies: ReadonlyArray<PolicyVersion>): CoverageFacts => ({
  ...emptyFacts,
  codeTables: everyDay,
  policies
})

/** What coverage came to for one code, without a word more. */
export const decidedCode = (
  code: string,
  status: CoverageStatus,
  policies: ReadonlyArray<PolicyVersion> = []
): CodeDecision => ({
  code,
  status,
  diagnosisSupport: "not_applicable",
  conditions: [],
  confidence: "high",
  requiresManualReview: false,
  reasons: [],
  decidedBy: [],
  issues: [],
  knownGaps: [],
  policies,
  trace: []
})

const worstFirst: ReadonlyArray<CoverageStatus> = ["not_covered", "unknown", "conditional", "covered"]

/** The decisions of several codes as one, the worst of them leading. */
export const decidedAll = (codes: ReadonlyArray<CodeDecision>): CoverageDecision => ({
  status: worstFirst.find((status) => codes.some((code) => code.status === status)) ?? "unknown",
  diagnosisSupport: "not_applicable",
  conditions: [],
  confidence: "high",
  requiresManualReview: false,
  issues: [],
  knownGaps: [],
  codes,
  policies: codes.flatMap((code) => code.policies),
  trace: []
})

/** A pair edit of the practitioners' table that stands, never to be bypassed unless told otherwise. */
export const pairEdit = (given: Partial<PtpEdit>): PtpEdit => ({
  column1: "20610",
  column2: "76942",
  service: "practitioner",
  effectiveDate: day("2020-01-01"),
  deletionDate: null,
  modifierIndicator: 0,
  rationale: null,
  ...given
})
