import type { Operation } from "../Operation.ts"
import { HealthView } from "../wire/Health.ts"

export const healthRows = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Tell whether the service and its stores answer",
    requirement: null,
    feature: null,
    credits: 0,
    success: HealthView,
    refusals: []
  }
} as const satisfies Record<string, Operation>
