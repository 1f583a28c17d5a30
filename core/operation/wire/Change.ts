import * as Schema from "effect/Schema"
import { policyTypes } from "../../coverage/Policy.ts"
import { changeTypes } from "../../coverage/revise.ts"

const words = Schema.Array(Schema.String)

/** One row of GET /policies/changes (contract §2). */
export const ChangeItem = Schema.Struct({
  diff_id: Schema.Int,
  policy_id: Schema.String,
  policy_title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  payer_name: Schema.NullOr(Schema.String),
  old_version: Schema.NullOr(Schema.Int),
  new_version: Schema.Int,
  change_type: Schema.Literals(changeTypes),
  change_summary: Schema.String,
  changed_at: Schema.String,
  details: Schema.Struct({
    changed_fields: words,
    added_codes: words,
    removed_codes: words,
    /** Ids of passages, as `block_id` of GET /policies/{id}. */
    modified_criteria: words
  })
})
export type ChangeItem = typeof ChangeItem.Type
