import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import { Codes } from "../../core/port/Codes.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { emptyDatabase } from "../kit/postgres.ts"

describe("files of codes that were imported before they had an edition (migration 0017)", () => {
  it.live("coverage-domain §2.1 are of the year of their day", () =>
    Effect.gen(function* () {
      const clients = Layer.orDie(Database.layer(yield* emptyDatabase))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate(migrations.filter(({ id }) => id < 17))
        yield* sql`insert into snapshot (snapshot_id, kind, source_as_of, completed_at) values
          ('a', 'hcpcs', '2016-01-01', now()), ('b', 'icd10cm', '2021-01-01', now()), ('c', 'mcd', '2026-03-12', now())`
        yield* migrate(migrations)
        expect(yield* (yield* Codes).tables).toEqual([
          { snapshotId: "a", codeSystem: "HCPCS", name: "2016", from: "2016-01-01", until: "2016-12-31" },
          { snapshotId: "b", codeSystem: "ICD10CM", name: "FY2021", from: "2020-10-01", until: "2021-09-30" }
        ])
      }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(postgresPorts, clients))))
    }).pipe(Effect.scoped)
  )
})
