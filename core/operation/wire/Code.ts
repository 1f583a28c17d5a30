import * as Schema from "effect/Schema"
import { Suggestion } from "../../error/details.ts"
import { codeSystems } from "../../coverage/Code.ts"
import { dispositions, policyTypes } from "../../coverage/Policy.ts"

const maybeText = Schema.NullOr(Schema.String)

/** A policy that lists the code (contract §2, GET /codes/lookup, include=policies). */
export const CodePolicyView = Schema.Struct({
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  disposition: Schema.Literals(dispositions),
  source: Schema.Literals(["document", "inferred_title_match"]),
  jurisdiction: maybeText,
  effective_date: maybeText,
  source_url: maybeText
})
export type CodePolicyView = typeof CodePolicyView.Type

const maybeValue = Schema.NullOr(Schema.Number)

/** The Medicare physician fee schedule's values of the whole service, in relative value units. */
const RvuView = Schema.Struct({
  work_rvu: maybeValue,
  non_facility_pe_rvu: maybeValue,
  facility_pe_rvu: maybeValue,
  mp_rvu: maybeValue,
  non_facility_total: maybeValue,
  facility_total: maybeValue,
  status_code: Schema.String,
  global_days: maybeText,
  conversion_factor: maybeValue,
  source: Schema.String,
  edition: Schema.String
})

export const CodeView = Schema.Struct({
  code: Schema.String,
  code_system: Schema.Literals([...codeSystems, "UNKNOWN"]),
  found: Schema.Boolean,
  description: maybeText,
  short_description: maybeText,
  category: maybeText,
  betos_code: maybeText,
  poa_exempt: Schema.NullOr(Schema.Boolean),
  is_active: Schema.NullOr(Schema.Boolean),
  effective_date: maybeText,
  termination_date: maybeText,
  /** The table that answered, such as `2026` or `FY2026`; null where only a policy names the code. */
  edition: maybeText,
  /** With include=rvu; null where no fee schedule values the code. */
  rvu: Schema.optionalKey(Schema.NullOr(RvuView)),
  policies: Schema.optionalKey(Schema.Array(CodePolicyView)),
  suggestions: Schema.optionalKey(Schema.Array(Suggestion))
})
export type CodeView = typeof CodeView.Type

export const CodeBatchView = Schema.Struct({ results: Schema.Record(Schema.String, CodeView) })
