import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { DayUnknown } from "../limit/acquire.ts"
import type { Memo } from "../limit/memo.ts"
import { isLasting, repeat } from "../limit/memo.ts"
import { degradedPolicy } from "../limit/policy.ts"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import { dayOf } from "../limit/quota.ts"
import type { LimitEntry, LimitsUnavailable } from "../port/Limits.ts"
import { Limits } from "../port/Limits.ts"
import { makeCache } from "./cache.ts"
import { localByMinute, makeMinuteUse, sharedByMinute } from "./limitsByMinute.ts"
import type { SharedByMinute } from "./limitsByMinute.ts"
import {
  circuitBreaker,
  concernsAll,
  daysCountedHere,
  slotsOfOutages,
  subjectsApart
} from "./limitsOutage.ts"
import { makeLimitsProbe } from "./limitsProbe.ts"

/** How the limits' shared store is, for GET /health's `checks.cache` (contract §2). */
export interface LimitsCheck {
  readonly status: "up" | "down"
  /** Of the last probe that was answered; null before one was. */
  readonly latencyMs: number | null
  /** Why it is down, in a word that says nothing of any caller. */
  readonly reason?: string
}

/** Read without asking the store: a probe at most a second old answers. */
export class LimitsHealth extends Context.Service<
  LimitsHealth,
  {
    readonly check: Effect.Effect<LimitsCheck>
    /** The limits as calls meet them now: halved while the shared store is unavailable (§8.1.3). */
    readonly inForce: (policy: LimitPolicy) => Effect.Effect<LimitPolicy>
  }
>()("coverage/core/call/LimitsHealth") {}

/**
 * The shared store is tried this often, by nobody's call, so a server that hangs delays no call while it is
 * down.
 */
export const probeEveryMs = 250

export interface Stores<E, R> {
  readonly shared: Layer.Layer<Limits, E, R>
  readonly local: Layer.Layer<Limits>
  /** Processes behind one address, which share the degraded limit (contract §1). */
  readonly nodes: number
}

/**
 * The shared limits, and this process's own at half the limit while the shared store is unavailable (§8.1.3).
 * The first call that cannot reach the store is decided here and so are all that follow, until a probe is
 * answered; the headers show the limit in force. Where the store fails for some subjects only, they alone are
 * decided here. A minute holds at most one limit, also when the stores change (limitsByMinute.ts). The day is
 * unknown to the first attempt of a subject after a change of stores, so that it is told anew.
 */
export const failoverLimits = <E, R>({
  shared,
  local,
  nodes
}: Stores<E, R>): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const minutes = makeMinuteUse()
      const store = Context.get(yield* Layer.build(shared), Limits)
      const far = sharedByMinute(store, minutes, clock)
      const near = localByMinute(Context.get(yield* Layer.build(local), Limits), { minutes, nodes, clock })
      const outage = {
        circuit: circuitBreaker(),
        days: daysCountedHere(),
        slots: slotsOfOutages(),
        apart: subjectsApart(),
        clock,
        reason: undefined
      }
      const probe = watchStore(outage, yield* makeLimitsProbe(store, minutes.lost), far)
      yield* Effect.forkScoped(Effect.repeat(probe.once, Schedule.spaced(probeEveryMs)))
      const inForce = (policy: LimitPolicy) =>
        Effect.sync(() => (outage.circuit.isOpen() ? degradedPolicy(policy, nodes) : policy))
      return Context.make(Limits, overBoth(outage, far, near)).pipe(
        Context.add(LimitsHealth, LimitsHealth.of({ check: probe.check, inForce }))
      )
    })
  )

type Verbs = Limits["Service"]

/** What is known of the shared store's outages. */
interface OutageState {
  readonly circuit: ReturnType<typeof circuitBreaker>
  readonly days: ReturnType<typeof daysCountedHere>
  readonly slots: ReturnType<typeof slotsOfOutages>
  readonly apart: ReturnType<typeof subjectsApart>
  readonly clock: Clock.Clock
  /** Why the store failed last. */
  reason: string | undefined
}

const overBoth = (outage: OutageState, far: Verbs, near: Verbs): Verbs => {
  const { circuit, days, slots } = outage
  const decide = deciding(outage)
  return {
    acquire: decide(
      (entry) => {
        if (entry.dayUse !== undefined) days.begin(entry.subject, entry.dayUse.day, circuit.turn())
        return near.acquire(entry)
      },
      (entry) =>
        entry.dayUse === undefined
          ? far.acquire(entry)
          : noteOutage(far.acquire(entry), () => days.end(entry.subject))
    ),
    tryAcquire: decide(
      (entry) =>
        entry.policy.perDay === null || days.isCurrent(entry.subject, circuit.turn())
          ? near.tryAcquire(entry)
          : dayUnknown,
      (entry) => (days.has(entry.subject) ? dayUnknown : far.tryAcquire(entry))
    ),
    release: (entry) =>
      Effect.suspend(() => {
        const held = slots.give(entry)
        if (held === "here alone") return near.release(entry)
        const giveBack = circuit.isOpen() ? Effect.sync(() => slots.owe(entry)) : far.release(entry)
        return held === undefined ? giveBack : Effect.andThen(near.release(entry), giveBack)
      })
  }
}

const deciding = (outage: OutageState) => {
  const { apart, circuit, clock, slots } = outage
  return <Said extends { readonly _tag: string }>(
    here: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>,
    there: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>
  ) => {
    const hereAlone = (entry: LimitEntry) =>
      noteOutage(here(entry), (said) => said._tag === "Admitted" && slots.take(entry, "here alone"))
    const failed = (entry: LimitEntry, error: LimitsUnavailable, turn: number) => {
      outage.reason = error.reason ?? error.fault
      if (concernsAll(error)) circuit.open(turn)
      else apart.note(entry, error, clock.currentTimeMillisUnsafe())
      if (error.fault === "refused") return here(entry)
      // Who is refused here does not leave, and may be let in there all the same.
      return noteOutage(here(entry), (said) =>
        said._tag === "Admitted" ? slots.take(entry, "perhaps in both") : slots.owe(entry)
      )
    }
    return (entry: LimitEntry): Effect.Effect<Said, LimitsUnavailable> => {
      if (circuit.isOpen() || apart.has(entry, clock.currentTimeMillisUnsafe())) return hereAlone(entry)
      const turn = circuit.turn()
      const asked = there(entry)
      return Exit.isExit(asked) ? asked : Effect.catch(asked, (error) => failed(entry, error, turn))
    }
  }
}

/** Asks the store by the probe, and tells how it is. */
const watchStore = (
  outage: OutageState,
  probe: Effect.Effect<Duration.Duration, LimitsUnavailable>,
  far: SharedByMinute
) => {
  const { apart, circuit, clock, slots } = outage
  let latencyMs: number | null = null
  return {
    once: Effect.gen(function* () {
      const turn = circuit.turn()
      // What it does not know is told before it decides again.
      const answered = yield* Effect.exit(Effect.tap(probe, () => far.tellAll))
      if (answered._tag === "Failure") {
        const error = Result.getOrUndefined(Exit.findError(answered))
        outage.reason = error?.reason ?? error?.fault
        // A statement of the probe that is refused is the store's fault, for nobody else has its subject.
        return error?.isAlone === true ? apart.failed(clock.currentTimeMillisUnsafe()) : circuit.open(turn)
      }
      latencyMs = Duration.toMillis(answered.value)
      circuit.close()
      yield* Effect.forEach(slots.owed(), far.release, { discard: true })
    }),
    check: Effect.sync((): LimitsCheck => {
      const isDown = circuit.isOpen() || apart.failedLately(clock.currentTimeMillisUnsafe())
      const { reason = "unreachable" } = outage
      return isDown ? { status: "down", latencyMs, reason } : { status: "up", latencyMs }
    })
  }
}

/** The limits of one process that shares with nobody: there is no store that could be down. */
export const localLimits = <E, R>(
  local: Layer.Layer<Limits, E, R>
): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.merge(
    local,
    Layer.succeed(LimitsHealth, { check: Effect.succeed(ownMemory), inForce: Effect.succeed })
  )

const ownMemory: LimitsCheck = { status: "up", latencyMs: 0 }

const dayUnknown: Effect.Effect<DayUnknown> = Effect.clockWith((clock) =>
  Effect.succeed({ _tag: "DayUnknown", day: dayOf(clock.currentTimeMillisUnsafe()) })
)

const noteOutage = <A, E>(effect: Effect.Effect<A, E>, note: (value: A) => unknown): Effect.Effect<A, E> =>
  Effect.tap(effect, (value) => Effect.sync(() => note(value)))

/** Subjects in a flood beyond these are forgotten, and the store answers for them. */
export const memosMax = 10_000

/**
 * Answers the calls of a flood that the limits must refuse without asking the store again, as an Exit, since
 * nothing has to be waited for; every law still holds. To be asked when the answer is wanted.
 */
export const rejectionCache = <E, R>(limits: Layer.Layer<Limits, E, R>): Layer.Layer<Limits, E, R> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* Limits
      const clock = yield* Clock.Clock
      const memos = makeCache<string, Memo & { readonly policy: LimitPolicy }>({ weightMax: memosMax })
      const before =
        <Said extends LimitDecision | DayUnknown>(
          decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>
        ) =>
        (entry: LimitEntry): Effect.Effect<Said | Memo["refusal"], LimitsUnavailable> => {
          const beganMs = clock.currentTimeMillisUnsafe()
          // What is told of the day is told to the store, whatever the answer will be.
          const memo = entry.dayUse === undefined ? memos.get(entry.subject) : undefined
          if (memo !== undefined && sameLimits(memo.policy, entry.policy)) {
            const refusal = repeat(memo, { cost: entry.cost, clockMs: beganMs })
            if (refusal !== undefined) return Effect.succeed(refusal)
          }
          return Effect.map(decide(entry), (decision) => {
            if (decision._tag !== "Refused" || !isLasting(decision)) return decision
            const answeredMs = clock.currentTimeMillisUnsafe()
            const { cost, policy } = entry
            memos.set(entry.subject, { refusal: decision, cost, askedMs: beganMs, answeredMs, policy })
            return decision
          })
        }
      return { acquire: before(store.acquire), tryAcquire: before(store.tryAcquire), release: store.release }
    })
  ).pipe(Layer.provide(limits))

// The day's quota counts, since the headers of a refusal name it; the slots do not reach a refusal by the
// minute.
const sameLimits = (one: LimitPolicy, other: LimitPolicy): boolean =>
  one.perMinute === other.perMinute && one.perDay === other.perDay
