import assert from "node:assert/strict"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import type { Person, PersonId } from "../../core/person/Person.ts"
import { Invitations } from "../../core/port/Invitations.ts"
import { Members } from "../../core/port/Members.ts"
import { inviteAt, organizationOf } from "../kit/members.ts"
import { absentMembers, postgresMembers } from "../stores/members.ts"
import { invitationsLaws } from "../kit/invitationsLaws.ts"
import { membersLaws } from "../kit/membersLaws.ts"

const live = { excludeTestServices: true }

describe("Members", () => {
  layer(postgresMembers, live)("in PostgreSQL", (it) => {
    for (const law of [...membersLaws, ...invitationsLaws]) it.effect(law.says, () => law.check)
  })
  layer(absentMembers, live)("in a PostgreSQL that is unavailable", (it) => {
    it.effect("law 6: every verb fails as unreachable", () =>
      Effect.gen(function* () {
        const [members, invitations] = [yield* Members, yield* Invitations]
        const organization = yield* organizationOf()
        const { organizationId } = organization
        const place = { organizationId, personId: person.personId }
        const verbs: ReadonlyArray<
          Effect.Effect<unknown, { readonly _tag: string; readonly fault: string }, Members | Invitations>
        > = [
          members.of(person.personId),
          members.claim(person),
          members.found({ organization, person, unpaidMax: 3 }),
          members.role(place),
          members.list(organizationId),
          invitations.list(organizationId),
          inviteAt({ organizationId, email: person.email, role: "member" }),
          invitations.find("x"),
          invitations.accept({ invitationId: "x", person }),
          invitations.withdraw({ organizationId, invitationId: "x" }),
          members.changeRole({ ...place, was: "member", role: "admin" }),
          members.remove({ ...place, was: "member" })
        ]
        for (const verb of verbs) {
          const failure = yield* Effect.flip(verb)
          assert.match(failure._tag, /^(Members|Invitations)Unavailable$/)
          assert.equal(failure.fault, "unreachable")
        }
      })
    )
  })
})

const person: Person = { personId: "nobody" as PersonId, email: "nobody@example.com", name: "Nobody" }
