import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Actor, Person } from "../../core/person/Person.ts"
import { Invitations } from "../../core/port/Invitations.ts"
import { Members } from "../../core/port/Members.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { People } from "../../core/port/People.ts"
import { newOrganization } from "../../core/admin/newOrganization.ts"
import { browserOf } from "./browsing.ts"
import type { Site } from "./useSite.ts"
import { openSite } from "./useSite.ts"

const device = { address: "192.0.2.1", agent: null }

/** Signs somebody up and opens the link of the email; answers who they are and their cookie. */
export const signedUp = Effect.fnUntraced(function* (name: string) {
  const email = `${name.toLowerCase()}@clinic.example`
  const people = yield* People
  const password = "four words make one"
  yield* people.signUp({ email, next: null })
  const { text } = yield* (yield* Mailbox).next(email, 0)
  const token = /[?&]token=([^\s&]+)/.exec(text)?.[1] ?? ""
  const verified = yield* people.verify({ token: decodeURIComponent(token), name, password, device })
  if (verified._tag !== "SignedIn") throw new Error("the link of the email signs in")
  const cookie = verified.cookies.map((line) => line.split(";")[0]).join("; ")
  return { person: verified.person, cookie }
})

/** An organization of a pack with its owner. */
export const newOrganizationOf = Effect.fnUntraced(function* (person: Person, pack: PackName = "credits") {
  const organization = yield* newOrganization({ name: "Example Clinic", pack: "credits", ownerEmail: null })
  yield* (yield* Members).found({ organization, person, unpaidMax: 3 })
  const { organizationId } = organization
  const nowMs = Date.now()
  if (pack !== "credits")
    yield* (yield* Organizations).change({ organizationId, change: { _tag: "Pack", pack, nowMs } })
  return { person, organizationId, role: "owner" } satisfies Actor
})

/** Somebody who joins an organization in a role. */
export const joinOrganization = Effect.fnUntraced(function* (
  person: Person,
  organizationId: OrganizationId,
  role: Role
) {
  const invitations = yield* Invitations
  const invitationId = `invitation-${person.personId}`
  const expiresAt = "2999-01-01T00:00:00.000Z" as never
  yield* invitations.invite({
    ...{ invitationId, organizationId, role, invitedBy: "test", expiresAt },
    ...{ email: person.email, openMax: 10 }
  })
  yield* invitations.accept({ invitationId, person })
  return { person, organizationId, role } satisfies Actor
})

/** An organization with an owner, an admin and a member; the owner also has a second one. And a stranger. */
export const openClinic = async (pack: PackName = "credits") => {
  const site = await openSite()
  const [ada, ann, bob, eve] = await Promise.all(
    ["Ada", "Ann", "Bob", "Eve"].map((name) => site.run(signedUp(name)))
  )
  if (!ada || !ann || !bob || !eve) throw new Error("nobody signed up")
  const actor = await site.run(newOrganizationOf(ada.person, pack))
  const second = await site.run(newOrganizationOf(ada.person))
  await site.run(joinOrganization(ann.person, actor.organizationId, "admin"))
  await site.run(joinOrganization(bob.person, actor.organizationId, "member"))
  const [owner, admin, member, stranger] = [ada, ann, bob, eve].map(({ cookie }) => browserOf(site, cookie))
  if (!owner || !admin || !member || !stranger) throw new Error("nobody has a browser")
  return {
    ...{ site, actor, owner, admin, member, stranger, memberPerson: bob.person },
    home: `/dashboard/${actor.organizationId}`,
    /** The second organization, on the Credits plan. */
    poor: `/dashboard/${second.organizationId}`
  }
}

/** An owner elsewhere, with the home of their own organization. */
export const openOther = async (site: Site, name: string, pack: PackName = "credits") => {
  const { cookie, person } = await site.run(signedUp(name))
  const { organizationId } = await site.run(newOrganizationOf(person, pack))
  return { other: browserOf(site, cookie), theirs: `/dashboard/${organizationId}` }
}
