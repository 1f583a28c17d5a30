import { displayCode } from "../coverage/codeText.ts"
import type { CodeRecord } from "../coverage/Code.ts"
import type { Condition, CoverageFacts, CoverageQuery, TraceStep } from "../coverage/CoverageDecision.ts"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { jurisdictionsOf, policyCodesAmong } from "../coverage/view.ts"
import type { MacView } from "../operation/policies.ts"
import type { MatchedPolicy, PolicySource, ConditionItem, TraceItem } from "../operation/decisionFields.ts"

/** The steps of an answer's reasoning, as far as the request wants them. */
export const traceViews = (
  steps: ReadonlyArray<TraceStep>,
  wanted: "full" | "none" | undefined
): ReadonlyArray<TraceItem> => (wanted === "none" ? [] : steps.map(traceView))

/** A step of the reasoning as the wire shows it. */
const traceView = (step: TraceStep): TraceItem => ({
  rule: step.rule,
  policy_id: step.policyId,
  version: step.version,
  document_version: step.documentVersion,
  group: step.group,
  result: step.result,
  condition_id: step.conditionId ?? null,
  quote: step.quote,
  citation: { source_url: step.sourceUrl, section: step.section }
})

/** A condition as the wire shows it. */
export const conditionView = (condition: Condition): ConditionItem => ({
  condition_id: condition.conditionId,
  text: condition.text,
  section: condition.section,
  policy_id: condition.policyId,
  version: condition.version,
  document_version: condition.documentVersion,
  kind: condition.kind
})

/** A policy as a source: `source_id` is its id and the version that was read. */
export const sourceView = (policy: PolicyVersion): PolicySource => ({
  ...policyFields(policy),
  source_id: `${policy.policy.policyId}@${policy.version}`
})

/** A policy that matched, with the query's procedure and diagnosis codes that it lists. */
export const matchedView = (policy: PolicyVersion, question: Asked): MatchedPolicy => ({
  ...policyFields(policy),
  codes: codesAsked(policy, question)
})

interface Asked {
  readonly query: CoverageQuery
  readonly facts: CoverageFacts
}

export const macView = (jurisdiction: Jurisdiction | null): MacView | null =>
  jurisdiction === null
    ? null
    : {
        name: jurisdiction.macName,
        code: jurisdiction.macCode,
        jurisdiction: jurisdiction.jurisdictionCode,
        jurisdiction_name: jurisdiction.jurisdictionName,
        states: jurisdiction.states
      }

const policyFields = (policy: PolicyVersion) => {
  const codes = jurisdictionsOf(policy)
  return {
    policy_id: policy.policy.policyId,
    title: policy.title,
    policy_type: policy.policy.policyType,
    jurisdiction: codes.length === 0 ? null : codes.join(", "),
    source_url: policy.sourceUrl,
    effective_date: policy.effectiveDate,
    last_verified_at: policy.recordedAt
  }
}

const codesAsked = (policy: PolicyVersion, { facts, query }: Asked): MatchedPolicy["codes"] => {
  const asked = new Set([...query.procedureCodes, ...query.diagnosisCodes])
  return policyCodesAmong(policy, asked).map((entry) => ({
    code: displayCode(entry),
    code_system: entry.codeSystem,
    disposition: entry.disposition,
    description: descriptionOf(entry, facts.codes)
  }))
}

/** The code table's words; the tables hold none of CPT. */
const descriptionOf = (
  { code, codeSystem }: Pick<CodeRecord, "code" | "codeSystem">,
  records: ReadonlyArray<CodeRecord>
): string | null => {
  const record = records.find((each) => each.code === code && each.codeSystem === codeSystem)
  return record?.description ?? record?.shortDescription ?? null
}
