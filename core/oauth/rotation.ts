/**
 * A rotated refresh token may be presented again for this long, inclusive. Parallel calls of one client and a
 * client that lost the answer both do so; a later presentation is reuse (OAuth 2.1 §4.3.1).
 */
export const rotationWindowMs = 60_000

/** A chain of rotations is followed this far. A client rotates at most once per second or so. */
export const rotationHopsMax = 200

/**
 * Returns true for a refresh token that was rotated at most `rotationWindowMs` before `nowMs`. Codes have no
 * window: a code presented twice is always reuse.
 */
export const isWithinRotationWindow = (
  { model, spentAtMs }: { readonly model: string; readonly spentAtMs: number | null },
  nowMs: number
): boolean => model === "RefreshToken" && spentAtMs !== null && nowMs - spentAtMs <= rotationWindowMs
