import { operationRow } from "./catalogue.ts"
import type { OperationId, PublicId } from "./catalogue.ts"

/**
 * Operations that have a row but no handler yet. They pass every gate and answer SERVER_UNAVAILABLE before
 * any charge, from one place (workflow/call.ts); a test pins this list, so that it can only shrink.
 */
export const pending = [] as const satisfies ReadonlyArray<OperationId>

export type PendingId = (typeof pending)[number]
/** The operations that have a handler. */
export type BuiltId = Exclude<OperationId, PendingId>

/** Those of them that take a key, and so answer from a library on each surface. */
export type KeyedId = Exclude<BuiltId, PublicId>

const pendingIds: ReadonlySet<OperationId> = new Set(pending)

export const isPending = (id: OperationId): id is PendingId => pendingIds.has(id)

export const isKeyed = (id: OperationId): id is KeyedId =>
  !isPending(id) && operationRow(id).requirement !== null
