import assert from "node:assert/strict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { Invitations } from "../../core/port/Invitations.ts"
import { Members } from "../../core/port/Members.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Law } from "./Law.ts"
import type { Townsfolk } from "./members.ts"
import { newOrganization, joinedAs, organizationOf, somebody, unpaidMax } from "./members.ts"

type Needs = Members | Invitations | Organizations | Ledger | Townsfolk

/** What every store of memberships keeps (core/port/Members.ts). */
export const membersLaws: ReadonlyArray<Law<Needs>> = [
  {
    says: "law 1, law 3: whoever founds an organization owns it, and it has its starter credits once (§1)",
    check: Effect.gen(function* () {
      const { list, of, role } = yield* Members
      const { organization, organizationId, owner } = yield* newOrganization({ name: "Mercy Clinic" })
      const { personId } = owner
      const membership = { organizationId, organizationName: "Mercy Clinic", role: "owner" }
      assert.deepEqual(yield* of(personId), [membership])
      assert.equal(yield* role({ organizationId, personId }), "owner")
      assert.deepEqual(yield* (yield* Organizations).find(organizationId), organization)
      const member = { person: owner, role: "owner", joinedAt: organization.createdAt }
      assert.deepEqual(yield* list(organizationId), [member])
      const nowMs = yield* Clock.currentTimeMillis
      const statement = yield* (yield* Ledger).statement({ organizationId, nowMs })
      assert.deepEqual([statement?.balance, statement?.entries], [starterCredits, 1])
    })
  },
  {
    says: "law 3: of any number that are founded at once, a person gets three on the Credits pack",
    check: Effect.gen(function* () {
      const { found, of } = yield* Members
      const person = yield* somebody
      const founding = Effect.flatMap(organizationOf(), (organization) =>
        found({ organization, person, unpaidMax })
      )
      const said = yield* Effect.all(
        Array.from({ length: 8 }, () => founding),
        { concurrency: "unbounded" }
      )
      assert.equal(said.filter((one) => one === "founded").length, unpaidMax)
      assert.equal((yield* of(person.personId)).length, unpaidMax)
    })
  },
  {
    says: "law 3: a paid organization counts no more, and one that was given away still does",
    check: Effect.gen(function* () {
      const { changeRole, found, remove } = yield* Members
      const { organizationId, owner: person } = yield* newOrganization()
      const more = Effect.flatMap(organizationOf(), (organization) =>
        found({ organization, person, unpaidMax })
      )
      yield* more
      yield* more
      const heir = yield* joinedAs(organizationId, "admin")
      yield* changeRole({ organizationId, personId: heir.personId, was: "admin", role: "owner" })
      yield* remove({ organizationId, personId: person.personId, was: "owner" })
      assert.equal(yield* more, "too_many")
      const nowMs = yield* Clock.currentTimeMillis
      const change = { _tag: "Pack", pack: "build", nowMs } as const
      yield* (yield* Organizations).change({ organizationId, change })
      assert.equal(yield* more, "founded")
    })
  },
  {
    says: "law 1: of two owners who leave or step down at once one stays",
    check: Effect.gen(function* () {
      const { changeRole, list, remove } = yield* Members
      for (const leave of [true, false]) {
        const { organizationId, owner } = yield* newOrganization()
        const heir = yield* joinedAs(organizationId, "owner")
        const going = [owner, heir].map(({ personId }) =>
          leave
            ? remove({ organizationId, personId, was: "owner" })
            : changeRole({ organizationId, personId, was: "owner", role: "member" })
        )
        const said: ReadonlyArray<string> = yield* Effect.all(going, { concurrency: "unbounded" })
        assert.equal(said.filter((one) => one === "last_owner").length, 1)
        const members = yield* list(organizationId)
        assert.equal(members.filter(({ role }) => role === "owner").length, 1)
      }
    })
  },
  {
    says: "law 2: whoever is removed is in none of the lists",
    check: Effect.gen(function* () {
      const { list, of, remove, role } = yield* Members
      const { organizationId, owner } = yield* newOrganization()
      const { personId } = yield* joinedAs(organizationId, "member")
      assert.equal(yield* remove({ organizationId, personId, was: "member" }), "removed")
      assert.deepEqual(yield* of(personId), [])
      assert.equal(yield* role({ organizationId, personId }), undefined)
      const members = yield* list(organizationId)
      assert.deepEqual(
        members.map(({ person }) => person),
        [owner]
      )
      assert.equal(yield* remove({ organizationId, personId, was: "member" }), "unknown")
    })
  },
  {
    says: "law 5: a role that is no longer what was decided over stays as it is",
    check: Effect.gen(function* () {
      const { changeRole, remove, role } = yield* Members
      const { organizationId } = yield* newOrganization()
      const { personId } = yield* joinedAs(organizationId, "owner")
      const place = { organizationId, personId }
      assert.equal(yield* changeRole({ ...place, was: "member", role: "admin" }), "unknown")
      assert.equal(yield* remove({ ...place, was: "admin" }), "unknown")
      assert.equal(yield* role(place), "owner")
      assert.equal(yield* changeRole({ ...place, was: "owner", role: "admin" }), "changed")
      assert.equal(yield* role(place), "admin")
    })
  },
  {
    says: "law 4: what the operator made for an address is claimed once, and not when somebody belongs to it",
    check: Effect.gen(function* () {
      const { claim, of } = yield* Members
      const organizations = yield* Organizations
      const [person, other] = [yield* somebody, yield* somebody]
      const made = yield* organizationOf({ ownerEmail: person.email.toUpperCase(), name: "Made" })
      yield* organizations.create(made)
      const { organizationId: taken } = yield* newOrganization({ ownerEmail: person.email })
      assert.deepEqual(yield* claim(other), [])
      const membership = { organizationId: made.organizationId, organizationName: "Made", role: "owner" }
      const both = yield* Effect.all([claim(person), claim(person)], { concurrency: "unbounded" })
      assert.deepEqual(both.flat(), [membership])
      assert.deepEqual(yield* claim(person), [])
      const own = yield* of(person.personId)
      assert.deepEqual(own, [membership])
      assert.ok(own.every(({ organizationId }) => organizationId !== taken))
    })
  },
  {
    says: "memberships are listed by name, under the name the organization has now",
    check: Effect.gen(function* () {
      const { found, of } = yield* Members
      const { organizationId, owner: person } = yield* newOrganization({ name: "b" })
      yield* found({ organization: yield* organizationOf({ name: "C" }), person, unpaidMax })
      yield* found({ organization: yield* organizationOf({ name: "a" }), person, unpaidMax })
      const names = Effect.map(of(person.personId), (all) => all.map((one) => one.organizationName))
      assert.deepEqual(yield* names, ["a", "b", "C"])
      const change = { _tag: "Name", name: "z" } as const
      yield* (yield* Organizations).change({ organizationId, change })
      assert.deepEqual(yield* names, ["a", "C", "z"])
    })
  }
]
