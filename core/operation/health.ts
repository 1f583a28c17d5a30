import * as Schema from "effect/Schema"
import { HealthCheck } from "../error/details.ts"
import type { Operation } from "./Operation.ts"

/** §2.4 */
export const HealthView = Schema.Struct({
  status: Schema.Literals(["healthy", "degraded"]),
  version: Schema.Literal("v1"),
  checks: Schema.Struct({ database: HealthCheck, cache: HealthCheck }),
  timestamp: Schema.String
}).annotate({ identifier: "Health" })

export type HealthView = typeof HealthView.Type

export const healthRows = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Check service health",
    requirement: null,
    feature: null,
    credits: 0,
    example: { path: "/health" },
    success: HealthView,
    refusals: {}
  }
} as const satisfies Record<string, Operation>
