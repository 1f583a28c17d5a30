import type * as Brand from "effect/Brand"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Role } from "../organization/role.ts"

/** Opaque; at most 64 characters. */
export type PersonId = string & Brand.Brand<"PersonId">

/** Somebody with an account: whoever signs in has verified this address. */
export interface Person {
  readonly personId: PersonId
  readonly email: string
  readonly name: string
}

/** A person's place in one organization. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly role: Role
}

/** Who acts, and as what: every action of the dashboard is decided over one of these. */
export interface Actor {
  readonly person: Person
  readonly organizationId: OrganizationId
  readonly role: Role
}
