import * as Effect from "effect/Effect"
import type { Payer } from "../coverage/Payer.ts"
import { parsePolicyId } from "../coverage/policyId.ts"
import { utcTime } from "../coverage/utcTime.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import type { ChangeItem } from "../operation/changes.ts"
import { Policies } from "../port/Policies.ts"
import type { RecordedChange } from "../port/Policies.ts"
import { Payers } from "../port/Payers.ts"
import type { Handler } from "./Handler.ts"
import { beforeOf, pageEnd } from "./newestFirst.ts"

/** GET /policies/changes (contract §2), newest first, by diff id. */
export const makeChangeHandlers = Effect.gen(function* () {
  const changes = yield* Policies
  const payers = yield* Payers

  const listPolicyChanges: Handler<"listPolicyChanges"> = ({ query }, { position }) =>
    Effect.gen(function* () {
      const before = beforeOf(position)
      if (before === undefined) return refused("REQUEST_INVALID_CURSOR")
      const limit = query.limit ?? pageLimit.standard
      const policyId = query.policy_id === undefined ? null : parsePolicyId(query.policy_id)
      // A text that can be no policy's id has no changes.
      if (policyId === undefined) return { _tag: "Data", data: [], page: { next: null, limit } }
      const found = yield* changes.changes({
        since: query.since === undefined ? null : (utcTime(query.since) ?? null),
        policyId,
        changeType: query.change_type ?? null,
        policyType: query.policy_type ?? null,
        before,
        limit
      })
      const named = new Map((yield* payers.list).map((payer) => [payer.code, payer]))
      return {
        _tag: "Data",
        data: found.changes.map((change) => changeItem(change, named)),
        page: pageEnd(found.next, limit)
      }
    })

  return { listPolicyChanges } as const
})

const changeItem = (change: RecordedChange, payers: ReadonlyMap<string, Payer>): ChangeItem => ({
  diff_id: change.diffId,
  policy_id: change.policy.policyId,
  policy_title: change.title,
  policy_type: change.policy.policyType,
  payer_name: payers.get(change.policy.payerCode)?.name ?? null,
  old_version: change.oldVersion,
  new_version: change.newVersion,
  change_type: change.changeType,
  change_summary: change.changeSummary,
  changed_at: change.changedAt,
  details: {
    changed_fields: change.changedFields,
    added_codes: change.addedCodes,
    removed_codes: change.removedCodes,
    modified_criteria: change.modifiedCriteria
  }
})
