import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { AttemptKind, AttemptLimit } from "../person/attempts.ts"
import { attemptLimits, emailsOf } from "../person/attempts.ts"
import { Crypto } from "../port/Crypto.ts"
import type { LimitEntry } from "../port/Limits.ts"
import { Limits } from "../port/Limits.ts"

/** Too many attempts; the same one becomes possible after so long. */
export interface TooManyAttempts {
  readonly _tag: "Limited"
  readonly retryAfterSeconds: number
}

/** Runs an attempt if every limit of it allows, or returns Limited without running it. */
export const withAttemptLimits = <A, E, R>(
  attempt: { readonly kind: AttemptKind; readonly origin: string; readonly email: string | null },
  effect: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const emailHash = attempt.email === null ? null : yield* mailboxHash(attempt.email)
    for (const limit of attemptLimits({ ...attempt, emailHash })) {
      const limited = yield* enter(limit)
      if (limited !== undefined) return limited
    }
    return yield* effect
  })

/** Runs what sends an email, unless the mailbox got one of this kind less than a minute ago. */
export const withSpacedEmails = Effect.fnUntraced(function* <E, R>(
  { email, kind }: { readonly kind: "sign_up" | "request_reset"; readonly email: string },
  effect: Effect.Effect<void, E, R>
) {
  const limited = yield* enter(emailsOf(kind, yield* mailboxHash(email)))
  if (limited === undefined) yield* effect
})

/** One mailbox has one hash, however its address is typed. */
export const mailboxHash = (email: string) =>
  Effect.map(Crypto, ({ sha256Hex }) => sha256Hex(email.trim().toLowerCase()))

// The slot is released at once: the limit counts the attempts of a minute, not those under way.
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
