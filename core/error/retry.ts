import type { ErrorCode } from "./table.ts"
import { errorRow } from "./Refusal.ts"

/** §7.4.3: the waits before the first, second and third retry; then give up. */
export const retryWaitsSeconds = [1, 2, 4] as const

export type RetryDecision =
  | { readonly _tag: "GiveUp" }
  | { readonly _tag: "RetryAfter"; readonly waitSeconds: number; readonly sameIdempotencyKey: boolean }

/**
 * What a client does with an error after `retriesDone` retries (§7.4). `retryAfterSeconds` is the header's,
 * on 429.
 */
export const retryDecision = (input: {
  readonly code: ErrorCode
  readonly retriesDone: number
  readonly retryAfterSeconds: number | null
}): RetryDecision => {
  const row = errorRow(input.code)
  const wait = retryWaitsSeconds[input.retriesDone]
  if (!row.retryable || wait === undefined) return { _tag: "GiveUp" }
  return {
    _tag: "RetryAfter",
    waitSeconds: row.status === 429 && input.retryAfterSeconds !== null ? input.retryAfterSeconds : wait,
    sameIdempotencyKey: keepsIdempotencyKey.has(input.code)
  }
}

/** §7.4.4 */
const keepsIdempotencyKey: ReadonlySet<ErrorCode> = new Set([
  "REQUEST_IDEMPOTENCY_IN_PROGRESS",
  "SERVER_IDEMPOTENCY_UNAVAILABLE"
])
