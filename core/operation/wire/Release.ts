import * as Schema from "effect/Schema"
import { codeSystems } from "../../coverage/Code.ts"
import { dispositions } from "../../coverage/Policy.ts"

/** One decision of a certified release, `derived_decision_v1` (contract §2). */
export const ReleaseDecisionView = Schema.Struct({
  /** `dec_` and the record's hash. */
  decision_id: Schema.String,
  /** Over the canonical JSON of the other members (docs/releases.md). */
  record_sha256: Schema.String,
  policy_id: Schema.String,
  policy_version: Schema.Int,
  policy_fingerprint_sha256: Schema.String,
  source_document_sha256: Schema.String,
  payer_code: Schema.String,
  line_of_business: Schema.String,
  code_system: Schema.Literals(codeSystems),
  code: Schema.String,
  disposition: Schema.Literals(dispositions),
  /** 0001-01-01 where the document names no first day. */
  effective_date: Schema.String,
  retire_date: Schema.NullOr(Schema.String)
})
