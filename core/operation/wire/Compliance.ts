import * as Schema from "effect/Schema"
import { ChangeItem } from "./Change.ts"

const { diff_id, policy_id, policy_title, policy_type, payer_name, change_type, change_summary, changed_at } =
  ChangeItem.fields

/** A change that waits to be acknowledged (contract §2, Compliance). */
export const UnreviewedChange = Schema.Struct({
  diff_id,
  policy_id,
  policy_title,
  policy_type,
  payer_name,
  change_type,
  change_summary,
  changed_at
})
export type UnreviewedChange = typeof UnreviewedChange.Type

/** Counts over the changes of the last 30 days. */
export const ComplianceStats = Schema.Struct({
  total_changes_30d: Schema.Int,
  acknowledged_count: Schema.Int,
  unreviewed_count: Schema.Int,
  /** Percent, 0 to 100. */
  acknowledgment_rate: Schema.Number,
  critical_unreviewed: Schema.Int
})

/** One change acknowledged; a repeat has the first one's id. */
export const AcknowledgedChange = Schema.Struct({
  id: Schema.Int,
  acknowledged: Schema.Literal(true),
  already_acked: Schema.Boolean
})

/** `acknowledged + already_acked + invalid_ids.length = total`. */
export const AcknowledgedChanges = Schema.Struct({
  acknowledged: Schema.Int,
  already_acked: Schema.Int,
  invalid_ids: Schema.Array(Schema.Int),
  total: Schema.Int
})
