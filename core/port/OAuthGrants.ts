import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OAuthGrant } from "../oauth/OAuthGrant.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class OAuthGrantsUnavailable extends Schema.TaggedError<OAuthGrantsUnavailable>()(
  "OAuthGrantsUnavailable",
  { fault: StoreFault }
) {}

/**
 * Consents, as the authorization server asks for them; `ConnectedApps` are the same ones as an organization
 * sees them.
 *
 * 1. `open` needs the person to be a member of the organization at that moment, else it is `not_member`. The
 *    client counts as used from then on.
 * 2. `find` knows a grant until it is ended, its person leaves the organization, or it is forgotten after its
 *    end; it tells whether the organization is suspended.
 * 3. `end` ends it with all its records and answers what it was; undefined: there was none.
 * 4. `open` joins the write around it.
 * 5. A store that is away fails with OAuthGrantsUnavailable.
 */
export class OAuthGrants extends Context.Service<
  OAuthGrants,
  {
    /** The id is new. */
    readonly open: (grant: OAuthGrant) => Effect.Effect<"opened" | "not_member", OAuthGrantsUnavailable>
    readonly find: (
      grantId: string
    ) => Effect.Effect<
      (OAuthGrant & { readonly organizationSuspended: boolean }) | undefined,
      OAuthGrantsUnavailable
    >
    readonly end: (grantId: string) => Effect.Effect<OAuthGrant | undefined, OAuthGrantsUnavailable>
  }
>()("coverage/core/port/OAuthGrants") {}
