import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Person, PersonId } from "../../core/person/Person.ts"
import { Invitations } from "../../core/port/Invitations.ts"
import { Members } from "../../core/port/Members.ts"
import { freshId, isoTime } from "./accounts.ts"

/** Makes somebody with a verified address, as the store of people would have. */
export class Townsfolk extends Context.Service<
  Townsfolk,
  { readonly settle: (person: Person) => Effect.Effect<void> }
>()("test/Townsfolk") {}

let counted = 0

/** A person whom nobody else in this run is. */
export const somebody = Effect.gen(function* () {
  const id = randomUUID().replaceAll("-", "")
  const person: Person = {
    personId: id as PersonId,
    email: `member${counted++}@example.com`,
    name: "Bo Example"
  }
  yield* (yield* Townsfolk).settle(person)
  return person
})

export const organizationOf = (given: Partial<Organization> = {}) =>
  Effect.map(
    Clock.currentTimeMillis,
    (nowMs): Organization => ({
      organizationId: freshId("org_") as OrganizationId,
      name: "Example Clinic",
      pack: "credits",
      nextPack: null,
      suspended: false,
      suspendedReason: null,
      concurrentMax: null,
      ownerEmail: null,
      createdAt: isoTime(nowMs),
      ...given
    })
  )

export const unpaidMax = 3

/** Founds an organization, and answers its owner. */
export const newOrganization = Effect.fnUntraced(function* (given: Partial<Organization> = {}) {
  const owner = yield* somebody
  const organization = yield* organizationOf(given)
  yield* (yield* Members).found({ organization, person: owner, unpaidMax })
  return { owner, organization, organizationId: organization.organizationId }
})

/** Invites a new person and has them accept. */
export const joinedAs = Effect.fnUntraced(function* (organizationId: OrganizationId, role: Role) {
  const person = yield* somebody
  const { invitationId } = yield* inviteMember(organizationId, person.email, role)
  yield* (yield* Invitations).accept({ invitationId, person })
  return person
})

export const inviteMember = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  email: string,
  role: Role = "member"
) {
  const said = yield* inviteAt({ organizationId, email, role })
  return typeof said === "string" ? yield* Effect.die(new Error(said)) : said
})

export const weekMs = 7 * 86_400_000

export const inviteAt = Effect.fnUntraced(function* (input: {
  readonly organizationId: OrganizationId
  readonly email: string
  readonly role: Role
  readonly openMax?: number
}) {
  const nowMs = yield* Clock.currentTimeMillis
  return yield* (yield* Invitations).invite({
    invitationId: randomUUID(),
    invitedBy: "owner@example.com",
    expiresAt: isoTime(nowMs + weekMs),
    openMax: 50,
    ...input
  })
})

/** The check as it goes when the clock stands so much later. */
export const later = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((clock) => {
    const moved: Clock.Clock = Object.create(clock, {
      currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() + ms },
      currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (nowMs) => nowMs + ms) }
    })
    return Effect.provideService(effect, Clock.Clock, moved)
  })
