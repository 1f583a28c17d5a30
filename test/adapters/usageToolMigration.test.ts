import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import * as PostgresUsage from "../../adapters/postgres/Usage.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Usage } from "../../core/port/Usage.ts"
import { emptyDatabase } from "../kit/postgres.ts"

/** As a process of the version before writes it, before the migration and after. */
const chargedBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into usage_pending (organization_id, operation, caller, source, calls, credits, errors, at)
    values ('org_1', 'getPolicy', 'key_1', 'api', 1, 1, 0, '2026-11-21T10:00:00Z')`
})

describe("usage that was summed before tools were told apart (migration 0011)", () => {
  it.live("stands as the calls without a tool, and goes on counting", () =>
    Effect.gen(function* () {
      const clients = Layer.orDie(Database.layer(yield* emptyDatabase))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { summarize } = yield* Usage
        yield* migrate(migrations.filter(({ id }) => id < 11))
        yield* sql`insert into usage_day (organization_id, day, operation, caller, source, calls, credits, errors)
          values ('org_1', '2026-11-21', 'getPolicy', 'key_1', 'api', 40, 39, 2)`
        yield* chargedBefore
        yield* migrate(migrations.filter(({ id }) => id < 19))
        yield* chargedBefore
        yield* sql`insert into usage_pending
          (organization_id, operation, caller, source, tool, calls, credits, errors, at)
          values ('org_1', 'getPolicy', 'key_1', 'api', 'coverage_lookup', 1, 1, 0, '2026-11-21T10:00:00Z')`
        yield* migrate(migrations)
        const day = "2026-11-21" as IsoDate
        const asked = { organizationId: "org_1" as OrganizationId, from: day, to: day }
        const line = { day, operation: "getPolicy", caller: "key_1", source: "api" } as const
        expect(yield* summarize(asked)).toEqual([
          { ...line, tool: null, calls: 42, credits: 41, errors: 2 },
          { ...line, tool: "coverage_lookup", calls: 1, credits: 1, errors: 0 }
        ])
      }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(PostgresUsage.layer, clients))))
    }).pipe(Effect.scoped)
  )
})
