import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { searchStatementMs } from "../../adapters/postgres/library/runSearch.ts"
import type { PoliciesUnavailable } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { ClaimEditsUnavailable } from "../../core/port/ClaimEdits.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import type { PriorAuthListsUnavailable } from "../../core/port/PriorAuthLists.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import type { CodesUnavailable } from "../../core/port/Codes.ts"
import { Codes } from "../../core/port/Codes.ts"
import type { PayersUnavailable } from "../../core/port/Payers.ts"
import { Payers } from "../../core/port/Payers.ts"
import type { NcdCodesUnavailable } from "../../core/port/NcdCodes.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import type { SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { postgresPorts } from "../kit/libraries.ts"
import {
  criteriaQueryOf,
  day,
  documentOf,
  id,
  importedAt,
  jurisdictionOf,
  ncdCodeOf,
  pairOf,
  passage,
  payerOf,
  procedure,
  queryOf,
  recordOf,
  save,
  snapshotOf,
  unitOf
} from "../kit/library.ts"
import { freshDatabase, postgresLayer } from "../kit/postgres.ts"

const ports = (clients: typeof postgresLayer) => Layer.fresh(Layer.provideMerge(postgresPorts, clients))
const nowhere = postgresPorts.pipe(
  Layer.provide(Database.layer({ folder: "/nonexistent", database: "none", username: "none" })),
  Layer.orDie
)
type Away =
  | PoliciesUnavailable
  | CodesUnavailable
  | PayersUnavailable
  | SnapshotsUnavailable
  | PayersUnavailable
  | PoliciesUnavailable
  | ClaimEditsUnavailable
  | PriorAuthListsUnavailable
  | NcdCodesUnavailable

/** Every question and every write of the library's ports. */
const everyVerb = Effect.gen(function* () {
  const { criteria, candidates, find, history, search } = yield* Policies
  const codes = yield* Codes
  const questions: ReadonlyArray<Effect.Effect<unknown, Away>> = [
    find({ policyId: id("L1"), asOf }),
    search(queryOf({})),
    search(queryOf({ text: "oxygen" })),
    history(id("L1")),
    candidates({ codes: ["E0601"], asOf }),
    criteria(criteriaQueryOf({})),
    (yield* Payers).list,
    (yield* Policies).changes(changesQuery),
    (yield* ClaimEdits).among({ codes: ["E0601"], date: asOf }),
    (yield* PriorAuthLists).among({ codes: ["E0601"] }),
    (yield* PriorAuthLists).save({ snapshotId: "a", contents: list }),
    (yield* NcdCodes).among({ codes: ["E0601"] }),
    (yield* NcdCodes).save({ origin: "imported", rows: [ncdCodeOf({})] }),
    codes.find({ codes: ["E0601"], codeSystem: null, asOf }),
    codes.suggest({ text: "E0601", codeSystem: null, limit: 5 }),
    codes.policies({ codes: ["E0601"], place: null, asOf, limit: 5 }),
    (yield* Payers).jurisdictions
  ]
  return [...questions, ...writesOf(yield* Snapshots)]
})

const list = { program: "DMEPOS", listAsOf: day("2026-01-01"), sourceUrl: null, rows: [] }

const writesOf = (snapshots: typeof Snapshots.Service): ReadonlyArray<Effect.Effect<unknown, Away>> => {
  const snapshot = snapshotOf({})
  const at = importedAt
  return [
    snapshots.isComplete("a"),
    snapshots.saveHistory({ snapshot, documents: [documentOf({ policyId: "L1" })], at }),
    snapshots.saveHistory({ snapshot, documents: [documentOf({ policyId: "L1" })], at }),
    snapshots.save({ _tag: "Codes", snapshot, codes: [] }),
    snapshots.save({ _tag: "UnlistedCodes", snapshot, codeSystem: "HCPCS", listed: new Set() }),
    snapshots.save({ _tag: "Jurisdictions", snapshot, jurisdictions: [] }),
    snapshots.save({ _tag: "Payers", snapshot, payers: [payerOf({ code: "acme" })] }),
    snapshots.save({ _tag: "Edits", snapshot, pairs: [], units: [unitOf({})] }),
    snapshots.complete({ snapshot, at }),
    snapshots.current
  ]
}

const changesQuery = {
  since: null,
  policyId: null,
  changeType: null,
  policyType: null,
  before: null,
  limit: 5
} as const

const keptTables = [
  "policy_version",
  "policy_code",
  "policy_passage",
  "policy_change",
  "code_edition",
  "ptp_edit",
  "mue_edit"
]
const asOf = day("2026-01-01")

describe("the library in PostgreSQL", () => {
  it.live("§7.3 a store that is unavailable is a named failure of every verb", () =>
    Effect.gen(function* () {
      const verbs = yield* everyVerb
      const failures = yield* Effect.forEach(verbs, (verb) => Effect.flip(verb))
      expect(failures.map((failure) => failure.fault)).toEqual(verbs.map(() => "unreachable"))
      expect(new Set(failures.map((failure) => failure._tag))).toEqual(
        new Set([
          "PoliciesUnavailable",
          "CodesUnavailable",
          "PayersUnavailable",
          "SnapshotsUnavailable",
          "PayersUnavailable",
          "PoliciesUnavailable",
          "ClaimEditsUnavailable",
          "PriorAuthListsUnavailable",
          "NcdCodesUnavailable"
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
        const failures = yield* sql.withTransaction(
          Effect.andThen(
            sql`lock table policy_version, policy_passage in access exclusive mode`,
            Effect.all(
              [
                Effect.flip(Context.get(searcher, Policies).search(queryOf({ text: "oxygen" }))),
                Effect.flip(Context.get(searcher, Policies).criteria(criteriaQueryOf({})))
              ],
              { concurrency: 2 }
            )
          )
        )
        expect(failures.map((failure) => failure.fault)).toEqual(["timeout", "timeout"])
      }).pipe(Effect.scoped),
    searchStatementMs + 15_000
  )

  it.live("§2.7 what was kept cannot be changed or removed, not even by hand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const criteria = [passage("b", "Oxygen")]
      yield* save(documentOf({ policyId: "L1", codeGroups: [procedure("E0601")], criteria }))
      const snapshots = yield* Snapshots
      const edits = { pairs: [pairOf({})], units: [unitOf({})] }
      yield* snapshots.save({ _tag: "Edits", snapshot: snapshotOf({}), ...edits })
      yield* snapshots.save({ _tag: "Codes", snapshot: snapshotOf({}), codes: [recordOf({ code: "E0601" })] })
      for (const table of keptTables) {
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
      const titles = ["First", "Second", "Third"]
      const documents = titles.map((title) => documentOf({ policyId: "NCD 1.1", title }))
      yield* sql`alter table policy_change add constraint broken check (new_version < 3)`
      const { saveHistory } = yield* Snapshots
      const history = saveHistory({ snapshot: snapshotOf({}), documents, at: importedAt })
      expect((yield* Effect.flip(history)).fault).toBe("refused")
      yield* sql`alter table policy_change drop constraint broken`
      expect((yield* history).map((kept) => kept._tag)).toEqual(["Recorded", "Recorded", "Recorded"])
    }).pipe(Effect.provide(ports(postgresLayer)))
  )

  it.live("§2.7 an import by one process is seen by another within a second", () =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const process = ports(Layer.orDie(Database.layer(connection)))
      const [here, there] = [yield* Layer.build(process), yield* Layer.build(Layer.fresh(process))]
      const listed = Effect.provide(
        Effect.flatMap(Payers, ({ jurisdictions: list }) => list),
        here
      )
      expect(yield* listed).toEqual([])
      yield* Effect.provide(
        Effect.gen(function* () {
          const snapshots = yield* Snapshots
          const snapshot = snapshotOf({})
          yield* save(documentOf({ policyId: "L1" }))
          yield* snapshots.save({
            _tag: "Jurisdictions",
            snapshot,
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
