import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoTime } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Role } from "../organization/role.ts"
import type { Membership, Person } from "../person/Person.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class InvitationsUnavailable extends Schema.TaggedError<InvitationsUnavailable>()(
  "InvitationsUnavailable",
  { fault: StoreFault }
) {}

export interface Invitation {
  readonly invitationId: string
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly expiresAt: IsoTime
}

/**
 * Who is invited to which organization; what may be done is decided before a verb is called, as for
 * `Members`.
 *
 * 1. An open invitation to an address is replaced by the next one. It is accepted only by who has verified
 *    that address, once, until it expires; core/admin emails it. Of an organization at most `openMax` are
 *    open.
 * 2. `list` gives those of an organization that are open.
 * 3. An unavailable store fails with InvitationsUnavailable.
 */
export class Invitations extends Context.Service<
  Invitations,
  {
    /** The id is new and cannot be guessed; `email` is in lower case. */
    readonly invite: (
      input: Omit<Invitation, "organizationName"> & { readonly openMax: number }
    ) => Effect.Effect<Invitation | "already_member" | "too_many", InvitationsUnavailable>
    readonly find: (invitationId: string) => Effect.Effect<Invitation | undefined, InvitationsUnavailable>
    readonly accept: (input: {
      readonly invitationId: string
      readonly person: Person
    }) => Effect.Effect<Membership | "ended" | "other_address", InvitationsUnavailable>
    readonly withdraw: (input: {
      readonly organizationId: OrganizationId
      readonly invitationId: string
    }) => Effect.Effect<boolean, InvitationsUnavailable>
    /** Those that can still be accepted, the newest first. */
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Invitation>, InvitationsUnavailable>
  }
>()("coverage/core/port/Invitations") {}
