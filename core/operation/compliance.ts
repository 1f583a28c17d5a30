import * as Schema from "effect/Schema"
import { bulkMax, notesCharactersMax } from "../compliance/Acknowledgement.ts"
import { changeTypes } from "../coverage/revise.ts"
import type { Operation } from "./Operation.ts"
import { ChangeItem } from "./changes.ts"
import { id, list, pageFields, text } from "./field.ts"

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
}).annotate({ identifier: "UnreviewedChange" })

export type UnreviewedChange = typeof UnreviewedChange.Type

/** Counts over the changes of the last 30 days. */
export const ComplianceStats = Schema.Struct({
  total_changes_30d: Schema.Int,
  acknowledged_count: Schema.Int,
  unreviewed_count: Schema.Int,
  /** Percent, 0 to 100. */
  acknowledgment_rate: Schema.Number,
  critical_unreviewed: Schema.Int
}).annotate({ identifier: "ComplianceStats" })

/** One change acknowledged; a repeat has the first one's id. */
export const AcknowledgedChange = Schema.Struct({
  id: Schema.Int,
  acknowledged: Schema.Literal(true),
  already_acked: Schema.Boolean
}).annotate({ identifier: "Acknowledgement" })

/** `acknowledged + already_acked + invalid_ids.length = total`. */
export const AcknowledgedChanges = Schema.Struct({
  acknowledged: Schema.Int,
  already_acked: Schema.Int,
  invalid_ids: Schema.Array(Schema.Int),
  total: Schema.Int
}).annotate({ identifier: "BulkAcknowledgement" })

const notes = Schema.optionalKey(text({ min: 0, max: notesCharactersMax }))

export const complianceRows = {
  listUnreviewed: {
    method: "GET",
    path: "/compliance/unreviewed",
    summary: "List unacknowledged changes of the last 30 days",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({ ...pageFields, change_type: Schema.optionalKey(Schema.Literals(changeTypes)) }),
    example: { path: "/compliance/unreviewed?change_type=codes_changed" },
    success: Schema.Array(UnreviewedChange),
    refusals: {},
    paged: true
  },
  complianceStats: {
    method: "GET",
    path: "/compliance/stats",
    summary: "Count acknowledged and unreviewed changes",
    requirement: "read",
    feature: null,
    credits: 1,
    example: { path: "/compliance/stats" },
    success: ComplianceStats,
    refusals: {}
  },
  acknowledgeChange: {
    method: "POST",
    path: "/compliance/ack",
    summary: "Acknowledge a change",
    requirement: "write",
    feature: null,
    credits: 1,
    body: Schema.Struct({ diff_id: id, notes }),
    example: { path: "/compliance/ack", body: { diff_id: 43, notes: "reviewed" } },
    success: AcknowledgedChange,
    refusals: { RESOURCE_NOT_FOUND: { path: "/compliance/ack", body: { diff_id: 999_999_999 } } }
  },
  acknowledgeChanges: {
    method: "POST",
    path: "/compliance/ack/bulk",
    summary: "Acknowledge several changes",
    requirement: "write",
    feature: null,
    credits: 4,
    body: Schema.Struct({ diff_ids: list(id, { min: 1, max: bulkMax }), notes }),
    example: { path: "/compliance/ack/bulk", body: { diff_ids: [41, 42, 43] } },
    success: AcknowledgedChanges,
    refusals: { VALIDATION_ERROR: { path: "/compliance/ack/bulk", body: { diff_ids: [999_999_999] } } }
  }
} as const satisfies Record<string, Operation>
