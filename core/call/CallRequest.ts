import type * as Effect from "effect/Effect"
import type { BodyReading } from "../admission/body.ts"
import type { RawInput } from "../admission/decode.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"

/** A call as a surface hands it over. */
export interface CallRequest extends RawInput {
  /** What is wrong with the request's line already (step 1); undefined: nothing. */
  readonly fault: Refusal | undefined
  readonly authorization: string | undefined
  readonly origin: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly idempotencyKey: string | undefined
  /** The caller's address, behind trusted proxies resolved. */
  readonly address: string
  /** Read at step 8 and not before, except in the sandbox (faultInjection.ts). */
  readonly readBody: Effect.Effect<BodyReading>
  /** Whose token it came with, and the tool's arguments: a call of MCP alone. */
  readonly token?: TokenHolder
  readonly toolInput?: unknown
}
