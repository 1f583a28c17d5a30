import type { IsoDate } from "../date.ts"
import { confidenceWith, highest, lower, riskOf, riskWith } from "../claim/risk.ts"
import type {
  Condition,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus,
  DiagnosisSupport,
  Level,
  TraceStep
} from "../CoverageDecision.ts"
import { documentationOf } from "../documentation.ts"
import type { PolicyVersion } from "../Policy.ts"
import type { PriorAuthList } from "../PriorAuthRule.ts"
import { summarize } from "../summary.ts"
import { decidePriorAuth, summarizePriorAuth } from "./priorAuth.ts"

/** What a check of prior authorization comes to (contract §2, POST /prior-auth/check). */
export interface PriorAuthCheck {
  /** The answer in two sentences. */
  readonly summary: string
  readonly status: CoverageStatus
  readonly diagnosisSupport: DiagnosisSupport
  readonly conditions: ReadonlyArray<Condition>
  readonly required: boolean | null
  readonly reason: string
  readonly confidence: Level
  readonly denialRisk: Level
  /** What the rules ask to send. */
  readonly checklist: ReadonlyArray<string>
  /** That, and what the policies ask to have on file. */
  readonly documentation: ReadonlyArray<string>
  readonly policies: ReadonlyArray<PolicyVersion>
  /** The first day of the rule that asks, else of the newest policy that bears on the codes. */
  readonly effectiveDate: IsoDate | null
  readonly requiresManualReview: boolean
  readonly knownGaps: ReadonlyArray<string>
  /** Every list that was looked at. */
  readonly programsChecked: ReadonlyArray<PriorAuthList>
  readonly trace: ReadonlyArray<TraceStep>
}

/** Coverage and prior authorization of a query's codes together. */
export const checkPriorAuth = (
  query: CoverageQuery,
  facts: CoverageFacts,
  decision: CoverageDecision
): PriorAuthCheck => {
  const judged = decision.codes
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map((code) => ({ code, priorAuth: decidePriorAuth(code, query, facts) }))
  const summary = summarizePriorAuth(
    judged.map((one) => one.priorAuth),
    decision.status
  )
  const confidences = judged.map(({ code, priorAuth }) => confidenceWith(code.confidence, priorAuth.required))
  const risks = judged.map(({ code, priorAuth }) => riskOf(code, priorAuth.required))
  const knownGaps = [...new Set([...decision.knownGaps, ...summary.knownGaps])].toSorted()
  return {
    summary: summarize({
      ...decision,
      knownGaps,
      issues: decision.issues.length,
      priorAuthRequired: summary.required
    }),
    status: decision.status,
    diagnosisSupport: decision.diagnosisSupport,
    conditions: decision.conditions,
    required: summary.required,
    reason: summary.reason,
    confidence: confidences.reduce(lower, decision.confidence),
    denialRisk: riskWith(highest(risks), decision.issues),
    checklist: summary.documentation,
    documentation: [...new Set([...summary.documentation, ...documentationOf(decision.policies)])],
    policies: decision.policies,
    effectiveDate: summary.effectiveDate ?? newestDay(decision.policies),
    requiresManualReview: decision.requiresManualReview || summary.required === null,
    knownGaps,
    programsChecked: judged[0]?.priorAuth.programsChecked ?? [],
    trace: [...decision.trace, ...judged.flatMap((one) => one.priorAuth.trace)]
  }
}

const newestDay = (policies: ReadonlyArray<PolicyVersion>): IsoDate | null =>
  policies
    .flatMap((policy) => policy.effectiveDate ?? [])
    .toSorted()
    .at(-1) ?? null
