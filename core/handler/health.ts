import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import { Probes } from "../port/Probes.ts"
import type { Probe } from "../port/Probes.ts"
import { apiCondition } from "../status/condition.ts"
import type { Handler } from "./Handler.ts"

/**
 * GET /health (§2.4, contract §2): without its cache the service is degraded, without its database it is
 * down.
 */
export const makeHealthHandler = Effect.gen(function* () {
  const probes = yield* Probes
  const health: Handler<"health"> = (_, { now }) =>
    Effect.map(probes.read, (seen) => {
      const checks = { database: checkOf(seen.database), cache: checkOf(seen.cache) }
      const condition = apiCondition(seen)
      if (condition === "down") return refused("SERVER_UNAVAILABLE", { checks })
      const status = condition === "up" ? "healthy" : "degraded"
      return { _tag: "Data", data: { status, version: "v1", checks, timestamp: now } }
    })
  return { health } as const
})

const checkOf = ({ status, latencyMs, reason }: Probe) => ({
  status,
  latency_ms: latencyMs === null ? null : Math.round(latencyMs),
  ...(reason === undefined ? {} : { reason })
})
