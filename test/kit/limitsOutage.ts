import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Memory from "../../adapters/memory/Limits.ts"
import type { LimitPolicy } from "../../core/limit/policy.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { failoverLimits } from "../../core/call/limits.ts"

/** The switch of a shared store: how it fails, how long it takes, and how often it was asked. */
export class Outage extends Context.Service<
  Outage,
  {
    fault: StoreFault | undefined
    takesMs: number
    asked: number
    left: number
    /** Whether what it does not answer happens all the same. */
    isLateOnly?: boolean
  }
>()("test/Outage") {}

export const outage = Layer.sync(Outage, () => ({ fault: undefined, takesMs: 0, asked: 0, left: 0 }))

/** The memory adapter behind a switch: what it decides is real, and only whether it answers is not. */
export const switchableLimits = Layer.effect(
  Limits,
  Effect.gen(function* () {
    const memory = Context.get(yield* Layer.build(Layer.fresh(Memory.layer)), Limits)
    const state = yield* Outage
    const switched = <Said>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
      Effect.fnUntraced(function* (entry: LimitEntry) {
        if (entry.subject.startsWith("org:")) state.asked++
        const fault = state.fault
        yield* Effect.sleep(state.takesMs)
        if (fault !== undefined) {
          if (state.isLateOnly === true) yield* decide(entry)
          return yield* new LimitsUnavailable({ fault })
        }
        return yield* decide(entry)
      })
    return {
      acquire: switched(memory.acquire),
      tryAcquire: switched(memory.tryAcquire),
      release: (entry) =>
        Effect.andThen(
          // What is told of a minute is given back at once.
          Effect.sync(() => void (entry.requestId === "told" || state.left++)),
          memory.release(entry)
        )
    }
  })
)

export const policy: LimitPolicy = { perMinute: 60, perDay: 40, concurrent: 1_000 }
let calls = 0
export const entry = (limits: LimitPolicy = policy) => ({
  subject: "org:one",
  requestId: `req_${calls++}`,
  cost: 1,
  policy: limits
})
export const stores = (nodes: number) =>
  failoverLimits({ shared: switchableLimits, local: Layer.fresh(Memory.layer), nodes }).pipe(
    Layer.provideMerge(outage)
  )
