import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LimitedCall, LimitState } from "../../../core/limit/acquire.ts"
import { tryAcquire, acquire, release, emptyLimitState } from "../../../core/limit/acquire.ts"
import type { LimitDecision } from "../../../core/limit/policy.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import type { Log } from "../../../core/limit/window.ts"
import { windowMs } from "../../../core/limit/window.ts"
import type { LimitEntry } from "../../../core/port/Limits.ts"
import { Limits } from "../../../core/port/Limits.ts"

/** An adapter with one planted fault, and the law that must find it. */
export interface LimitsMutant {
  readonly name: string
  /** The words of the law, `Law.says`. */
  readonly kills: string
  readonly layer: Layer.Layer<Limits>
}

interface Parts {
  readonly decide?: Decide
  readonly attempts?: Attempt
  readonly subjectOf?: (entry: LimitEntry) => string
  readonly leaves?: (state: LimitState, requestId: string) => LimitState
  readonly pause?: Effect.Effect<void>
}

type Decide = (
  state: LimitState,
  entering: LimitedCall,
  clockMs: number
) => readonly [LimitDecision, LimitState]

type Attempt = typeof tryAcquire

const history = "1. for any history of calls it answers as the kernel folded over that history"
const busy = "1. it does so too when a hundred calls are in the window"
const race = "3. of 400 calls that race for a limit of 60 exactly 60 are admitted, and again after a minute"
const untouchedByRefusal = "2. a call refused by the minute, the day or the calls in flight uses none of them"
const order = "2. when several refuse, the minute answers first, then the day, then the calls in flight"
const told =
  "7. a day of which nothing is known is told once, by the store as by the caller, and uses nothing"
const toldOnce =
  "7. a refused call leaves the day told, and what is told again and is less, or late, tells nothing"
const leaveOnce = "5. leave gives the slot back once, and gives nothing back of the minute and the day"

/** The same adapter without a fault: unless every law holds for it, a law that fails proves nothing. */
export const faultless: Layer.Layer<Limits> = Layer.suspend(() => planted({}))

export const limitsMutants: readonly LimitsMutant[] = [
  { name: "the limit itself is refused", kills: history, layer: planted({ decide: limitOffBy(-1) }) },
  { name: "one more than the limit is admitted", kills: race, layer: planted({ decide: limitOffBy(1) }) },
  {
    name: "a call 60,000 ms old still counts",
    kills: history,
    layer: planted({
      decide: counting((log, clockMs) =>
        log.map((call) => (call.atMs === clockMs - windowMs ? { ...call, atMs: call.atMs + 1 } : call))
      )
    })
  },
  {
    name: "a call 59,999 ms old no longer counts",
    kills: history,
    layer: planted({
      decide: counting((log, clockMs) => log.filter(({ atMs }) => atMs !== clockMs - windowMs + 1))
    })
  },
  {
    name: "of a log forty count",
    kills: busy,
    layer: planted({ decide: counting((log) => log.slice(-40)) })
  },
  {
    name: "the window is the calendar minute",
    kills: history,
    layer: planted({
      decide: counting((log, clockMs) => log.filter(({ atMs }) => atMs >= clockMs - (clockMs % windowMs)))
    })
  },
  {
    name: "a call costs 1 whatever it costs",
    kills: history,
    layer: planted({
      decide: (state, entering, clockMs) => acquire(state, { ...entering, cost: 1 }, clockMs)
    })
  },
  {
    name: "a clock that steps back is believed",
    kills: "1. it does so too when the clock steps back",
    layer: planted({
      decide: (state, entering, clockMs) =>
        acquire({ ...state, log: state.log.filter(({ atMs }) => atMs <= clockMs) }, entering, clockMs)
    })
  },
  {
    name: "a refused call is counted",
    kills: untouchedByRefusal,
    layer: planted({
      decide: (state, entering, clockMs) => {
        const [decision, next] = acquire(state, entering, clockMs)
        if (decision._tag === "Admitted") return [decision, next]
        return [decision, { ...next, log: [...next.log, { atMs: clockMs, cost: entering.cost }] }]
      }
    })
  },
  {
    name: "a call refused by the slots has used its quota",
    kills: untouchedByRefusal,
    layer: planted({
      decide: (state, entering, clockMs) => {
        const [decision, next] = acquire(state, entering, clockMs)
        if (decision._tag === "Admitted" || decision.by !== "concurrent") return [decision, next]
        return [
          decision,
          { ...next, use: { day: Math.floor(clockMs / dayMs), used: next.use.used + entering.cost } }
        ]
      }
    })
  },
  {
    name: "the slots answer before the minute",
    kills: order,
    layer: planted({
      decide: (state, entering, clockMs) => {
        const policy = { ...entering.policy, perMinute: 1_000_000, perDay: null }
        const [first] = acquire(state, { ...entering, policy }, clockMs)
        return first._tag === "Refused" ? [first, state] : acquire(state, entering, clockMs)
      }
    })
  },
  {
    name: "it reads, waits and writes",
    kills: race,
    layer: planted({ pause: Effect.yieldNow })
  },
  {
    name: "all subjects are one",
    kills: "4. a subject that used everything leaves every other subject untouched",
    layer: planted({ subjectOf: () => "everybody" })
  },
  {
    name: "leave ends any call in flight",
    kills: leaveOnce,
    layer: planted({ leaves: (state) => ({ ...state, leases: state.leases.slice(1) }) })
  },
  {
    name: "a slot is never given back",
    kills: leaveOnce,
    layer: planted({ leaves: (state) => state })
  },
  {
    name: "a slot that is given back twice is counted twice",
    kills: leaveOnce,
    layer: planted({
      leaves: (state, requestId) => {
        const left = release(state, requestId)
        return left.leases.length < state.leases.length ? left : { ...state, leases: state.leases.slice(1) }
      }
    })
  },
  {
    name: "leave gives the minute back too",
    kills: leaveOnce,
    layer: planted({
      leaves: (state, requestId) => ({ ...release(state, requestId), log: state.log.slice(1) })
    })
  },
  {
    name: "a lease never ends",
    kills: "5. a lease whose process died ends by itself after 15 s, and not a millisecond earlier",
    layer: planted({
      decide: (state, entering, clockMs) => {
        const leases = state.leases.map((lease) => ({ ...lease, expiresMs: Number.MAX_SAFE_INTEGER }))
        return acquire({ ...state, leases }, entering, clockMs)
      }
    })
  },
  {
    name: "a slot is never taken",
    kills: "3. of 400 calls that race for 60 slots, or for a day's quota of 60, exactly 60 are admitted",
    layer: planted({
      decide: (state, entering, clockMs) => acquire({ ...state, leases: [] }, entering, clockMs)
    })
  },
  {
    name: "the quota is never renewed",
    kills: history,
    layer: planted({
      decide: (state, entering, clockMs) =>
        acquire({ ...state, use: { ...state.use, day: Math.floor(clockMs / dayMs) } }, entering, clockMs)
    })
  },
  {
    name: "calls of one instant are decided by the state before them all",
    kills: "1. it does so too for calls of many subjects that are made in the same instant",
    layer: planted({ pause: Effect.yieldNow })
  },
  {
    name: "a day of which nothing is known is taken for unused",
    kills: told,
    layer: planted({ attempts: acquire })
  },
  {
    name: "what it is told of the day, it does not hear",
    kills: told,
    layer: planted({
      decide: (state, { requestId, cost, policy }, clockMs) =>
        acquire(state, { requestId, cost, policy }, clockMs)
    })
  },
  {
    name: "what it is told of the day is forgotten with a refusal",
    kills: toldOnce,
    layer: planted({
      decide: (state, entering, clockMs) => {
        const [decision, next] = acquire(state, entering, clockMs)
        return [decision, decision._tag === "Refused" ? state : next]
      }
    })
  },
  {
    name: "what it is told of the day replaces what it counted",
    kills: toldOnce,
    layer: planted({
      decide: (state, entering, clockMs) =>
        acquire(entering.dayUse ? { ...state, use: entering.dayUse } : state, entering, clockMs)
    })
  }
]

/** The memory adapter in its plainest form, with a part of it replaced. */
function planted(parts: Parts): Layer.Layer<Limits> {
  const {
    decide = acquire,
    attempts = attempting(decide),
    subjectOf = ({ subject }) => subject,
    leaves = release,
    pause = Effect.void
  } = parts
  return Layer.sync(Limits, () => {
    const states = new Map<string, LimitState>()
    const read = (entry: LimitEntry) => states.get(subjectOf(entry)) ?? emptyLimitState
    const deciding = <Said>(
      by: (state: LimitState, entering: LimitedCall, clockMs: number) => readonly [Said, LimitState]
    ) =>
      Effect.fnUntraced(function* (entry: LimitEntry) {
        const state = read(entry)
        yield* pause
        const clockMs = yield* Clock.currentTimeMillis
        const [said, next] = by(state, entry, clockMs)
        states.set(subjectOf(entry), next)
        return said
      })
    return {
      acquire: deciding(decide),
      tryAcquire: deciding(attempts),
      release: (entry) =>
        Effect.sync(() => void states.set(subjectOf(entry), leaves(read(entry), entry.requestId)))
    }
  })
}

/** The right attempt where the kernel says that the day is unknown, else what this one decides. */
function attempting(decide: Decide): Attempt {
  return (state, entering, clockMs) => {
    const [said, next] = tryAcquire(state, entering, clockMs)
    return said._tag === "DayUnknown" ? [said, next] : decide(state, entering, clockMs)
  }
}

/** The limit is another one, and nothing else shows it. */
function limitOffBy(by: 1 | -1): Decide {
  return (state, entering, clockMs) => {
    const policy = { ...entering.policy, perMinute: entering.policy.perMinute + by }
    const [decision, next] = acquire(state, { ...entering, policy }, clockMs)
    const { limit, remaining, ...figures } = decision.figures
    return [
      { ...decision, figures: { ...figures, limit: limit - by, remaining: Math.max(0, remaining - by) } },
      next
    ]
  }
}

/** Decides by the log as it is counted wrongly, and keeps the log that is right. */
function counting(wrong: (log: Log, clockMs: number) => Log): Decide {
  return (state, entering, clockMs) => {
    const [decision, next] = acquire({ ...state, log: wrong(state.log, clockMs) }, entering, clockMs)
    if (decision._tag === "Refused") return [decision, state]
    return [decision, { ...next, log: [...state.log, ...next.log.slice(-1)] }]
  }
}
