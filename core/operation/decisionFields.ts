import * as Schema from "effect/Schema"
import { codeSystems } from "../coverage/Code.ts"
import { conditionKinds } from "../coverage/CoverageDecision.ts"
import { ageCategories, sexes } from "../coverage/Criterion.ts"
import { dispositions, policyTypes } from "../coverage/Policy.ts"
import { maybeText, list, text } from "./field.ts"

/** One step of a decision's reasoning as the wire shows it (coverage-domain §2.1, rule 13). */
export const TraceItem = Schema.Struct({
  rule: Schema.String,
  policy_id: maybeText,
  version: Schema.NullOr(Schema.Int),
  /** The source's own, such as an LCD's `52`; `version` counts ours. */
  document_version: maybeText,
  group: Schema.NullOr(Schema.Int),
  result: Schema.String,
  /** The condition that the step is about. */
  condition_id: maybeText,
  quote: maybeText,
  citation: Schema.Struct({ source_url: maybeText, section: maybeText })
}).annotate({ identifier: "TraceStep" })

export type TraceItem = typeof TraceItem.Type

/** What stands between a `conditional` answer and coverage (coverage-domain §2.1, rule 8). */
export const ConditionItem = Schema.Struct({
  condition_id: Schema.String,
  text: Schema.String,
  section: Schema.String,
  policy_id: Schema.String,
  version: Schema.Int,
  document_version: maybeText,
  kind: Schema.Literals(conditionKinds)
}).annotate({ identifier: "CoverageCondition" })

export type ConditionItem = typeof ConditionItem.Type

/** Whether the answer has the steps of its reasoning; `full` where the request does not say. */
export const traceOption = Schema.Literals(["full", "none"])

export const ageCategory = Schema.Literals(ageCategories)

export const sex = Schema.Literals(sexes)

export const name = text({ min: 1, max: 100 })

export const attestedConditions = list(text({ min: 1, max: 100 }, "id"), { min: 0, max: 50 })

const policyFields = {
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  jurisdiction: maybeText,
  source_url: maybeText,
  effective_date: maybeText,
  last_verified_at: maybeText
}

/** A policy that bears on a decision, with the codes of the request that it lists. */
export const MatchedPolicy = Schema.Struct({
  ...policyFields,
  codes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      code_system: Schema.Literals(codeSystems),
      disposition: Schema.Literals(dispositions),
      /** Null for CPT, whose words are the AMA's. */
      description: maybeText
    })
  )
}).annotate({ identifier: "MatchedPolicy" })

export type MatchedPolicy = typeof MatchedPolicy.Type

/** The same as a source; `source_id` names the very version that was read. */
export const PolicySource = Schema.Struct({ ...policyFields, source_id: Schema.String }).annotate({
  identifier: "PolicySource"
})

export type PolicySource = typeof PolicySource.Type
