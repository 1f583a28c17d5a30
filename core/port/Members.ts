import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoTime } from "../coverage/date.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Role } from "../organization/role.ts"
import type { Membership, Person, PersonId } from "../person/Person.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class MembersUnavailable extends Schema.TaggedError<MembersUnavailable>()("MembersUnavailable", {
  fault: StoreFault
}) {}

export interface Member {
  readonly person: Person
  readonly role: Role
  readonly joinedAt: IsoTime
}

/**
 * Who belongs to which organization. What may be done is decided by core/admin over the kernel's `may` before
 * a verb is called; what races is decided here.
 *
 * 1. Whoever founds an organization is its owner; an organization never loses its last owner, whatever races:
 *    `changeRole` and `remove` answer `last_owner`.
 * 2. A person who was removed is in none of the lists at once.
 * 3. `found` makes the organization with its account and starter credits, and its owner, all or none. A
 *    person owns at most `unpaidMax` organizations on the Credits pack, however many are founded at once.
 *    What somebody founded counts as theirs even when they gave it away: else two accounts could found
 *    without end.
 * 4. `claim` makes somebody the owner of the organizations that the operator made for their address and that
 *    have no member yet, each once, and answers which those were.
 * 5. `changeRole` and `remove` do nothing (`unknown`) when the role is no longer `was`, over which the kernel
 *    has decided.
 * 6. An unavailable store fails with MembersUnavailable.
 */
export class Members extends Context.Service<
  Members,
  {
    /** By name. */
    readonly of: (personId: PersonId) => Effect.Effect<ReadonlyArray<Membership>, MembersUnavailable>
    readonly claim: (person: Person) => Effect.Effect<ReadonlyArray<Membership>, MembersUnavailable>
    readonly found: (input: {
      readonly organization: Organization
      readonly person: Person
      readonly unpaidMax: number
    }) => Effect.Effect<"founded" | "too_many", MembersUnavailable>
    readonly role: (place: {
      readonly organizationId: OrganizationId
      readonly personId: PersonId
    }) => Effect.Effect<Role | undefined, MembersUnavailable>
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Member>, MembersUnavailable>
    readonly changeRole: (input: {
      readonly organizationId: OrganizationId
      readonly personId: PersonId
      readonly was: Role
      readonly role: Role
    }) => Effect.Effect<"changed" | "last_owner" | "unknown", MembersUnavailable>
    readonly remove: (input: {
      readonly organizationId: OrganizationId
      readonly personId: PersonId
      readonly was: Role
    }) => Effect.Effect<"removed" | "last_owner" | "unknown", MembersUnavailable>
  }
>()("coverage/core/port/Members") {}
