import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { begin, forgottenMs, release, renew } from "../../core/idempotency/record.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import { forgottenMax, Idempotency } from "../../core/port/Idempotency.ts"
import { recordOf, Records } from "./Records.ts"

/** The records in the process: the kernel folded over what comes, nothing else. */
export const layer = Layer.effect(
  Idempotency,
  Effect.map(Records, (records) => {
    const settle =
      (transition: typeof release | typeof renew) =>
      ({ recordId, fence }: Claim) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const { record, begunMs } = recordOf(records, recordId)
          const [settled, next] = transition(record, { fence, nowMs })
          if (settled === "settled") records.set(recordId, { record: next, begunMs })
          return settled
        })
    return Idempotency.of({
      begin: ({ recordId, fingerprint }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const [begun, record] = begin(recordOf(records, recordId).record, { fingerprint, nowMs })
          if (begun._tag === "Execute") records.set(recordId, { record, begunMs: nowMs })
          return begun
        }),
      renew: settle(renew),
      release: settle(release),
      forget: Effect.map(Clock.currentTimeMillis, (nowMs) => {
        const old = [...records]
          .filter(([, { begunMs }]) => begunMs + forgottenMs <= nowMs)
          .slice(0, forgottenMax)
        for (const [recordId] of old) records.delete(recordId)
        return old.length
      })
    })
  })
)
