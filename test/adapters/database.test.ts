import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { Multiplexed } from "../../adapters/postgres/Database.ts"
import { postgresLayer } from "../kit/postgres.ts"

describe("the clients", () => {
  it.effect("both answer from a fresh migrated database, in UTC", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const multiplexed = yield* Multiplexed
      expect(yield* sql`show timezone`).toEqual([{ TimeZone: "UTC" }])
      expect(yield* multiplexed`select count(*) >= 0 as ok from schema_migration`).toEqual([{ ok: true }])
    }).pipe(Effect.provide(postgresLayer)))
})
