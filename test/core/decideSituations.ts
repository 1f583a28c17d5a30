import * as fc from "fast-check"
import type { Criterion } from "../../core/coverage/Criterion.ts"
import { ageCategories, sexes } from "../../core/coverage/Criterion.ts"
import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import type { CoverageFacts, CoverageQuery, PayerScope } from "../../core/coverage/CoverageDecision.ts"
import { medicare } from "../../core/coverage/Payer.ts"
import type { CodeGroup, CriteriaBlock, PolicyVersion } from "../../core/coverage/Policy.ts"
import { diagnosisRoles, dispositions } from "../../core/coverage/Policy.ts"
import { day, documentOf, everyDay, id, importedAt, recordOf } from "../kit/library.ts"

/** Policies and questions for the suites of the decision kernel; all authored. */

type Given = Parameters<typeof documentOf>[0] & { readonly payerCode?: string; readonly version?: number }

/** A version whose text and dates are known, in force since 2020, for Texas unless told otherwise. */
export const versionOf = ({ payerCode, version, ...given }: Given): PolicyVersion => {
  const document = documentOf({
    states: given.national === true || given.policyId.startsWith("NCD") ? [] : ["TX"],
    contractors: [{ contractorNumber: "04412", name: "Example", jurisdictionCode: "JH" }],
    sourceShape: "criteria_backed",
    sourceUrl: `https://policies.example/${encodeURIComponent(given.policyId)}`,
    ...given
  })
  return {
    ...document,
    policy:
      payerCode === undefined
        ? document.policy
        : { ...document.policy, payerCode, policyType: "PayerPolicy" },
    version: version ?? 1,
    fingerprintSha256: "f".repeat(64),
    recordedAt: importedAt
  }
}

export const group = (
  kind: CodeGroup["kind"],
  codes: ReadonlyArray<string>,
  rest: Partial<CodeGroup> = {}
): CodeGroup => ({
  group: 1,
  kind,
  paragraph: null,
  asteriskText: null,
  ...rest,
  codes: codes.map((code) => ({
    code: code.replace("*", ""),
    codeSystem: kind === "procedure" ? "HCPCS" : "ICD10CM",
    asterisk: code.endsWith("*"),
    source: "document"
  }))
})

export const block = (logicAst: Criterion | null, rest: Partial<CriteriaBlock> = {}): CriteriaBlock => ({
  blockId: "b1",
  section: "indications",
  text: "As the policy says.",
  logicAst,
  tags: null,
  requiresManualReview: false,
  confidenceScore: null,
  ...rest
})

/** Asked in Texas on a day of 2026, by traditional Medicare, with nothing else said. */
export const queryOf = (given: Partial<CoverageQuery> = {}): CoverageQuery => ({
  procedureCodes: ["E0601"],
  diagnosisCodes: [],
  modifiers: [],
  dateOfService: day("2026-02-01"),
  scope: { _tag: "Medicare" },
  place: { jurisdictions: [], states: ["TX"] },
  siteOfService: null,
  ageCategory: null,
  sex: null,
  providerSpecialty: null,
  attestedConditions: [],
  ...given
})

export const factsOf = (...policies: ReadonlyArray<PolicyVersion>): CoverageFacts => ({
  ...emptyFacts,
  codeTables: everyDay,
  policies,
  codes: [
    recordOf({ code: "E0601" }),
    recordOf({ code: "K0001" }),
    ...diagnosisCodes.map((code) => recordOf({ code, codeSystem: "ICD10CM" }))
  ]
})

export const procedureCodes = ["E0601", "K0001"] as const
export const diagnosisCodes = ["E1165", "G4733", "I10"] as const
export const acme = { code: "acme", name: "Acme", type: "commercial", linesOfBusiness: ["commercial"] }

const leaf: fc.Arbitrary<Criterion> = fc.constantFrom<Criterion>(
  { op: "age", min: 18 },
  { op: "age", max: 20 },
  { op: "sex", any_of: ["female"] },
  { op: "site", any_of: ["home"] },
  { op: "modifier", any_of: ["KX"] },
  { op: "specialty", any_of: ["cardiology"] },
  { op: "has_code", system: "ICD10CM", any_of: ["G4733"] },
  { op: "within", count: 1, days: 365 },
  { op: "cmp", param: "ahi", comparison: "ge", value: 15 }
)

/** Conditions of every kind, nested. */
export const criteria: fc.Arbitrary<Criterion> = fc.letrec<{ node: Criterion }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constant("all" as const), criteria: fc.array(tie("node"), { maxLength: 3 }) }),
    fc.record({ op: fc.constant("any" as const), criteria: fc.array(tie("node"), { maxLength: 3 }) }),
    fc.record({ op: fc.constant("not" as const), criterion: tie("node") })
  )
})).node

const procedureGroups = fc.record({
  codes: fc.subarray([...procedureCodes, "97810"], { minLength: 1 }),
  disposition: fc.option(fc.constantFrom("covered" as const, ...dispositions), { freq: 2 }),
  number: fc.integer({ min: 1, max: 2 })
})

const paragraphs = fc.constantFrom(
  null,
  null,
  "The following codes support E0601.",
  "For K0001-K0009 only.",
  "One code from Group 1 and one code from Group 2 are required."
)
const diagnosisGroups = fc.record({
  kind: fc.constantFrom("dx_covered" as const, "dx_covered" as const, "dx_noncovered" as const),
  codes: fc.subarray(["E1165", "G4733", "I10", "I10*"]),
  paragraph: paragraphs,
  scope: fc.option(fc.constantFrom("all" as const, ["E0601"], ["K0001"])),
  role: fc.option(fc.constantFrom(...diagnosisRoles)),
  number: fc.integer({ min: 1, max: 3 })
})

const groups = fc.tuple(
  fc.uniqueArray(procedureGroups, { minLength: 1, maxLength: 2, selector: (one) => one.number }),
  fc.uniqueArray(diagnosisGroups, { maxLength: 3, selector: (one) => `${one.kind} ${one.number}` })
)

const codeGroups: fc.Arbitrary<ReadonlyArray<CodeGroup>> = groups.map(([procedures, diagnoses]) => [
  ...procedures.map(({ codes, disposition, number }) =>
    group("procedure", codes, { group: number, ...(disposition === null ? {} : { disposition }) })
  ),
  ...diagnoses.map(({ kind, codes, number, paragraph, scope, role }) =>
    group(kind, codes, {
      group: number,
      paragraph,
      ...(scope === null ? {} : { scope }),
      ...(role === null ? {} : { role })
    })
  )
])

const contractor = (contractorNumber: string, jurisdictionCode: string) => ({
  contractorNumber,
  name: "Example Administrators",
  jurisdictionCode
})

const ids = ["L10001", "L10002", "A50001", "A50002", "NCD 10.1", "NCD 10.2", "acme-1", "acme-2"] as const

const policies: fc.Arbitrary<PolicyVersion> = fc
  .record({
    policyId: fc.constantFrom(...ids),
    codeGroups,
    coverageLevel: fc.constantFrom(1, 1, 2, 3, 4, null),
    states: fc.constantFrom(["TX"], ["TX", "CA"], ["CA"], []),
    contractors: fc.subarray([
      contractor("04412", "JH"),
      contractor("06102", "J6"),
      contractor("05901", "J5")
    ]),
    related: fc.subarray([...ids]),
    criteria: fc.array(fc.record({ ast: fc.option(criteria), frequent: fc.boolean() }), { maxLength: 1 }),
    effectiveDate: fc.constantFrom(day("2020-01-01"), null),
    sourceShape: fc.constantFrom("criteria_backed" as const, "code_list_only" as const)
  })
  .map(({ policyId, related, criteria: blocks, ...rest }) =>
    versionOf({
      ...rest,
      policyId,
      ...(policyId.startsWith("acme") ? { payerCode: "acme" } : {}),
      related: related.map((one) => ({ policyId: id(one), policyType: "LCD" as const })),
      criteria: blocks.map(({ ast, frequent }, index) =>
        block(ast, { blockId: `b${index}`, section: frequent ? "frequency" : "indications" })
      )
    })
  )

/** What a library may hold about the two procedures, one version a policy. */
export const facts: fc.Arbitrary<CoverageFacts> = fc
  .uniqueArray(policies, { minLength: 1, maxLength: 5, selector: (one) => one.policy.policyId })
  .map((found) => factsOf(...found))

const scopes = fc.constantFrom<PayerScope>(
  { _tag: "Medicare" },
  { _tag: "Medicare" },
  { _tag: "Medicare" },
  { _tag: "MedicareAdvantage", payer: acme },
  { _tag: "MedicareAdvantage", payer: null },
  { _tag: "Payer", payer: acme, lineOfBusiness: null },
  { _tag: "Payer", payer: medicare, lineOfBusiness: null },
  { _tag: "Unknown" }
)

/** Questions about them, with as much or as little as a caller says. */
export const queries: fc.Arbitrary<CoverageQuery> = fc
  .record({
    procedureCodes: fc.subarray([...procedureCodes], { minLength: 1 }),
    diagnosisCodes: fc.subarray([...diagnosisCodes, "Z9999"]),
    modifiers: fc.subarray(["KX", "GA"]),
    scope: scopes,
    place: fc.constantFrom(
      null,
      { jurisdictions: [], states: ["TX"] },
      { jurisdictions: [], states: ["CA"] },
      { jurisdictions: ["JH"], states: [] }
    ),
    siteOfService: fc.constantFrom(null, "home", "office", "a barn"),
    ageCategory: fc.constantFrom(null, ...ageCategories),
    sex: fc.constantFrom(null, ...sexes),
    providerSpecialty: fc.constantFrom(null, "Cardiology", "podiatry")
  })
  .map(queryOf)
