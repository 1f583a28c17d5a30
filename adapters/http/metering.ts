import * as Effect from "effect/Effect"
import type * as Metric from "effect/Metric"
import { callsAnswered, callSeconds, creditsSpent } from "../../core/workflow/meters.ts"
import type { Answered } from "../../core/call/respond.ts"
import type { Route } from "./Edge.ts"

/** Writes down an answered call of one route, and the milliseconds that it took. */
export type Meter = (answer: Answered, elapsedMs: number) => void

/** A meter for each route; its counters are made once, so that a call adds to them and looks nothing up. */
export const makeMetering = Effect.map(
  Effect.context<never>(),
  (context) =>
    ({ operation, surface }: Route): Meter => {
      const seconds = callSeconds({ operation, surface })
      const credits = creditsSpent({ operation })
      const byStatus = new Map<number, Metric.Counter<number>>()
      const counted = (status: number): Metric.Counter<number> => {
        const known = byStatus.get(status)
        if (known !== undefined) return known
        const made = callsAnswered({ operation, surface, status: String(status) })
        byStatus.set(status, made)
        return made
      }
      return ({ status, cost }, elapsedMs) => {
        counted(status).updateUnsafe(1, context)
        seconds.updateUnsafe(elapsedMs / 1_000, context)
        if (cost > 0) credits.updateUnsafe(cost, context)
      }
    }
)
