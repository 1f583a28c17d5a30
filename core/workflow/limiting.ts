import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { degraded } from "../limit/policy.ts"
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
 * answered; the headers show the limit in force. What was used in one store is not carried to the other, so
 * at a change of stores a minute may hold one limit and one degraded limit.
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
      const circuit = circuitBreaker()

      const decideHere = (entry: LimitEntry) =>
        near.enter({ ...entry, policy: degraded(entry.policy, nodes) })
      const limits = Limits.of({
        enter: (entry) =>
          Effect.suspend(() => {
            if (circuit.isOpen()) return decideHere(entry)
            const turn = circuit.turn()
            return Effect.catch(far.enter(entry), (error) => {
              if (concernsAll(error)) circuit.open(turn)
              return decideHere(entry)
            })
          }),
        leave: (entry) =>
          Effect.suspend(() =>
            circuit.isOpen() ? near.leave(entry) : Effect.andThen(near.leave(entry), far.leave(entry))
          )
      })

      let latencyMs: number | null = null
      const probe = Effect.gen(function* () {
        const turn = circuit.turn()
        const [elapsed, answered] = yield* Effect.timed(Effect.exit(far.enter(probeEntry)))
        if (answered._tag === "Failure") return circuit.open(turn)
        latencyMs = Duration.toMillis(elapsed)
        circuit.close()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(probe, Effect.sleep(probeEveryMs))))

      const check = Effect.sync((): LimitsCheck => ({ status: circuit.isOpen() ? "down" : "up", latencyMs }))
      return Context.make(Limits, limits).pipe(Context.add(LimitsHealth, LimitsHealth.of({ check })))
    })
  )

/** The limits of one process that shares with nobody: there is no store that could be down. */
export const unshared = <E, R>(local: Layer.Layer<Limits, E, R>): Layer.Layer<Limits | LimitsHealth, E, R> =>
  Layer.merge(local, Layer.succeed(LimitsHealth, { check: Effect.succeed(ownMemory) }))

const ownMemory: LimitsCheck = { status: "up", latencyMs: 0 }

// A call to a subject of nobody. Refused or admitted, an answer is all it wants, and a refusal writes
// nothing.
const probeEntry: LimitEntry = {
  subject: "probe",
  requestId: "probe",
  cost: 1,
  policy: { perMinute: 1, perDay: null, concurrent: 1 }
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
