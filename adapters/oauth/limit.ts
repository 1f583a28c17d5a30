import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OAuthUse } from "../../core/oauth/limits.ts"
import { oauthLimits, oauthSubject } from "../../core/oauth/limits.ts"
import { idRandomBytes, timeId } from "../../core/id/timeId.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"

/** What strangers may do from one address; answers how long to wait, undefined: go on. */
export const makeLimit = Effect.gen(function* () {
  const limits = yield* Limits
  const { randomBytes } = yield* Crypto
  return Effect.fnUntraced(function* (uses: ReadonlyArray<OAuthUse>, address: string) {
    for (const use of uses) {
      const nowMs = yield* Clock.currentTimeMillis
      const entry: LimitEntry = {
        subject: oauthSubject(use, address),
        requestId: timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) }),
        cost: 1,
        policy: oauthLimits[use.limit]
      }
      const decision = yield* limits.acquire(entry)
      if (decision._tag === "Refused") return Math.max(1, Math.ceil(decision.retryAfterMs / 1_000))
      // What is counted is the minute and the day, not what is under way.
      yield* limits.release(entry)
    }
    return undefined
  })
})
