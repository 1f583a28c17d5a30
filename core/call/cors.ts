import { listsOrigin } from "../admission/gates.ts"
import type { KeyHolder } from "../key/state.ts"

/** What a page may read of an answer (contract §1, CORS). */
export const exposedHeaders = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "X-Credits-Cost",
  "X-Credits-Remaining"
] as const

/** The answer's CORS headers: only for an origin that the key lists. */
export const corsHeaders = (holder: KeyHolder, origin: string): Readonly<Record<string, string>> =>
  !listsOrigin(holder.key.allowedOrigins, origin)
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposedHeaders.join(", "),
        vary: "Origin"
      }
