import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { TokenHash, TokenHolder } from "../oauth/TokenHolder.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class AccessTokensUnavailable extends Schema.TaggedError<AccessTokensUnavailable>()(
  "AccessTokensUnavailable",
  { fault: StoreFault }
) {}

/**
 * OAuth access tokens for /mcp (§5, MCP authentication).
 *
 * 1. `find` knows a token from its issue until it expires, is revoked, its grant ends, its person leaves the
 *    organization, or the organization is suspended or gone: from that instant on it is undefined, on every
 *    process, also when the suspension is lifted.
 * 2. An unavailable store fails with AccessTokensUnavailable.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly find: (token: TokenHash) => Effect.Effect<TokenHolder | undefined, AccessTokensUnavailable>
  }
>()("coverage/core/port/AccessTokens") {}
