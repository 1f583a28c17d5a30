import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import { degradedPolicy } from "../limit/policy.ts"
import { windowMs } from "../limit/window.ts"
import type { LimitEntry, Limits, LimitsUnavailable } from "../port/Limits.ts"

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

/** What was admitted is summed by stretches of time this long, so a sum may say a stretch too much. */
const stretchMs = 10_000
const stretches = windowMs / stretchMs + 1

/** Of more subjects the oldest are forgotten; a change of stores then gives them a minute anew. */
const subjectsMax = 100_000

interface Use {
  /** Cost units that the shared store admitted for this process, by stretch. */
  readonly sums: Array<number>
  stretch: number
  /** What all processes had used when the shared store last answered, and until when that may count. */
  seen: number
  seenUntilMs: number
  /** What was admitted here alone and the shared store has not been told. */
  owed: number
  owedMs: number
  /** The losses of the store's data that this subject was told again after. */
  losses: number
}

/**
 * What a process knows of each subject's last minute in either store, so that a minute holds at most one
 * limit also when the stores change (§8.1.3): what the shared store admitted narrows the limit here, and
 * what was admitted here is told to the shared store, with all else that it lost. Instants are Unix ms of
 * this process. A sum may be too large for some seconds. It is too small only by what other processes used
 * after the shared store's last answer here.
 */
export const makeMinuteUse = () => {
  const subjects = new Map<string, Use>()
  let losses = 0

  const useOf = ({ subject }: LimitEntry, nowMs: number): Use => {
    const known = subjects.get(subject)
    if (known !== undefined) return known
    const sums = Array.from({ length: stretches }, () => 0)
    const use: Use = {
      sums,
      stretch: Math.floor(nowMs / stretchMs),
      seen: 0,
      seenUntilMs: nowMs,
      owed: 0,
      owedMs: nowMs,
      losses
    }
    if (subjects.size >= subjectsMax)
      for (const oldest of subjects.keys()) {
        subjects.delete(oldest)
        break
      }
    subjects.set(subject, use)
    return use
  }

  /** What the shared store admitted for this process in the last minute. */
  const admitted = (use: Use, nowMs: number): number => {
    forward(use, nowMs)
    return use.sums.reduce((sum, cost) => sum + cost, 0)
  }

  const owedOf = ({ owed, owedMs }: Use, nowMs: number): number => (nowMs - owedMs < windowMs ? owed : 0)
  const lostOf = (use: Use, nowMs: number): number => (use.losses === losses ? 0 : admitted(use, nowMs))
  const due = (subject: string, nowMs: number): number => {
    const use = subjects.get(subject)
    if (use === undefined || (use.owed === 0 && use.losses === losses)) return 0
    const told = owedOf(use, nowMs) + lostOf(use, nowMs)
    use.owed = 0
    use.losses = losses
    return told
  }

  return {
    /** The shared store decided a call. */
    there: (entry: LimitEntry, said: LimitDecision, nowMs: number): void => {
      if (said._tag === "Refused" && said.by === "day") return
      const use = useOf(entry, nowMs)
      const { atMs, limit, remaining, resetMs } = said.figures
      use.seen = limit - remaining
      use.seenUntilMs = nowMs + resetMs - atMs
      if (said._tag === "Refused") return
      forward(use, nowMs)
      const now = use.stretch % stretches
      use.sums[now] = (use.sums[now] ?? 0) + entry.cost
    },
    /** A call was admitted here alone. */
    here: (entry: LimitEntry, nowMs: number): void => {
      const use = useOf(entry, nowMs)
      use.owed += entry.cost
      use.owedMs = nowMs
    },
    /** What of the subject's minute the shared store last said to be used, and until when that counts. */
    used: ({ subject }: LimitEntry, nowMs: number): { readonly units: number; readonly untilMs: number } => {
      const use = subjects.get(subject)
      return use === undefined || nowMs >= use.seenUntilMs
        ? { units: 0, untilMs: nowMs }
        : { units: use.seen, untilMs: use.seenUntilMs }
    },
    /** What the shared store is to be told before it decides; it is taken for told from now on. */
    due,
    /** The subjects that it is to be told something of. */
    owing: (nowMs: number): ReadonlyArray<string> =>
      Array.from(subjects)
        .filter(([, use]) => owedOf(use, nowMs) + lostOf(use, nowMs) > 0)
        .map(([subject]) => subject),
    /** The shared store has lost what this process had told it. */
    lost: (): void => {
      losses++
    }
  }
}

/** Empties the stretches that are new since the last one that was written. */
const forward = (use: Use, nowMs: number): void => {
  const stretch = Math.floor(nowMs / stretchMs)
  for (let next = Math.max(use.stretch + 1, stretch - stretches + 1); next <= stretch; next++)
    use.sums[next % stretches] = 0
  use.stretch = Math.max(use.stretch, stretch)
}
