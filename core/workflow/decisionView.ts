import { displayCode } from "../coverage/codeText.ts"
import type { CoverageQuery, TraceStep } from "../coverage/CoverageDecision.ts"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { jurisdictionsOf } from "../coverage/view.ts"
import type { MacView } from "../operation/wire/Policy.ts"
import type { MatchedPolicy, PolicySource } from "../operation/wire/PriorAuth.ts"
import type { TraceItem } from "../operation/wire/Trace.ts"

/** A step of the reasoning as the wire shows it. */
export const traceView = (step: TraceStep): TraceItem => ({
  rule: step.rule,
  policy_id: step.policyId,
  version: step.version,
  group: step.group,
  result: step.result,
  citation: { source_url: step.sourceUrl, section: step.section }
})

/** A policy as a source: `source_id` is its id and the version that was read. */
export const sourceView = (policy: PolicyVersion): PolicySource => ({
  ...policyFields(policy),
  source_id: `${policy.policy.policyId}@${policy.version}`
})

/** A policy that matched, with the query's procedure and diagnosis codes that it lists. */
export const matchedView = (policy: PolicyVersion, query: CoverageQuery): MatchedPolicy => ({
  ...policyFields(policy),
  codes: codesAsked(policy, query)
})

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

const codesAsked = (policy: PolicyVersion, query: CoverageQuery): ReadonlyArray<string> => {
  const asked = new Set([...query.procedureCodes, ...query.diagnosisCodes])
  const listed = policy.codeGroups.flatMap((group) =>
    group.codes.filter((entry) => asked.has(entry.code)).map(displayCode)
  )
  return [...new Set(listed)].toSorted()
}
