import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { roles } from "../../core/organization/role.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Person } from "../../core/person/Person.ts"
import type { Crypto } from "../../core/port/Crypto.ts"
import type { Audit } from "../../core/port/Audit.ts"
import type { Limits } from "../../core/port/Limits.ts"
import type { Mail } from "../../core/port/Mail.ts"
import type { Invitations } from "../../core/port/Invitations.ts"
import type { Members } from "../../core/port/Members.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Settings } from "../../core/port/Settings.ts"
import type { Transactions } from "../../core/port/Transactions.ts"
import { accept, changeRole, invite, list, remove, withdraw } from "../../core/admin/members.ts"
import { createOrganization, rename } from "../../core/admin/organizations.ts"
import { memberships } from "../../core/admin/people.ts"
import type { Law } from "../kit/Law.ts"
import { actor, logOf } from "../kit/managing.ts"
import type { Townsfolk } from "../kit/members.ts"
import { organizationOf, somebody } from "../kit/members.ts"

type Needs =
  | Audit
  | Crypto
  | Limits
  | Mail
  | Mailbox
  | Members
  | Invitations
  | Organizations
  | Settings
  | Townsfolk
  | Transactions

/** What people may do with their organizations, and what is written down of it. */
export const managingLaws: ReadonlyArray<Law<Needs>> = [
  {
    says: "§1 whoever founds an organization owns it, and the log begins with that",
    check: Effect.gen(function* () {
      const { email, organizationId, person } = yield* foundedBy("  Mercy\nClinic ")
      const membership = { organizationId, organizationName: "Mercy Clinic", role: "owner" }
      assert.deepEqual(yield* memberships(person), [membership])
      assert.deepEqual(yield* logOf(organizationId), [[email, "organization.created", "Mercy Clinic", null]])
    })
  },
  {
    says: "a fourth unpaid organization is none, and a name must be there and fit",
    check: Effect.gen(function* () {
      const { person } = yield* foundedBy("one")
      yield* createOrganization(person, { name: "two" })
      yield* createOrganization(person, { name: "three" })
      assert.deepEqual(yield* createOrganization(person, { name: "four" }), { _tag: "TooMany", max: 3 })
      const faults = [
        yield* createOrganization(person, { name: " " }),
        yield* createOrganization(person, { name: "x".repeat(201) })
      ]
      const fault = { _tag: "Form", field: "name" }
      assert.deepEqual(faults, [
        { ...fault, code: "required" },
        { ...fault, code: "too_long" }
      ])
    })
  },
  {
    says: "an invitation goes from email to membership, and the log says who did what",
    check: Effect.gen(function* () {
      const { email, organizationId, person } = yield* foundedBy("Mercy")
      const owner = yield* actor(person, organizationId)
      const guest = yield* somebody
      const said = yield* invite(owner, { email: ` ${guest.email.toUpperCase()}`, role: "admin" })
      assert.ok(said._tag === "Invited")
      const { invitationId } = said.invitation
      const message = yield* (yield* Mailbox).next(guest.email, 0)
      assert.match(message.text, new RegExp(`^http://localhost:3000/invitations/${invitationId}$`, "m"))
      assert.match(message.text, /"Mercy"/)
      assert.equal((yield* accept(yield* somebody, invitationId))._tag, "OtherAddress")
      const joined = yield* accept(guest, invitationId)
      assert.equal(joined._tag, "Joined")
      assert.equal((yield* accept(guest, invitationId))._tag, "Ended")
      assert.deepEqual((yield* logOf(organizationId)).slice(1), [
        [email, "member.invited", guest.email, "admin"],
        [guest.email, "member.joined", guest.email, "admin"]
      ])
    })
  },
  {
    says: "§5.5 a member changes nothing, and nothing that was refused is written down",
    check: Effect.gen(function* () {
      const { organizationId, person } = yield* foundedBy("Mercy")
      const owner = yield* actor(person, organizationId)
      const member = yield* actor(yield* joined(organizationId, person, "member"), organizationId)
      const other = yield* joined(organizationId, person, "member")
      const open = yield* invite(owner, { email: "open@example.com", role: "member" })
      assert.ok(open._tag === "Invited")
      const before = [yield* list(owner), yield* logOf(organizationId)]
      const refused = [
        yield* invite(member, { email: "x@example.com", role: "member" }),
        yield* withdraw(member, open.invitation.invitationId),
        yield* changeRole(member, { personId: other.personId, role: "admin" }),
        yield* changeRole(member, { personId: member.person.personId, role: "owner" }),
        yield* remove(member, other.personId),
        yield* rename(member, { name: "Theirs" })
      ]
      for (const { _tag } of refused) assert.equal(_tag, "Forbidden")
      assert.deepEqual([yield* list(owner), yield* logOf(organizationId)], before)
    })
  },
  {
    says: "only owners touch owners: an admin neither makes, unmakes, invites, nor removes one",
    check: Effect.gen(function* () {
      const { organizationId, person } = yield* foundedBy("Mercy")
      const owner = yield* actor(person, organizationId)
      const admin = yield* actor(yield* joined(organizationId, person, "admin"), organizationId)
      const other = yield* joined(organizationId, person, "member")
      const open = yield* invite(owner, { email: "next-owner@example.com", role: "owner" })
      assert.ok(open._tag === "Invited")
      const refused = [
        yield* invite(admin, { email: "y@example.com", role: "owner" }),
        yield* withdraw(admin, open.invitation.invitationId),
        yield* changeRole(admin, { personId: other.personId, role: "owner" }),
        yield* changeRole(admin, { personId: admin.person.personId, role: "owner" }),
        yield* changeRole(admin, { personId: person.personId, role: "member" }),
        yield* remove(admin, person.personId)
      ]
      for (const said of refused) assert.deepEqual(said, { _tag: "Forbidden", permission: "change_owner" })
      assert.equal((yield* changeRole(admin, { personId: other.personId, role: "admin" }))._tag, "Changed")
      assert.equal((yield* remove(admin, other.personId))._tag, "Removed")
      assert.equal(
        (yield* changeRole(owner, { personId: admin.person.personId, role: "owner" }))._tag,
        "Changed"
      )
    })
  },
  {
    says: "the last owner stays, everybody else leaves by themselves",
    check: Effect.gen(function* () {
      const { email, organizationId, person } = yield* foundedBy("Mercy")
      const owner = yield* actor(person, organizationId)
      const guest = yield* joined(organizationId, person, "member")
      assert.equal((yield* remove(owner, person.personId))._tag, "LastOwner")
      assert.equal((yield* changeRole(owner, { personId: person.personId, role: "admin" }))._tag, "LastOwner")
      const member = yield* actor(guest, organizationId)
      assert.equal((yield* remove(member, guest.personId))._tag, "Removed")
      assert.equal((yield* remove(member, guest.personId))._tag, "Unknown")
      assert.deepEqual((yield* logOf(organizationId)).at(-1), [
        guest.email,
        "member.removed",
        guest.email,
        "left"
      ])
      assert.equal((yield* list(owner)).members.length, 1)
      assert.deepEqual((yield* logOf(organizationId))[0]?.[0], email)
    })
  },
  {
    says: "an organization of another is out of reach",
    check: Effect.gen(function* () {
      const [own, other] = [yield* foundedBy("own"), yield* foundedBy("other")]
      const owner = yield* actor(own.person, own.organizationId)
      const theirs = yield* actor(other.person, other.organizationId)
      const open = yield* invite(theirs, { email: "guest@example.com", role: "member" })
      assert.ok(open._tag === "Invited")
      assert.equal((yield* withdraw(owner, open.invitation.invitationId))._tag, "Unknown")
      assert.equal((yield* remove(owner, other.person.personId))._tag, "Unknown")
      assert.equal(
        (yield* changeRole(owner, { personId: other.person.personId, role: "member" }))._tag,
        "Unknown"
      )
    })
  },
  {
    says: "a withdrawn invitation cannot be accepted, and an organization takes its new name everywhere",
    check: Effect.gen(function* () {
      const { email, organizationId, person } = yield* foundedBy("Old")
      const owner = yield* actor(person, organizationId)
      const guest = yield* somebody
      const open = yield* invite(owner, { email: guest.email, role: "member" })
      assert.ok(open._tag === "Invited")
      assert.equal((yield* withdraw(owner, open.invitation.invitationId))._tag, "Withdrawn")
      assert.equal((yield* accept(guest, open.invitation.invitationId))._tag, "Ended")
      const renamed = yield* rename(owner, { name: "New" })
      assert.ok(renamed._tag === "Renamed")
      assert.equal((yield* memberships(person))[0]?.organizationName, "New")
      assert.deepEqual((yield* logOf(organizationId)).slice(2), [
        [email, "member.invitation_withdrawn", guest.email, null],
        [email, "organization.renamed", "New", "was Old"]
      ])
    })
  },
  {
    says: "one person invites the same address at most twice a minute",
    check: Effect.gen(function* () {
      const { organizationId, person } = yield* foundedBy("Mercy")
      const owner = yield* actor(person, organizationId)
      const inviting = invite(owner, { email: "flooded@example.com", role: "member" })
      for (let sent = 0; sent < 2; sent++) assert.equal((yield* inviting)._tag, "Invited")
      const said = yield* inviting
      assert.ok(said._tag === "Limited" && said.retryAfterSeconds >= 1 && said.retryAfterSeconds <= 60)
    })
  },
  {
    says: "contract §4 org create --owner: whoever has that address owns it at the next listing, once",
    check: Effect.gen(function* () {
      const person = yield* somebody
      const made = yield* organizationOf({ ownerEmail: person.email, name: "Made" })
      yield* (yield* Organizations).create(made)
      const [own] = yield* memberships(person)
      assert.deepEqual(own, { organizationId: made.organizationId, organizationName: "Made", role: "owner" })
      yield* memberships(person)
      const line = [person.email, "member.joined", person.email, "owner, as the operator named them"]
      assert.deepEqual(yield* logOf(made.organizationId), [line])
    })
  }
]

const foundedBy = Effect.fnUntraced(function* (name: string) {
  const person = yield* somebody
  const said = yield* createOrganization(person, { name })
  if (said._tag !== "Founded") return yield* Effect.die(new Error(said._tag))
  return { person, email: person.email, organizationId: said.organization.organizationId }
})

const joined = Effect.fnUntraced(function* (organizationId: OrganizationId, by: Person, role: Role) {
  const guest = yield* somebody
  const said = yield* invite(yield* actor(by, organizationId), { email: guest.email, role })
  if (said._tag !== "Invited") return yield* Effect.die(new Error(said._tag))
  yield* accept(guest, said.invitation.invitationId)
  assert.ok(roles.includes(role))
  return guest
})
