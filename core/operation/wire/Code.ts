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
  /** Relative value units are not imported: null. */
  rvu: Schema.Null,
  policies: Schema.optionalKey(Schema.Array(CodePolicyView)),
  suggestions: Schema.optionalKey(Schema.Array(Suggestion))
})
export type CodeView = typeof CodeView.Type

export const CodeBatchView = Schema.Struct({ results: Schema.Record(Schema.String, CodeView) })
