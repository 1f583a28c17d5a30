import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import { degradedPolicy } from "../limit/policy.ts"
import type { LimitEntry, Limits, LimitsUnavailable } from "../port/Limits.ts"
import type { makeMinuteUse } from "./minuteUse.ts"

type Minutes = ReturnType<typeof makeMinuteUse>
type Verbs = Limits["Service"]
type Decided = { readonly _tag: string } | LimitDecision

/** Bounds nothing, so that what was admitted elsewhere is counted whatever it comes to. */
const boundless: LimitPolicy = { perMinute: 1_000_000_000, perDay: null, concurrent: 1_000_000_000 }

const isDecision = (said: Decided): said is LimitDecision =>
  said._tag === "Admitted" || said._tag === "Refused"

/** How many subjects' minutes are told at once when a store is back. */
const toldAtOnce = 64

/** The shared store, and what it is told once it is back. */
export interface SharedByMinute extends Verbs {
  readonly tellAll: Effect.Effect<void, LimitsUnavailable>
}

/** The shared store, told first what it does not know of a subject's minute; its answers are kept in mind. */
export const sharedByMinute = (store: Verbs, minutes: Minutes, clock: Clock.Clock): SharedByMinute => {
  const tell = (subject: string, cost: number) => {
    const told: LimitEntry = { subject, requestId: "told", cost, policy: boundless }
    return Effect.andThen(
      Effect.onError(store.acquire(told), () =>
        Effect.sync(() => minutes.here(told, clock.currentTimeMillisUnsafe()))
      ),
      store.release(told)
    )
  }
  const tellAll = Effect.suspend(() =>
    Effect.forEach(
      minutes.owing(clock.currentTimeMillisUnsafe()),
      (subject) => tell(subject, minutes.due(subject, clock.currentTimeMillisUnsafe())),
      { concurrency: toldAtOnce, discard: true }
    )
  )
  const noting =
    <Said extends Decided>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
    (entry: LimitEntry): Effect.Effect<Said, LimitsUnavailable> => {
      const due = minutes.due(entry.subject, clock.currentTimeMillisUnsafe())
      const decided = Effect.map(decide(entry), (said) => {
        if (isDecision(said)) minutes.there(entry, said, clock.currentTimeMillisUnsafe())
        return said
      })
      return due === 0 ? decided : Effect.andThen(tell(entry.subject, due), decided)
    }
  return {
    acquire: noting(store.acquire),
    tryAcquire: noting(store.tryAcquire),
    release: store.release,
    tellAll
  }
}

/** What decides here while the shared store does not. */
export interface DegradedOptions {
  readonly minutes: Minutes
  readonly nodes: number
  readonly clock: Clock.Clock
}

/**
 * The process's own limits at the degraded limit, less what would make a minute hold more than one whole
 * limit together with what the shared store admitted. Headers show the degraded limit.
 */
export const localByMinute = (store: Verbs, { minutes, nodes, clock }: DegradedOptions): Verbs => {
  const narrowed =
    <Said extends Decided>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
    (entry: LimitEntry): Effect.Effect<Said, LimitsUnavailable> => {
      const nowMs = clock.currentTimeMillisUnsafe()
      const policy = degradedPolicy(entry.policy, nodes)
      const { units, untilMs } = minutes.used(entry, nowMs)
      const left = Math.max(0, Math.floor((entry.policy.perMinute - units) / nodes))
      const perMinute = Math.min(policy.perMinute, left)
      return Effect.map(decide({ ...entry, policy: { ...policy, perMinute } }), (said) => {
        if (said._tag === "Admitted") minutes.here(entry, nowMs)
        return isDecision(said) && perMinute < policy.perMinute
          ? shown(said, policy.perMinute, untilMs - nowMs)
          : said
      })
    }
  return {
    acquire: narrowed(store.acquire),
    tryAcquire: narrowed(store.tryAcquire),
    release: store.release
  }
}

/** A decision by a narrowed limit as its caller sees it: the limit in force, and no longer a wait. */
const shown = <Said extends LimitDecision>(said: Said, limit: number, narrowedMs: number): Said => {
  const figures = { ...said.figures, limit }
  return said._tag === "Refused" && said.by === "minute"
    ? { ...said, figures, retryAfterMs: Math.max(1, Math.min(said.retryAfterMs, narrowedMs)) }
    : { ...said, figures }
}
