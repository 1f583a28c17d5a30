import * as Schema from "effect/Schema"
import { policyTypes } from "../coverage/Policy.ts"
import { changeTypes } from "../coverage/revise.ts"
import type { Operation } from "./Operation.ts"
import { texts, isoTimeOrDate, pageFields, policyId } from "./field.ts"

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
    changed_fields: texts,
    added_codes: texts,
    removed_codes: texts,
    /** Ids of passages, as `block_id` of GET /policies/{id}. */
    modified_criteria: texts
  })
}).annotate({ identifier: "PolicyChange" })

export type ChangeItem = typeof ChangeItem.Type

export const changeRows = {
  listPolicyChanges: {
    method: "GET",
    path: "/policies/changes",
    summary: "List policy changes, newest first",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      ...pageFields,
      since: Schema.optionalKey(isoTimeOrDate),
      policy_id: Schema.optionalKey(policyId),
      change_type: Schema.optionalKey(Schema.Literals(changeTypes)),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes))
    }),
    example: { path: "/policies/changes?policy_id=L90003" },
    success: Schema.Array(ChangeItem),
    refusals: {},
    paged: true,
    coverage: true
  }
} as const satisfies Record<string, Operation>
