import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { AttemptKind, AttemptLimit } from "../person/attempts.ts"
import { attemptLimits } from "../person/attempts.ts"
import { Crypto } from "../port/Crypto.ts"
import type { LimitEntry } from "../port/Limits.ts"
import { Limits } from "../port/Limits.ts"

/** Too many attempts; the same one becomes possible after so long. */
export interface TooManyAttempts {
  readonly _tag: "Limited"
  readonly retryAfterSeconds: number
}

/** Does what was tried when every limit of it allows, and says so otherwise, having done nothing. */
export const withAttemptLimits = <A, E, R>(
  attempt: { readonly kind: AttemptKind; readonly address: string | null; readonly email: string | null },
  effect: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { sha256Hex } = yield* Crypto
    const emailHash = attempt.email === null ? null : sha256Hex(attempt.email.trim().toLowerCase())
    for (const limit of attemptLimits({ ...attempt, emailHash })) {
      const limited = yield* enter(limit)
      if (limited !== undefined) return limited
    }
    return yield* effect
  })

// The slot is given back at once: what is counted is the attempts of a minute, not those under way.
const enter = Effect.fnUntraced(function* ({ subject, policy }: AttemptLimit) {
  const limits = yield* Limits
  const { randomBytes } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const requestId = timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })
  const entry: LimitEntry = { subject, requestId, cost: 1, policy }
  const decision = yield* limits.acquire(entry)
  if (decision._tag === "Refused") return limited(decision.retryAfterMs)
  yield* limits.release(entry)
  return undefined
})

const limited = (retryAfterMs: number): TooManyAttempts => ({
  _tag: "Limited",
  retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000))
})
