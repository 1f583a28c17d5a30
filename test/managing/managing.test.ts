import assert from "node:assert/strict"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe } from "vitest"
import { AuditUnavailable, Audit } from "../../core/port/Audit.ts"
import { createOrganization } from "../../core/admin/organizations.ts"
import { postgresManaging } from "../kit/managing.ts"
import { somebody } from "../kit/members.ts"
import { managingLaws } from "./managingLaws.ts"

const live = { excludeTestServices: true }

describe("Managing an organization", () => {
  layer(postgresManaging, live)("in PostgreSQL", (it) => {
    for (const law of managingLaws) it.effect(law.says, () => law.check)

    it.effect("an organization whose log cannot be written is not founded", () =>
      Effect.gen(function* () {
        const person = yield* somebody
        const audit = yield* Audit
        const failing = Audit.of({
          ...audit,
          append: () => Effect.fail(new AuditUnavailable({ fault: "refused" }))
        })
        const founding = createOrganization(person, { name: "Never" })
        const failure = yield* Effect.flip(Effect.provideService(founding, Audit, failing))
        assert.equal(failure._tag, "AuditUnavailable")
        const sql = yield* SqlClient
        const left = yield* sql`select 1 from organization where name = 'Never' union all
          select 1 from membership where person_id = ${person.personId}`
        assert.equal(left.length, 0)
        assert.equal((yield* founding)._tag, "Founded")
      })
    )
  })
})
