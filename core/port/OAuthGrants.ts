import type { OrganizationId } from "../organization/Organization.ts"
import type { ConnectedApp, OAuthGrant } from "../oauth/OAuthGrant.ts"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreFault } from "../error/StoreFault.ts"

export class OAuthGrantsUnavailable extends Schema.TaggedError<OAuthGrantsUnavailable>()(
  "OAuthGrantsUnavailable",
  { fault: StoreFault }
) {}

/**
 * Consents, as the authorization server asks for them, and as an organization sees them: the apps that may
 * ask in its name.
 *
 * 1. `open` needs the person to be a member of the organization at that moment, else it is `not_member`. The
 *    client counts as used from then on.
 * 2. `find` knows a grant until it is ended, its person leaves the organization, or it is forgotten after its
 *    end; it tells whether the organization is suspended.
 * 3. `end` ends it with all its records and answers what it was; undefined: there was none.
 * 4. `open` joins the write around it.
 * 5. `list` gives the grants of the organization that have neither ended nor been revoked, newest first.
 * 6. `disconnect` ends a grant with all its tokens at once, and says whether there was one. Another
 *    organization's is unknown.
 * 7. An unavailable store fails with OAuthGrantsUnavailable.
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
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<ConnectedApp>, OAuthGrantsUnavailable>
    readonly disconnect: (place: {
      readonly organizationId: OrganizationId
      readonly grantId: string
    }) => Effect.Effect<boolean, OAuthGrantsUnavailable>
  }
>()("coverage/core/port/OAuthGrants") {}
