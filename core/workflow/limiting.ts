import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { DayUnknown } from "../limit/enter.ts"
import { degraded } from "../limit/policy.ts"
import type { LimitPolicy } from "../limit/policy.ts"
import { dayOf } from "../limit/quota.ts"
import type { LimitEntry, LimitsUnavailable } from "../port/Limits.ts"
import { Limits } from "../port/Limits.ts"

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
    /** The limits as calls meet them now: halved while the shared store is away (§8.1.3). */
    readonly inForce: (policy: LimitPolicy) => Effect.Effect<LimitPolicy>
  }
>()("coverage/core/workflow/LimitsHealth") {}

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
 * The shared limits, and this process's own at half the limit while the shared store is away (§8.1.3). The
 * first call that cannot reach the store is decided here and so are all that follow, until a probe is
 * answered; the headers show the limit in force. What was used of the minute in one store is not carried to
 * the other, so at a change of stores a minute may hold one limit and one degraded limit. The day is: to the
 * first attempt of a subject after a change of stores it is unknown, so that it is told anew.
 */
export const degrading = <E, R>({
  shared,
  local,
  nodes
}: Stores<E, R>): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const far = Context.get(yield* Layer.build(shared), Limits)
      const near = Context.get(yield* Layer.build(local), Limits)
      const [circuit, days, owed] = [circuitBreaker(), daysCountedHere(), slotsOwed()]

      const decide =
        <Said extends { readonly _tag: string }>(
          here: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>,
          there: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>
        ) =>
        (entry: LimitEntry): Effect.Effect<Said, LimitsUnavailable> => {
          if (circuit.isOpen())
            return noting(here(entry), (said) => said._tag === "Admitted" && owed.spare(entry))
          const turn = circuit.turn()
          const asked = there(entry)
          if (Exit.isExit(asked)) return asked
          return Effect.catch(asked, (error) => {
            if (!concernsAll(error)) return here(entry)
            circuit.open(turn)
            // Who is refused here does not leave, and may be let in there all the same.
            return noting(here(entry), (said) => said._tag !== "Admitted" && owed.add(entry))
          })
        }
      const halved = (entry: LimitEntry) => ({ ...entry, policy: degraded(entry.policy, nodes) })
      const limits = Limits.of({
        enter: decide(
          (entry) => {
            if (entry.dayUse !== undefined) days.begin(entry.subject, entry.dayUse.day, circuit.turn())
            return near.enter(halved(entry))
          },
          (entry) =>
            entry.dayUse === undefined
              ? far.enter(entry)
              : noting(far.enter(entry), () => days.end(entry.subject))
        ),
        attempt: decide(
          (entry) =>
            entry.policy.perDay === null || days.isCurrent(entry.subject, circuit.turn())
              ? near.attempt(halved(entry))
              : dayUnknown,
          (entry) => (days.has(entry.subject) ? dayUnknown : far.attempt(entry))
        ),
        leave: (entry) =>
          Effect.suspend(() => {
            const isSpared = owed.forget(entry)
            if (!circuit.isOpen()) return Effect.andThen(near.leave(entry), far.leave(entry))
            if (!isSpared) owed.add(entry)
            return near.leave(entry)
          })
      })

      let latencyMs: number | null = null
      const probe = Effect.gen(function* () {
        const turn = circuit.turn()
        const [elapsed, answered] = yield* Effect.timed(Effect.exit(far.enter(probeEntry)))
        if (answered._tag === "Failure") return circuit.open(turn)
        latencyMs = Duration.toMillis(elapsed)
        circuit.close()
        yield* Effect.forEach(owed.take(), far.leave, { discard: true })
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(probe, Effect.sleep(probeEveryMs))))

      const check = Effect.sync((): LimitsCheck => ({ status: circuit.isOpen() ? "down" : "up", latencyMs }))
      const inForce = (policy: LimitPolicy) =>
        Effect.sync(() => (circuit.isOpen() ? degraded(policy, nodes) : policy))
      return Context.make(Limits, limits).pipe(Context.add(LimitsHealth, LimitsHealth.of({ check, inForce })))
    })
  )

/** The limits of one process that shares with nobody: there is no store that could be down. */
export const unshared = <E, R>(local: Layer.Layer<Limits, E, R>): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.merge(
    local,
    Layer.succeed(LimitsHealth, { check: Effect.succeed(ownMemory), inForce: Effect.succeed })
  )

const ownMemory: LimitsCheck = { status: "up", latencyMs: 0 }

const dayUnknown: Effect.Effect<DayUnknown> = Effect.clockWith((clock) =>
  Effect.succeed({ _tag: "DayUnknown", day: dayOf(clock.currentTimeMillisUnsafe()) })
)

const noting = <A, E>(effect: Effect.Effect<A, E>, note: (value: A) => unknown): Effect.Effect<A, E> =>
  Effect.tap(effect, (value) => Effect.sync(() => note(value)))

// Slots of calls that ended while the shared store was away and that it may hold all the same: it admitted
// them before, or left the question unanswered and carries it out when it is back. It is told of them as
// soon as it answers; otherwise a subject of few slots would be refused until their leases end. Calls that
// began while it was known to be away are none of its own.
const slotsOwed = () => {
  const spared = new Set<string>()
  const owed: Array<LimitEntry> = []
  return {
    /** The store was not asked for this call. */
    spare: ({ requestId }: LimitEntry): void => void spared.add(requestId),
    /** Whether it was such a call, which ends now. */
    forget: ({ requestId }: LimitEntry): boolean => spared.size > 0 && spared.delete(requestId),
    add: (entry: LimitEntry): void => void (owed.length < owedMax && owed.push(entry)),
    take: (): ReadonlyArray<LimitEntry> => owed.splice(0)
  }
}

// Calls in flight when the store went away, and those that it left unanswered: more than a process holds.
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
// from memory (remembering.ts) and would say for a second that a store is up which is not.
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
