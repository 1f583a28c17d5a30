import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OAuthGrant } from "../oauth/OAuthGrant.ts"
import type { RedirectTarget } from "../oauth/redirectUri.ts"
import type { OAuthClientsUnavailable } from "./OAuthClients.ts"
import type { OAuthRecordsUnavailable } from "./OAuthRecords.ts"
import type { CookieText } from "./People.ts"

/** Which request for consent, and the cookies of the browser that shows it. */
export interface ConsentRequest {
  /** The last segment of the page's path. */
  readonly uid: string
  readonly cookie: CookieText
}

/** What a client asks for; it always asks for `oauthScopes`. */
export interface ConsentAsked {
  readonly clientId: string
  /** As the client calls itself: nobody vouches for it. */
  readonly clientName: string
  /** The host of its own document, for a client that is known by one; null: it registered itself. */
  readonly clientHost: string | null
  /** Where the browser goes after the person's decision. */
  readonly returnsTo: RedirectTarget
  /** What the page's Content-Security-Policy must let its form lead to. */
  readonly formOrigin: string
}

export type ConsentsUnavailable = OAuthRecordsUnavailable | OAuthClientsUnavailable

/**
 * Requests for consent that are under way, between the authorization server and the page that shows them.
 *
 * 1. A request is known for an hour, to the browser that began it alone, until it is answered.
 * 2. `allow` and `deny` give the path that the browser is sent on to; undefined: the request is not known.
 *    Which organization is meant is the grant's to say, which was opened before.
 */
export class Consents extends Context.Service<
  Consents,
  {
    readonly find: (place: ConsentRequest) => Effect.Effect<ConsentAsked | undefined, ConsentsUnavailable>
    readonly allow: (
      input: ConsentRequest & { readonly grant: OAuthGrant }
    ) => Effect.Effect<string | undefined, ConsentsUnavailable>
    readonly deny: (place: ConsentRequest) => Effect.Effect<string | undefined, ConsentsUnavailable>
  }
>()("coverage/core/port/Consents") {}
