import * as Schema from "effect/Schema"
import { conditionKinds } from "../../coverage/CoverageDecision.ts"

const maybeText = Schema.NullOr(Schema.String)

/** One step of a decision's reasoning as the wire shows it (coverage-domain §2.1, rule 13). */
export const TraceItem = Schema.Struct({
  rule: Schema.String,
  policy_id: maybeText,
  version: Schema.NullOr(Schema.Int),
  /** The source's own, such as an LCD's `52`; `version` counts ours. */
  document_version: maybeText,
  group: Schema.NullOr(Schema.Int),
  result: Schema.String,
  quote: maybeText,
  citation: Schema.Struct({ source_url: maybeText, section: maybeText })
})
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
})
export type ConditionItem = typeof ConditionItem.Type
