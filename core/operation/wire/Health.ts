import * as Schema from "effect/Schema"
import { HealthCheck } from "../../error/details.ts"

/** §2.4 */
export const HealthView = Schema.Struct({
  status: Schema.Literals(["healthy", "degraded"]),
  version: Schema.Literal("v1"),
  checks: Schema.Struct({ database: HealthCheck, cache: HealthCheck }),
  timestamp: Schema.String
})
export type HealthView = typeof HealthView.Type
