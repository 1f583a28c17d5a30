import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { chargesPerBatchMax } from "../../adapters/postgres/Ledger.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { rollUpBatchMax, Usage } from "../../core/port/Usage.ts"
import { absentUsageLaws, usageLaws } from "../kit/usageLaws.ts"
import { absentUsage, memoryUsage, postgresUsage } from "../kit/usages.ts"

const partsMax = 12
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
        for (let nth = 0; nth < backlog; nth += chargesPerBatchMax)
          yield* sql`insert into usage
              (organization_id, request_id, operation, cost, status, caller, source, at)
            select 'org_many', 'req_many_' || n, 'codes.lookup', 1, 200, 'key_1', 'api', now()
            from generate_series(${nth + 1}::int4, ${nth + chargesPerBatchMax}::int4) as n`
        // Transactions of other suites on the same server take numbers between, which makes parts smaller.
        const parts: Array<number> = []
        while (parts.reduce((sum, part) => sum + part, 0) < backlog && parts.length < partsMax)
          parts.push(yield* gather)
        expect(Math.max(...parts)).toBeLessThan(backlog / 2)
        expect(Math.min(parts[0] ?? 0, parts[1] ?? 0)).toBeGreaterThan(rollUpBatchMax)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(backlog)
        expect(yield* gather).toBe(0)
      })
    )

    it.effect("law 4: a summary is a range of the lines' key and reads no usage rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* newAccount({ pack: "credits" })
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
