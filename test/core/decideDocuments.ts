import { expect } from "vitest"
import type { CoverageQuery, CoverageStatus, Level } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import type { CodeGroup, PolicyVersion } from "../../core/coverage/Policy.ts"
import { id } from "../kit/library.ts"
import { acme, block, factsOf, group, queryOf, versionOf } from "./decideSituations.ts"

/** The documents of the tables of situations: a device, its LCD and article, an NCD, a plan. */

export const device = group("procedure", ["E0601"])
export const stated = (disposition: NonNullable<CodeGroup["disposition"]>) => [
  group("procedure", ["E0601"], { disposition })
]
export const relatedTo = (...ids: ReadonlyArray<string>) => ({
  related: ids.map((one) => ({ policyId: id(one), policyType: "LCD" as const }))
})
export const supports = (codes: ReadonlyArray<string>, rest: Partial<CodeGroup> = {}) =>
  group("dx_covered", codes, rest)

export const lcd = versionOf({ policyId: "L33718", codeGroups: [device], criteria: [block(null)] })
export const bare = versionOf({ policyId: "L33718", codeGroups: [device] })
export const article = (...groups: ReadonlyArray<CodeGroup>) =>
  versionOf({ policyId: "A52467", codeGroups: [device, ...groups], ...relatedTo("L33718") })
export const ncd = (coverageLevel: number | null, codeGroups: ReadonlyArray<CodeGroup> = []) =>
  versionOf({ policyId: "NCD 240.4", coverageLevel, codeGroups })
export const citing = versionOf({ policyId: "L33718", codeGroups: [device], ...relatedTo("NCD 240.4") })
export const ruled = (...criteria: ReadonlyArray<ReturnType<typeof block>>) =>
  versionOf({ policyId: "L33718", codeGroups: [device], criteria })
export const california = { jurisdictions: [], states: ["CA"] }
export const from = (
  policyId: string,
  jurisdictionCode: string,
  disposition: NonNullable<CodeGroup["disposition"]>
) =>
  versionOf({
    policyId,
    states: ["CA"],
    contractors: [{ contractorNumber: "01112", name: "Example", jurisdictionCode }],
    codeGroups: stated(disposition)
  })
export const plan = (
  disposition: NonNullable<CodeGroup["disposition"]>,
  lineOfBusiness: string | null = null
) => {
  const version = versionOf({
    policyId: "acme-pap",
    payerCode: "acme",
    states: [],
    codeGroups: stated(disposition)
  })
  return { ...version, policy: { ...version.policy, lineOfBusiness } }
}
export const acmes = { scope: { _tag: "Payer" as const, payer: acme, lineOfBusiness: "commercial" } }
export const apnea = { diagnosisCodes: ["G4733"] }

/** A row: what the library holds, what is asked, and what it comes to. */
export interface Situation {
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly asked?: Partial<CoverageQuery>
  readonly status: CoverageStatus
  readonly confidence: Level
  readonly gaps?: ReadonlyArray<string>
  readonly review?: boolean
  /** A rule that is among its reasons. */
  readonly rule: string
}

/** Whether a situation comes to what its row says, for the reason that it says. */
export const comesOut = (situation: Situation): void => {
  const decision = decide(factsOf(...situation.policies), queryOf(situation.asked))
  const [code] = decision.codes
  expect({
    status: code?.status,
    confidence: code?.confidence,
    gaps: code?.knownGaps,
    review: code?.requiresManualReview
  }).toEqual({
    status: situation.status,
    confidence: situation.confidence,
    gaps: situation.gaps ?? [],
    review: situation.review ?? false
  })
  const reasons = new Set(code?.reasons)
  const rules = code?.trace.filter((step) => reasons.has(step.result)).map((step) => step.rule)
  expect(rules).toContain(situation.rule)
}
