import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { chargeOf, created } from "../kit/accounts.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { gatheredMany, Usage } from "../../core/port/Usage.ts"
import { absentUsageLaws, usageLaws } from "../kit/usageLaws.ts"
import { absentUsage, memoryUsage, postgresUsage } from "../kit/usages.ts"

const backlog = 100_000

const live = { excludeTestServices: true }

describe("Usage", () => {
  layer(memoryUsage, live)("in memory", (it) => {
    for (const law of usageLaws) it.effect(law.says, () => law.check)
  })
  layer(postgresUsage, live)("in PostgreSQL", (it) => {
    for (const law of usageLaws) it.effect(law.says, () => law.check)

    it.effect("law 2: a backlog is gathered in parts, and all of it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { gather } = yield* Usage
        yield* gather
        yield* sql`insert into usage_pending (organization_id, operation, caller, source, calls, credits, errors, at)
          select 'org_many', 'codes.lookup', 'key_1', 'api', 1, 1, 0, now()
          from generate_series(1, ${backlog})`
        const parts = [yield* gather, yield* gather, yield* gather, yield* gather]
        expect(Math.max(...parts)).toBeLessThan(backlog / 2)
        expect(Math.min(parts[0] ?? 0, parts[1] ?? 0)).toBeGreaterThan(gatheredMany)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(backlog)
        expect(yield* gather).toBe(0)
      })
    )

    it.effect("law 4: a summary is a range of the lines' key and reads no usage rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* created({ pack: "credits" })
        yield* (yield* Ledger).charge(chargeOf(organizationId))
        yield* (yield* Usage).gather
        const plan = yield* sql.withTransaction(
          Effect.andThen(
            sql`set local enable_seqscan = off`,
            sql`explain select * from usage_day where organization_id = ${organizationId}
          and day between '2026-11-01' and '2026-11-30' order by day desc limit 10`
          )
        )
        expect(JSON.stringify(plan)).toContain("usage_day_pkey")
      })
    )
  })
  layer(absentUsage, live)("without its PostgreSQL", (it) => {
    for (const law of absentUsageLaws) it.effect(law.says, () => law.check)
  })
})
