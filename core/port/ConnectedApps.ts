import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoTime } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Person } from "../person/Person.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class ConnectedAppsUnavailable extends Schema.TaggedError<ConnectedAppsUnavailable>()(
  "ConnectedAppsUnavailable",
  { fault: StoreFault }
) {}

/** One consent of one person to one OAuth client, for one organization. */
export interface ConnectedApp {
  readonly grantId: string
  readonly clientId: string
  /** As the client calls itself: nobody vouches for it. */
  readonly clientName: string
  readonly person: Person
  readonly connectedAt: IsoTime
  readonly lastUsedAt: IsoTime | null
  readonly endsAt: IsoTime
}

/**
 * The apps that may ask in an organization's name.
 *
 * 1. `list` gives the grants of the organization that have neither ended nor been revoked, newest first.
 * 2. `disconnect` ends a grant with all its tokens at once, and says whether there was one. Another
 *    organization's is unknown.
 * 3. A store that is away fails with ConnectedAppsUnavailable.
 */
export class ConnectedApps extends Context.Service<
  ConnectedApps,
  {
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<ConnectedApp>, ConnectedAppsUnavailable>
    readonly disconnect: (place: {
      readonly organizationId: OrganizationId
      readonly grantId: string
    }) => Effect.Effect<boolean, ConnectedAppsUnavailable>
  }
>()("coverage/core/port/ConnectedApps") {}
