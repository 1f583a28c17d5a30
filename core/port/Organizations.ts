import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class OrganizationsUnavailable extends Schema.TaggedError<OrganizationsUnavailable>()(
  "OrganizationsUnavailable",
  { fault: StoreFault }
) {}

export type OrganizationChange =
  | { readonly _tag: "Pack"; readonly pack: PackName; readonly nowMs: number }
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "Suspend"; readonly reason: string | null }
  | { readonly _tag: "Unsuspend" }
  /** The owner's bound on a month's overage (contract §1, Limits and money); null lifts it. */
  | { readonly _tag: "OverageCap"; readonly cap: number | null }
  /** The operator's bound on calls in flight, below the pack's; null lifts it. */
  | { readonly _tag: "ConcurrentMax"; readonly max: number | null }

/**
 * Organizations and the account each one holds (§1).
 *
 * 1. `create` makes the organization, its account and the grant of its starter credits, all or none.
 * 2. `change` of the pack: a higher one applies at once (its allowance is granted for the running month), a
 *    lower one at renewal, as the kernel's `choosePack` says.
 * 3. An unknown id is undefined.
 * 4. `find` shows the pack in force at the instant of asking: a renewal needs nobody to write it down first.
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** The id is new: the caller made it. */
    readonly create: (organization: Organization) => Effect.Effect<void, OrganizationsUnavailable>
    readonly find: (
      organizationId: OrganizationId
    ) => Effect.Effect<Organization | undefined, OrganizationsUnavailable>
    readonly change: (input: {
      readonly organizationId: OrganizationId
      readonly change: OrganizationChange
    }) => Effect.Effect<Organization | undefined, OrganizationsUnavailable>
  }
>()("coverage/core/port/Organizations") {}
