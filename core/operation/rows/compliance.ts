import * as Schema from "effect/Schema"
import { id, list, pageFields, text } from "../field.ts"
import type { Operation } from "../Operation.ts"
import { bulkMax, notesCharactersMax } from "../../compliance/Acknowledgement.ts"
import { changeTypes } from "../../coverage/revise.ts"
import {
  AcknowledgedChange,
  AcknowledgedChanges,
  ComplianceStats,
  UnreviewedChange
} from "../wire/Compliance.ts"

const notes = Schema.optionalKey(text({ min: 0, max: notesCharactersMax }))

export const complianceRows = {
  listUnreviewed: {
    method: "GET",
    path: "/compliance/unreviewed",
    summary: "List the changes of the last 30 days not yet acknowledged",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({ ...pageFields, change_type: Schema.optionalKey(Schema.Literals(changeTypes)) }),
    success: Schema.Array(UnreviewedChange),
    refusals: [],
    paged: true
  },
  complianceStats: {
    method: "GET",
    path: "/compliance/stats",
    summary: "Count acknowledged and unreviewed changes",
    requirement: "read",
    feature: null,
    credits: 1,
    success: ComplianceStats,
    refusals: []
  },
  acknowledgeChange: {
    method: "POST",
    path: "/compliance/ack",
    summary: "Acknowledge one change",
    requirement: "write",
    feature: null,
    credits: 1,
    body: Schema.Struct({ diff_id: id, notes }),
    success: AcknowledgedChange,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  acknowledgeChanges: {
    method: "POST",
    path: "/compliance/ack/bulk",
    summary: "Acknowledge many changes",
    requirement: "write",
    feature: null,
    credits: 4,
    body: Schema.Struct({ diff_ids: list(id, { min: 1, max: bulkMax }), notes }),
    success: AcknowledgedChanges,
    refusals: ["VALIDATION_ERROR"]
  }
} as const satisfies Record<string, Operation>
