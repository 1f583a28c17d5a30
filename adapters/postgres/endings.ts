import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { usageStatus } from "../../core/organization/usage.ts"
import type { CallEnd } from "../../core/port/Ledger.ts"

/** Endings that wait to be written: seconds of them at full speed. What comes beyond stays as written. */
export const endingsMax = 50_000

/** One statement's worth: some milliseconds of row locks that nobody else waits for. */
export const endingsBatchMax = 1_000

/** Remembers how calls ended, at next to no cost to the call, and corrects their usage rows in bulk. */
export const makeEndings = (sql: SqlClient) => {
  const waiting = new Map<string, CallEnd>()
  return {
    /** What was said of a call first is what counts, also within a batch. */
    note: (call: CallEnd): void => {
      if (call.status === usageStatus || waiting.size >= endingsMax || waiting.has(call.requestId)) return
      waiting.set(call.requestId, call)
    },
    /** What cannot be written waits for the next time: it may have been, and then it is passed over. */
    write: Effect.gen(function* () {
      while (waiting.size > 0) {
        const batch = Array.from(waiting.values()).slice(0, endingsBatchMax)
        yield* correctUsage(sql, batch)
        for (const { requestId } of batch) waiting.delete(requestId)
      }
    })
  }
}

/**
 * Writes how calls ended into their usage rows; a trigger corrects what is summed of them already. Only a row
 * that still says what it was written with is corrected, so that it happens once however often it is tried.
 */
export const correctUsage = (sql: SqlClient, calls: ReadonlyArray<CallEnd>) =>
  sql`update usage u set status = e.status
    from unnest(${calls.map(({ organizationId }) => organizationId)}::text[],
      ${calls.map(({ requestId }) => requestId)}::text[],
      ${calls.map(({ status }) => status)}::int4[]) as e(organization_id, request_id, status)
    where u.request_id = e.request_id and u.organization_id = e.organization_id
      and u.status = ${usageStatus} and e.status <> ${usageStatus}`
