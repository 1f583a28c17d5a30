import type { CoverageFacts, CoverageQuery } from "../../../core/coverage/CoverageDecision.ts"
import type { PolicyVersion } from "../../../core/coverage/Policy.ts"
import { versionOf } from "../coverageQueryOf.ts"
import { diagnoses, passage, procedure } from "../library.ts"
import type { Case } from "./Case.ts"
import { chanceOf } from "./Chance.ts"
import { anyDiagnoses, foreignCodes } from "./drawGroups.ts"

type Asked = readonly [CoverageFacts, CoverageQuery]

/** The same facts and the same question, in another order of everything that has none. */
export const reorder = ({ seed, facts, query }: Case): Asked => {
  const { shuffle } = chanceOf(seed + 1)
  const document = (version: PolicyVersion): PolicyVersion => ({
    ...version,
    contractors: shuffle(version.contractors),
    states: shuffle(version.states),
    related: shuffle(version.related),
    codeGroups: shuffle(version.codeGroups.map((group) => ({ ...group, codes: shuffle(group.codes) })))
  })
  return [
    {
      ...facts,
      policies: shuffle(facts.policies.map(document)),
      codes: shuffle(facts.codes),
      codeTables: shuffle(facts.codeTables),
      ncdCodes: shuffle(facts.ncdCodes)
    },
    {
      ...query,
      procedureCodes: shuffle(query.procedureCodes),
      diagnosisCodes: shuffle(query.diagnosisCodes),
      modifiers: shuffle(query.modifiers)
    }
  ]
}

/** Beside documents, rows and records about codes that nobody asks for. */
export const withUnrelated = ({ facts }: Case): CoverageFacts => ({
  ...facts,
  policies: [
    unrelated("L39001", "JH"),
    ...facts.policies,
    unrelated("A59001", "DME JC"),
    versionOf({
      policyId: "NCD 999.9",
      coverageLevel: 3,
      codeGroups: [procedure(...foreignCodes)],
      criteria: [passage("b1", "The service is not covered.")]
    })
  ],
  ncdCodes: [
    ...facts.ncdCodes,
    ...foreignCodes.map((code) => ({
      policyId: versionOf({ policyId: "NCD 999.9" }).policy.policyId,
      code,
      role: "denies" as const,
      source: "Transmittal 999",
      sourceUrl: null
    }))
  ]
})

const unrelated = (policyId: string, jurisdictionCode: string): PolicyVersion =>
  versionOf({
    policyId,
    contractors: [{ contractorNumber: "00001", name: "Example Administrators", jurisdictionCode }],
    states: ["CA", "FL", "NY", "OK", "TX"],
    codeGroups: [procedure(...foreignCodes), { ...diagnoses(...anyDiagnoses), kind: "dx_noncovered" }],
    criteria: [passage("b1", "The chair must be ordered by a physician.")]
  })

/** Without the documents that may decide nothing: proposed ones, and local ones that no contractor issued. */
export const withoutSilent = ({ facts }: Case): CoverageFacts => ({
  ...facts,
  policies: facts.policies.filter(
    ({ status, national, contractors }) => status !== "proposed" && (national || contractors.length > 0)
  )
})

/** Local documents alone, none of which a row of their main table describes. */
export const withUnknownStatus = ({ facts }: Case): CoverageFacts => ({
  ...facts,
  policies: facts.policies
    .filter(({ national }) => !national)
    .map((version): PolicyVersion => ({ ...version, status: "unknown" })),
  codeTables: [],
  ncdCodes: []
})

/** No document, and no table that can judge a code. */
export const withoutPolicies = ({ facts }: Case): CoverageFacts => ({
  ...facts,
  policies: [],
  codeTables: [],
  ncdCodes: []
})
