import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { absentAuditLaws, auditLaws } from "../kit/auditLaws.ts"
import { absentAudits, memoryAudits, postgresAudits } from "../kit/audits.ts"

const live = { excludeTestServices: true }

describe("Audit", () => {
  layer(memoryAudits, live)("in memory", (it) => {
    for (const law of auditLaws) it.effect(law.says, () => law.check)
  })
  layer(postgresAudits, live)("in PostgreSQL", (it) => {
    for (const law of auditLaws) it.effect(law.says, () => law.check)

    it.effect("law 2: PostgreSQL itself refuses to change or delete an entry, or to empty the log", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into audit_entry (organization_id, at, actor, action, subject)
          values ('org_kept', now(), 'operator', 'pack.changed', 'scale')`
        const attempts = [
          sql`update audit_entry set subject = 'build'`,
          sql`delete from audit_entry`,
          sql`truncate audit_entry`
        ]
        for (const attempt of attempts) {
          expect((yield* Effect.flip(attempt)).reason._tag).toBe("ConstraintError")
        }
        const [row] = yield* sql<{ readonly subject: string }>`select subject from audit_entry
          where organization_id = 'org_kept'`
        expect(row?.subject).toBe("scale")
      })
    )

    it.effect("law 1: a page is a range of the log's index, whatever its length", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // Many organizations and a long log, as the planner knows them.
        yield* sql`insert into audit_entry (organization_id, at, actor, action, subject)
          select 'org_' || (nth % 500), now(), 'operator', 'pack.changed', 'scale'
          from generate_series(1, 20000) as nth`
        yield* sql`analyze audit_entry`
        const plan = yield* sql.withTransaction(
          Effect.gen(function* () {
            // Whether the index can serve a page in its order, and not what so small a table is read by.
            yield* sql`set local enable_sort = off`
            yield* sql`set local enable_bitmapscan = off`
            return yield* sql`explain select * from audit_entry where organization_id = 'org_7'
              and audit_id < 15000 order by audit_id desc limit 51`
          })
        )
        expect(JSON.stringify(plan)).toContain("audit_of_organization")
        expect(JSON.stringify(plan)).not.toContain("Sort")
      })
    )
  })
  layer(absentAudits, live)("without its PostgreSQL", (it) => {
    for (const law of absentAuditLaws) it.effect(law.says, () => law.check)
  })
})
