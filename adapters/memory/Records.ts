import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { IdempotencyRecord } from "../../core/idempotency/record.ts"
import { absent } from "../../core/idempotency/record.ts"

/** A record with when it was last begun, by which it is forgotten. */
export interface DatedRecord {
  readonly record: IdempotencyRecord<Uint8Array>
  readonly begunMs: number
}

/**
 * What the memory adapters of idempotency and transactions share; read and written within one synchronous
 * step.
 */
export class Records extends Context.Service<Records, Map<string, DatedRecord>>()(
  "coverage/adapters/memory/Records"
) {}

export const layer = Layer.sync(Records, () => new Map())

/** The record of an id, absent if it was never begun. */
export const recordOf = (records: Records["Service"], recordId: string): DatedRecord =>
  records.get(recordId) ?? { record: absent, begunMs: 0 }
