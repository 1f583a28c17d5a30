import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { searchStatementMs } from "../../adapters/postgres/library/search.ts"
import type { CodesUnavailable } from "../../core/port/Codes.ts"
import { Codes } from "../../core/port/Codes.ts"
import type { JurisdictionsUnavailable } from "../../core/port/Jurisdictions.ts"
import { Jurisdictions } from "../../core/port/Jurisdictions.ts"
import type { PoliciesUnavailable } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { postgresPorts } from "../kit/libraries.ts"
import {
  day,
  documentOf,
  id,
  imported,
  jurisdictionOf,
  procedure,
  queryOf,
  recordOf,
  save,
  snapshotOf
} from "../kit/library.ts"
import { freshDatabase, postgresLayer } from "../kit/postgres.ts"

const ports = (clients: typeof postgresLayer) => Layer.fresh(Layer.provideMerge(postgresPorts, clients))
const nowhere = postgresPorts.pipe(
  Layer.provide(Database.layer({ folder: "/nonexistent", database: "none", username: "none" })),
  Layer.orDie
)
type Away = PoliciesUnavailable | CodesUnavailable | JurisdictionsUnavailable | SnapshotsUnavailable

const asOf = day("2026-01-01")

describe("the library in PostgreSQL", () => {
  it.live("§7.3 a store that is away is a named failure of every verb", () =>
    Effect.gen(function* () {
      const [policies, codes, snapshots] = [yield* Policies, yield* Codes, yield* Snapshots]
      const snapshot = snapshotOf({})
      const at = imported
      const verbs: ReadonlyArray<Effect.Effect<unknown, Away>> = [
        policies.find({ policyId: id("L1"), asOf }),
        policies.search(queryOf({})),
        policies.search(queryOf({ text: "oxygen" })),
        policies.history(id("L1")),
        codes.find({ codes: ["E0601"], codeSystem: null, asOf }),
        codes.suggest({ text: "E0601", codeSystem: null, limit: 5 }),
        codes.policies({ codes: ["E0601"], place: null, asOf, limit: 5 }),
        (yield* Jurisdictions).list,
        snapshots.isComplete("a"),
        snapshots.savePolicy({ snapshot, document: documentOf({ policyId: "L1" }), at }),
        snapshots.saveCodes({ snapshot, codes: [], at }),
        snapshots.retireCodes({ snapshot, codeSystem: "HCPCS", listed: new Set(), at }),
        snapshots.saveJurisdictions({ snapshot, jurisdictions: [], at }),
        snapshots.complete({ snapshot, at }),
        snapshots.current
      ]
      const failures = yield* Effect.forEach(verbs, (verb) => Effect.flip(verb))
      expect(failures.map((failure) => failure.fault)).toEqual(verbs.map(() => "unreachable"))
      expect(new Set(failures.map((failure) => failure._tag))).toEqual(
        new Set([
          "PoliciesUnavailable",
          "CodesUnavailable",
          "JurisdictionsUnavailable",
          "SnapshotsUnavailable"
        ])
      )
    }).pipe(Effect.provide(nowhere))
  )

  it.live(
    "contract §1 a search past its time limit is cut off and says so",
    () =>
      Effect.gen(function* () {
        const connection = yield* freshDatabase
        const clients = Layer.orDie(Database.layer(connection))
        const [searcher, locker] = [
          yield* Layer.build(ports(clients)),
          yield* Layer.build(Layer.fresh(clients))
        ]
        const sql = Context.get(locker, SqlClient.SqlClient)
        const failure = yield* sql.withTransaction(
          Effect.andThen(
            sql`lock table policy_version in access exclusive mode`,
            Effect.flip(Context.get(searcher, Policies).search(queryOf({ text: "oxygen" })))
          )
        )
        expect(failure.fault).toBe("timeout")
      }).pipe(Effect.scoped),
    searchStatementMs + 15_000
  )

  it.live("§2.7 what was kept cannot be changed or removed, not even by hand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* save(documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] }))
      const { saveCodes } = yield* Snapshots
      yield* saveCodes({ snapshot: snapshotOf({}), codes: [recordOf({ code: "E0601" })], at: imported })
      for (const table of ["policy_version", "policy_code", "policy_change", "code_edition"]) {
        yield* Effect.flip(sql.unsafe(`delete from ${table}`))
        yield* Effect.flip(sql.unsafe(`update ${table} set snapshot_id = 'x'`))
        yield* Effect.flip(sql.unsafe(`truncate ${table} cascade`))
        expect((yield* sql.unsafe(`select from ${table}`)).length).toBe(1)
      }
    }).pipe(Effect.provide(ports(postgresLayer)))
  )

  it.live("§2.7 an import that fails half way leaves nothing behind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table policy_change add constraint broken check (false)`
      const document = documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] })
      expect((yield* Effect.flip(save(document))).fault).toBe("refused")
      for (const table of ["policy", "policy_version", "policy_code", "policy_change", "policy_span"]) {
        expect((yield* sql.unsafe(`select from ${table}`)).length).toBe(0)
      }
      yield* sql`alter table policy_change drop constraint broken`
      expect(yield* save(document)).toEqual([{ _tag: "Recorded", version: 1, changed: true }])
    }).pipe(Effect.provide(ports(postgresLayer)))
  )

  it.live("§2.7 an import by one process is seen by another within a second", () =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const process = ports(Layer.orDie(Database.layer(connection)))
      const [here, there] = [yield* Layer.build(process), yield* Layer.build(Layer.fresh(process))]
      const listed = Effect.provide(
        Effect.flatMap(Jurisdictions, ({ list }) => list),
        here
      )
      expect(yield* listed).toEqual([])
      yield* Effect.provide(
        Effect.gen(function* () {
          const snapshots = yield* Snapshots
          const snapshot = snapshotOf({})
          yield* save(documentOf({ policyId: "L1" }))
          yield* snapshots.saveJurisdictions({
            snapshot,
            at: imported,
            jurisdictions: [jurisdictionOf({ jurisdictionCode: "JH" })]
          })
        }),
        there
      )
      const read = Effect.flatMap(Policies, (policies) => policies.find({ policyId: id("L1"), asOf }))
      expect((yield* Effect.provide(read, here))?.version.version).toBe(1)
      const seen = yield* listed.pipe(
        Effect.repeat({ until: (all) => all.length === 1, schedule: Schedule.spaced(Duration.millis(20)) }),
        Effect.timeout(Duration.millis(1_500))
      )
      expect(seen.map((one) => one.jurisdictionCode)).toEqual(["JH"])
    }).pipe(Effect.scoped)
  )
})
