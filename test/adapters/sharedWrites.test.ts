import { it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { Ledger } from "../../core/port/Ledger.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, created } from "../kit/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { begin, executed, freshRequest, keep } from "../kit/idempotencyLaws.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { severedWay } from "../kit/severed.ts"
import { postgresWritesAt } from "../stores/writes.ts"

const organizations = 40
const table = "create table counter (organization text primary key, count int not null)"

/** Many organizations with a row of their own that each write reads and then changes. */
const crowd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(table)
  return yield* Effect.forEach(Array.from({ length: organizations }), () =>
    Effect.gen(function* () {
      const { organizationId } = yield* created({ pack: "scale" })
      yield* sql`insert into counter values (${organizationId}, 0)`
      return organizationId
    })
  )
})

const counting = Effect.fnUntraced(function* (organizationId: Effect.Success<typeof crowd>[number]) {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* Transactions
  const request = freshRequest()
  const claim = yield* executed(request)
  const work = Effect.orDie(
    Effect.gen(function* () {
      const [row] = yield* sql<{ readonly count: number }>`select count from counter
        where organization = ${organizationId} for update`
      const count = (row?.count ?? 0) + 1
      yield* sql`update counter set count = ${count} where organization = ${organizationId}`
      return keep(count)
    })
  )
  const ended = yield* Effect.result(write({ claim, charge: chargeOf(organizationId), work }))
  const told = ended._tag === "Success" ? ended.success._tag : ended.failure.fault
  return { organizationId, request, told }
})

/** How many of this database's statements wait for a lock. */
const blocked = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`,
    ([row]) => row?.count ?? 0
  )
)

describe("writes that share a transaction", () => {
  it.live("what one organization's writes read and change, its others wait for", () =>
    Effect.flatMap(freshDatabase, (connection) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const all = yield* crowd
        const writes = Array.from({ length: 6 }, () => all.map(counting)).flat()
        const told = yield* Effect.all(writes, { concurrency: "unbounded" })
        expect(new Set(told.map((each) => each.told))).toEqual(new Set(["Committed"]))
        expect(yield* sql`select distinct count from counter`).toEqual([{ count: 6 }])
        const [commits] = yield* sql<{
          readonly count: number
        }>`select count(distinct tx)::int as count from usage`
        expect(commits?.count).toBeLessThan(writes.length / 2)
      }).pipe(Effect.provide(postgresWritesAt(connection)))
    )
  )

  it.live("who waits for a lock holds up nobody else for long", () =>
    Effect.flatMap(freshDatabase, (connection) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const all = yield* crowd
        const [locked, free] = [all.slice(0, 3), all.slice(3)]
        const letGo = yield* Deferred.make<void>()
        const held = yield* Deferred.make<void>()
        const holder = sql.withTransaction(
          Effect.gen(function* () {
            for (const each of locked)
              yield* sql`select 1 from counter where organization = ${each} for update`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(letGo)
          })
        )
        const holding = yield* Effect.forkChild(holder)
        yield* Deferred.await(held)
        const waiting = yield* Effect.forkChild(
          Effect.all(locked.map(counting), { concurrency: "unbounded" })
        )
        yield* Effect.repeat(blocked, { until: (count) => count >= 2 })
        const beganMs = performance.now()
        for (const round of [1, 2]) {
          const told = yield* Effect.all([...free, ...free].map(counting), { concurrency: "unbounded" })
          expect([round, ...new Set(told.map((each) => each.told))]).toEqual([round, "Committed"])
        }
        expect(performance.now() - beganMs).toBeLessThan(5_000)
        yield* Deferred.succeed(letGo, undefined)
        yield* Fiber.join(holding)
        expect((yield* Fiber.join(waiting)).map((each) => each.told)).toEqual(Array(3).fill("Committed"))
      }).pipe(Effect.provide(postgresWritesAt(connection)))
    )
  )

  it.live.each([
    ["is carried out and not answered", true],
    ["does not arrive", false]
  ] as const)("law 5: a shared COMMIT that %s is settled for each by its own record", ([, arrives]) =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      if (!("folder" in connection)) return yield* Effect.die("the run's PostgreSQL listens in a folder")
      const severed = yield* severedWay(connection)
      const all = yield* Effect.provide(crowd, postgresWritesAt(connection))
      const together = Effect.suspend(() => Effect.all(all.map(counting), { concurrency: "unbounded" }))
      const first = yield* Effect.provide(together, postgresWritesAt(connection))
      // Two go alone, each with a BEGIN that is waited for; the others share what goes out in one breath.
      yield* severed.cut({ saying: "COMMIT", pipelined: ["BEGIN", "from counter"], arrives, forGood: false })
      const told = [...first, ...(yield* Effect.provide(together, postgresWritesAt(severed.way)))]
      expect(yield* severed.wasCut).toBe(true)
      // What did not arrive may have been on its way: nobody is told that it is there, or that it is not.
      const ends = arrives ? ["Committed"] : ["Committed", "unknown_outcome"]
      expect(new Set(told.map((each) => each.told))).toEqual(new Set(ends))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const { organizationId, request, told: end } of told) {
          expect((yield* begin(request))._tag === "Replay").toBe(end === "Committed")
          const commits = told.filter(
            (each) => each.organizationId === organizationId && each.told === "Committed"
          ).length
          expect(yield* sql`select count from counter where organization = ${organizationId}`).toEqual([
            { count: commits }
          ])
          const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
          expect(statement?.charged).toBe(commits)
        }
      }).pipe(Effect.provide(postgresWritesAt(connection)))
    })
  )
})
