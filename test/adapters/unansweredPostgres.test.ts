import { spawn } from "node:child_process"
import { once } from "node:events"
import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger, silentSweeps } from "../../core/port/Ledger.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { postgresAt } from "../stores/accounts.ts"
import type { ChargingSettings } from "../kit/chargingProcess.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { doomedAt } from "../kit/doomed.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { sweeps } from "../kit/unansweredLaws.ts"

/** A database, this process's ledger over it, and a client to look behind both. */
const scene = <A, E>(
  play: (
    connection: Database.Connection
  ) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof postgresAt>> | SqlClient.SqlClient | Scope.Scope>
) =>
  Effect.scoped(
    Effect.flatMap(freshDatabase, (connection) =>
      play(connection).pipe(
        Effect.provide(Layer.merge(postgresAt(connection), Layer.orDie(Database.layer(connection))))
      )
    )
  )

const stated = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  return yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
})

const statusOf = Effect.fnUntraced(function* ({ requestId }: Charge) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly status: number
  }>`select status from usage where request_id = ${requestId}`
  return row?.status
})

const opened = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly open: string }>`select open from session`, (rows) => rows.map(({ open }) => open))
)

/** Until it is so, five seconds at most. */
const eventually = <A, E, R>(effect: Effect.Effect<A, E, R>, isSo: (value: A) => boolean) =>
  Effect.timeout(Effect.repeat(effect, { until: isSo, schedule: Schedule.spaced("20 millis") }), "5 seconds")

describe("charges whose call never answered, in PostgreSQL", () => {
  it.live("a process that is killed with -9 leaves nothing charged but what it answered", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charges = Array.from({ length: 40 }, () => chargeOf(organizationId))
        const [answered, unanswered] = [charges.slice(0, 15), charges.slice(15)]
        yield* killedIn({ connection: connection as ChargingSettings["connection"], answered, unanswered })
        const ledger = yield* Ledger
        yield* sweeps(ledger, silentSweeps)
        expect(yield* stated(organizationId)).toMatchObject({ charged: 40, refunded: 25, balance: 85 })
        const statuses = yield* Effect.forEach(charges, statusOf)
        expect(statuses).toEqual(charges.map((charge) => (answered.includes(charge) ? 200 : 503)))
      })
    )
  )

  it.live("a refund that failed because the store was unavailable is made by the next sweep, once", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { ledger, cut } = yield* doomedAt(connection)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charge = chargeOf(organizationId, { cost: 6 })
        yield* ledger.charge(charge)
        yield* cut({ saying: "for update", forGood: false })
        expect(yield* Effect.flip(ledger.refund(charge))).toMatchObject({ fault: "unreachable" })
        yield* ledger.ended({ ...charge, status: 500 })
        expect(yield* stated(organizationId)).toMatchObject({ refunded: 0 })
        expect(yield* sweeps(ledger, 3)).toEqual([1, 0, 0])
        expect(yield* stated(organizationId)).toMatchObject({ refunded: 6, balance: 100 })
      })
    )
  )

  it.live("a refund that failed is made by another process when its own is gone as well", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { ledger, cut, die } = yield* doomedAt(connection)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charge = chargeOf(organizationId, { cost: 6 })
        yield* ledger.charge(charge)
        yield* cut({ saying: "for update", forGood: true })
        yield* Effect.flip(ledger.refund(charge))
        yield* ledger.ended({ ...charge, status: 500 })
        yield* die
        yield* sweeps(yield* Ledger, silentSweeps)
        expect(yield* stated(organizationId)).toMatchObject({ refunded: 6, balance: 100 })
      })
    )
  )

  it.live("a charge that nobody can tell of is given back when it turns out to be there", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { ledger, cut, die } = yield* doomedAt(connection)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charge = chargeOf(organizationId, { cost: 6 })
        yield* cut({ saying: "with paid", forGood: true })
        expect(yield* Effect.flip(ledger.charge(charge))).toMatchObject({ fault: "unknown_outcome" })
        expect(yield* stated(organizationId)).toMatchObject({ charged: 6, refunded: 0 })
        yield* die
        yield* sweeps(yield* Ledger, silentSweeps)
        expect(yield* stated(organizationId)).toMatchObject({ refunded: 6, balance: 100 })
        expect(yield* statusOf(charge)).toBe(503)
      })
    )
  )

  it.live("charges that the kernel made, the quick way having failed, are listed as well", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { ledger, cut, die } = yield* doomedAt(connection)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        yield* cut({ saying: "with paid", forGood: false })
        const broken = chargeOf(organizationId, { caller: "a\u0000b" })
        const charges = [chargeOf(organizationId), chargeOf(organizationId), broken]
        yield* Effect.forEach(charges, (one) => Effect.exit(ledger.charge(one)), { concurrency: "unbounded" })
        yield* die
        expect(yield* stated(organizationId)).toMatchObject({ charged: 2 })
        yield* sweeps(yield* Ledger, silentSweeps)
        expect(yield* stated(organizationId)).toMatchObject({ refunded: 2, balance: 100 })
      })
    )
  )

  it.live("a sweep that fails begins the count again: the store was silent, not the process", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const sweeper = yield* doomedAt(connection)
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const running = chargeOf(organizationId)
        yield* ledger.charge(running)
        yield* sweeps(sweeper.ledger, silentSweeps - 1)
        yield* sweeper.cut({ saying: "", forGood: false })
        yield* Effect.flip(sweeper.ledger.sweep)
        expect(yield* sweeps(sweeper.ledger, silentSweeps - 1)).toEqual([0, 0, 0, 0, 0, 0])
        expect(yield* sweeper.ledger.sweep).toBe(1)
        yield* ledger.ended({ ...running, status: 200 })
      })
    )
  )

  it.live("an idle process lists an answered call no longer than a moment", () =>
    scene(
      Effect.fnUntraced(function* () {
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charge = chargeOf(organizationId)
        yield* ledger.charge(charge)
        expect(yield* opened).toEqual([`${organizationId} ${charge.requestId}\n`])
        yield* ledger.ended({ ...charge, status: 200 })
        yield* eventually(opened, ([open]) => open === "")
      })
    )
  )

  it.live("a process that ends in order takes its row along, and leaves it where a call is open", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const [answered, open] = [chargeOf(organizationId), chargeOf(organizationId)]
        const left: Array<ReadonlyArray<string>> = []
        for (const charges of [[answered], [answered, open]]) {
          const scope = yield* Scope.make()
          const context = yield* Layer.buildWithScope(postgresAt(connection), scope)
          const ledger = Context.get(context, Ledger)
          yield* Effect.forEach(charges, (charge) => ledger.charge(charge))
          yield* ledger.ended({ ...answered, status: 404 })
          yield* Scope.close(scope, Exit.void)
          left.push(yield* opened)
        }
        expect(left).toEqual([[], [`${organizationId} ${open.requestId}\n`]])
        expect(yield* statusOf(answered)).toBe(404)
      })
    )
  )
})

/** Starts the process, waits until it has charged everything, and kills it. */
const killedIn = (charging: ChargingSettings) =>
  Effect.promise(async () => {
    const script = new URL("../kit/chargingProcess.ts", import.meta.url).pathname
    const child = spawn(process.execPath, [script, JSON.stringify(charging)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    await once(child.stdout, "data")
    child.kill("SIGKILL")
    await once(child, "exit")
  })
