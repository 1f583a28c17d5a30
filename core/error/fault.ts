import type { StoreFault } from "./StoreFault.ts"
import type { ErrorCode } from "./table.ts"

/** What a store's fault answers (contract §1, Server faults). */
export const faultCodes = {
  unreachable: "SERVER_UNAVAILABLE",
  refused: "SERVER_DATABASE_ERROR",
  unknown_outcome: "SERVER_DATABASE_ERROR",
  timeout: "SERVER_TIMEOUT"
} as const satisfies Readonly<Record<StoreFault, ErrorCode>>
