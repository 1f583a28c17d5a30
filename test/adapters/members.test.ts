import assert from "node:assert/strict"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import type { Person, PersonId } from "../../core/person/Person.ts"
import { Members } from "../../core/port/Members.ts"
import { inviteAt, organizationOf } from "../kit/members.ts"
import { absentMembers, postgresMembers } from "../stores/members.ts"
import { membersLaws } from "../kit/membersLaws.ts"

const live = { excludeTestServices: true }

describe("Members", () => {
  layer(postgresMembers, live)("in PostgreSQL", (it) => {
    for (const law of membersLaws) it.effect(law.says, () => law.check)
  })
  layer(absentMembers, live)("in a PostgreSQL that is away", (it) => {
    it.effect("law 7: every verb fails with MembersUnavailable", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* organizationOf()
        const { organizationId } = organization
        const place = { organizationId, personId: person.personId }
        const verbs: ReadonlyArray<
          Effect.Effect<unknown, { readonly _tag: string; readonly fault: string }, Members>
        > = [
          members.of(person.personId),
          members.claim(person),
          members.found({ organization, person, unpaidMax: 3 }),
          members.role(place),
          members.list(organizationId),
          inviteAt({ organizationId, email: person.email, role: "member" }),
          members.findInvitation("x"),
          members.accept({ invitationId: "x", person }),
          members.withdraw({ organizationId, invitationId: "x" }),
          members.changeRole({ ...place, was: "member", role: "admin" }),
          members.remove({ ...place, was: "member" })
        ]
        for (const verb of verbs) {
          const failure = yield* Effect.flip(verb)
          assert.deepEqual([failure._tag, failure.fault], ["MembersUnavailable", "unreachable"])
        }
      })
    )
  })
})

const person: Person = { personId: "nobody" as PersonId, email: "nobody@example.com", name: "Nobody" }
