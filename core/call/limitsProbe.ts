import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { LimitEntry, Limits } from "../port/Limits.ts"

/**
 * Asks whether the shared store decides, as a call of nobody that is always admitted: to admit it the store
 * must write, which one that is out of memory or a replica cannot, and a refusal may be answered from memory
 * (limits.ts).
 *
 * Its subject is this process's own and is counted by the day, so a store that does not know the day that it
 * was told of has lost its data, and `lost` hears of it. Tells how long the answer took.
 */
export const makeLimitsProbe = Effect.fnUntraced(function* (store: Limits["Service"], lost: () => void) {
  const subject = `probe:${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
  let toldDay: number | undefined
  const probeEntry: LimitEntry = {
    subject,
    requestId: "probe",
    cost: 1,
    policy: { perMinute: 1_000_000_000, perDay: 1_000_000_000, concurrent: 1_000_000_000 }
  }
  return Effect.gen(function* () {
    const [elapsed, said] = yield* Effect.timed(store.tryAcquire(probeEntry))
    if (said._tag !== "DayUnknown") return elapsed
    const { day } = said
    if (day === toldDay) lost()
    yield* store.acquire({ ...probeEntry, dayUse: { day, used: 0 } })
    toldDay = day
    return elapsed
  })
})
