import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreFault } from "../error/StoreFault.ts"

export class OAuthClientsUnavailable extends Schema.TaggedError<OAuthClientsUnavailable>()(
  "OAuthClientsUnavailable",
  { fault: StoreFault }
) {}

/** A client that registered itself (RFC 7591). It has no secret. */
export interface OAuthClient {
  readonly clientId: string
  /** Its metadata as JSON text. */
  readonly metadata: string
  readonly registeredAtMs: number
}

/** At most this many clients are forgotten at once. */
export const forgottenClientsMax = 1_000

/**
 * Clients that registered themselves.
 *
 * 1. A client is found as it registered until it is forgotten.
 * 2. `forget` removes those that registered by the given instant and that nobody ever consented to, at most
 *    `forgottenClientsMax`, and says how many.
 * 3. An unavailable store fails with OAuthClientsUnavailable.
 */
export class OAuthClients extends Context.Service<
  OAuthClients,
  {
    /** The id is new. */
    readonly register: (client: OAuthClient) => Effect.Effect<void, OAuthClientsUnavailable>
    readonly find: (clientId: string) => Effect.Effect<OAuthClient | undefined, OAuthClientsUnavailable>
    readonly forget: (untilMs: number) => Effect.Effect<number, OAuthClientsUnavailable>
  }
>()("coverage/core/port/OAuthClients") {}
