import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
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

/** How the limits' shared store is, for GET /health's `checks.cache` (contract §2). */
export interface LimitsCheck {
  readonly status: "up" | "down"
  /** Of the last probe that was answered; null before one was. */
  readonly latencyMs: number | null
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
 * answered; the headers show the limit in force. What was used of the minute in one store is not carried to
 * the other, so at a change of stores a minute may hold one limit and one degraded limit. The day is: to the
 * first attempt of a subject after a change of stores it is unknown, so that it is told anew.
 */
export const failoverLimits = <E, R>({
  shared,
  local,
  nodes
}: Stores<E, R>): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const far = Context.get(yield* Layer.build(shared), Limits)
      const near = Context.get(yield* Layer.build(local), Limits)
      const [circuit, days, slots] = [circuitBreaker(), daysCountedHere(), slotsOfOutages()]

      const decide =
        <Said extends { readonly _tag: string }>(
          here: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>,
          there: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>
        ) =>
        (entry: LimitEntry): Effect.Effect<Said, LimitsUnavailable> => {
          if (circuit.isOpen())
            return noteOutage(
              here(entry),
              (said) => said._tag === "Admitted" && slots.take(entry, "here alone")
            )
          const turn = circuit.turn()
          const asked = there(entry)
          if (Exit.isExit(asked)) return asked
          return Effect.catch(asked, (error) => {
            if (!concernsAll(error)) return here(entry)
            circuit.open(turn)
            // Who is refused here does not leave, and may be let in there all the same.
            return noteOutage(here(entry), (said) =>
              said._tag === "Admitted" ? slots.take(entry, "perhaps in both") : slots.owe(entry)
            )
          })
        }
      const halved = (entry: LimitEntry) => ({ ...entry, policy: degradedPolicy(entry.policy, nodes) })
      const limits = Limits.of({
        acquire: decide(
          (entry) => {
            if (entry.dayUse !== undefined) days.begin(entry.subject, entry.dayUse.day, circuit.turn())
            return near.acquire(halved(entry))
          },
          (entry) =>
            entry.dayUse === undefined
              ? far.acquire(entry)
              : noteOutage(far.acquire(entry), () => days.end(entry.subject))
        ),
        tryAcquire: decide(
          (entry) =>
            entry.policy.perDay === null || days.isCurrent(entry.subject, circuit.turn())
              ? near.tryAcquire(halved(entry))
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
      })

      let latencyMs: number | null = null
      const probe = Effect.gen(function* () {
        const turn = circuit.turn()
        const [elapsed, answered] = yield* Effect.timed(Effect.exit(far.acquire(probeEntry)))
        if (answered._tag === "Failure") return circuit.open(turn)
        latencyMs = Duration.toMillis(elapsed)
        circuit.close()
        yield* Effect.forEach(slots.owed(), far.release, { discard: true })
      })
      yield* Effect.forkScoped(Effect.repeat(probe, Schedule.spaced(probeEveryMs)))

      const check = Effect.sync((): LimitsCheck => ({ status: circuit.isOpen() ? "down" : "up", latencyMs }))
      const inForce = (policy: LimitPolicy) =>
        Effect.sync(() => (circuit.isOpen() ? degradedPolicy(policy, nodes) : policy))
      return Context.make(Limits, limits).pipe(Context.add(LimitsHealth, LimitsHealth.of({ check, inForce })))
    })
  )

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

/** Where a call that was admitted here holds its slot: the shared store may have admitted it too, unheard. */
type Held = "here alone" | "perhaps in both"

// Slots of calls that ended while the shared store was unavailable and that it may hold all the same: it
// admitted them before, or left the question unanswered and carries it out when it is back. It is told of
// them as soon as it answers; otherwise a subject of few slots would be refused until their leases end. Calls
// that began while it was known to be unavailable are none of its own.
const slotsOfOutages = () => {
  const here = new Map<string, Held>()
  const owed: Array<LimitEntry> = []
  return {
    take: ({ requestId }: LimitEntry, held: Held): void => void here.set(requestId, held),
    /** Where the call held a slot; undefined: in the shared store, as nearly always. */
    give: ({ requestId }: LimitEntry): Held | undefined => {
      if (here.size === 0) return undefined
      const held = here.get(requestId)
      if (held !== undefined) here.delete(requestId)
      return held
    },
    owe: (entry: LimitEntry): void => void (owed.length < owedMax && owed.push(entry)),
    owed: (): ReadonlyArray<LimitEntry> => owed.splice(0)
  }
}

// Calls in flight when the store became unavailable, and those that it left unanswered: more than a process
// holds.
const owedMax = 10_000

// The subjects whose day was last counted in this process, and in which turn: a later turn's outage begins
// with what others and the shared store have counted since. A day that is over is nobody's any more.
const daysCountedHere = () => {
  const turns = new Map<string, number>()
  let day = 0
  return {
    begin: (subject: string, today: number, turn: number): void => {
      if (today !== day) turns.clear()
      day = today
      turns.set(subject, turn)
    },
    end: (subject: string): void => void turns.delete(subject),
    has: (subject: string): boolean => turns.has(subject),
    isCurrent: (subject: string, turn: number): boolean => turns.get(subject) === turn
  }
}

// A call to a subject of nobody. Refused or admitted, an answer is all it wants, and a refusal writes
// nothing. Admitted once it leaves room for a cheaper call, since a refusal that leaves none may be answered
// from memory (rejectionCache) and would say for a second that a store is up which is not.
const probeEntry: LimitEntry = {
  subject: "probe",
  requestId: "probe",
  cost: 2,
  policy: { perMinute: 3, perDay: null, concurrent: 1 }
}

// A statement that the store refused may be one subject's damaged key; whether it is the store, the probe
// will tell.
const concernsAll = (error: LimitsUnavailable): boolean => error.fault !== "refused"

// The turn counts the closings: a call that was sent before the last one says nothing about the store as it
// is now.
const circuitBreaker = () => {
  let isOpen = false
  let turn = 0
  return {
    isOpen: () => isOpen,
    turn: () => turn,
    open: (since: number): void => {
      if (since === turn) isOpen = true
    },
    close: (): void => {
      if (isOpen) turn++
      isOpen = false
    }
  }
}

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
