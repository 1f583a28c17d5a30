import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Invitations } from "../../core/port/Invitations.ts"
import { Members } from "../../core/port/Members.ts"
import type { Law } from "./Law.ts"
import type { Townsfolk } from "./members.ts"
import { newOrganization, inviteMember, inviteAt, later, somebody, weekMs } from "./members.ts"

/** What every store of invitations keeps (core/port/Invitations.ts). */
export const invitationsLaws: ReadonlyArray<Law<Members | Invitations | Townsfolk>> = [
  {
    says: "law 1: an invitation is accepted once, by whoever has verified its address",
    check: Effect.gen(function* () {
      const { accept, find, list } = yield* Invitations
      const { role } = yield* Members
      const { organizationId } = yield* newOrganization({ name: "Mercy Clinic" })
      const [person, other] = [yield* somebody, yield* somebody]
      const invitation = yield* inviteMember(organizationId, person.email, "admin")
      const { invitationId } = invitation
      assert.equal(invitation.organizationName, "Mercy Clinic")
      assert.deepEqual(yield* find(invitationId), invitation)
      assert.deepEqual(yield* list(organizationId), [invitation])
      assert.equal(yield* accept({ invitationId, person: other }), "other_address")
      const both = yield* Effect.all([accept({ invitationId, person }), accept({ invitationId, person })], {
        concurrency: "unbounded"
      })
      const membership = { organizationId, organizationName: "Mercy Clinic", role: "admin" }
      assert.deepEqual(
        both.filter((said) => said !== "ended"),
        [membership]
      )
      assert.equal(yield* role({ organizationId, personId: person.personId }), "admin")
      assert.equal(yield* find(invitationId), undefined)
      assert.deepEqual(yield* list(organizationId), [])
    })
  },
  {
    says: "law 1: the next invitation to an address replaces the open one, and a member is not invited",
    check: Effect.gen(function* () {
      const { accept, find, list } = yield* Invitations
      const { organizationId, owner } = yield* newOrganization()
      const person = yield* somebody
      const first = yield* inviteMember(organizationId, person.email)
      const second = yield* inviteMember(organizationId, person.email, "admin")
      assert.equal(yield* find(first.invitationId), undefined)
      assert.equal(yield* accept({ invitationId: first.invitationId, person }), "ended")
      assert.deepEqual(yield* list(organizationId), [second])
      assert.equal(yield* inviteAt({ organizationId, email: owner.email, role: "admin" }), "already_member")
    })
  },
  {
    says: "law 1: an invitation ends at its time",
    check: Effect.gen(function* () {
      const { accept, find, list } = yield* Invitations
      const { organizationId } = yield* newOrganization()
      const person = yield* somebody
      const { invitationId } = yield* inviteMember(organizationId, person.email)
      assert.notEqual(yield* later(weekMs - 5_000, find(invitationId)), undefined)
      const seen = Effect.all([accept({ invitationId, person }), find(invitationId)])
      assert.deepEqual(yield* later(weekMs + 1, seen), ["ended", undefined])
      assert.deepEqual(yield* later(weekMs + 1, list(organizationId)), [])
    })
  },
  {
    says: "law 1: no more invitations are open at a time than may be, and ended ones make room",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newOrganization()
      const inviting = Effect.flatMap(somebody, ({ email }) =>
        inviteAt({ organizationId, email, role: "member", openMax: 2 })
      )
      const said = yield* Effect.all([inviting, inviting, inviting, inviting], { concurrency: "unbounded" })
      assert.equal(said.filter((one) => one === "too_many").length, 2)
      assert.equal(typeof (yield* later(weekMs + 1, inviting)), "object")
    })
  },
  {
    says: "law 1: an invitation is withdrawn once, and only by its organization",
    check: Effect.gen(function* () {
      const { accept, withdraw } = yield* Invitations
      const [own, other] = [yield* newOrganization(), yield* newOrganization()]
      const person = yield* somebody
      const { invitationId } = yield* inviteMember(own.organizationId, person.email)
      assert.equal(yield* withdraw({ organizationId: other.organizationId, invitationId }), false)
      assert.equal(yield* withdraw({ organizationId: own.organizationId, invitationId }), true)
      assert.equal(yield* withdraw({ organizationId: own.organizationId, invitationId }), false)
      assert.equal(yield* accept({ invitationId, person }), "ended")
    })
  }
]
