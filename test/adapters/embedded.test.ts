import { it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import { pidOf } from "../../adapters/postgres/embedded/cluster.ts"
import { sweep, unnamedMs } from "../../adapters/postgres/embedded/sweep.ts"
import { clusterOf, dataDir } from "../kit/dataDir.ts"
import { project, readableProject } from "../kit/readableProject.ts"

const isRoot = process.getuid?.() === 0
const settings = ["fsync=off"]

/** One use of the cluster that a test ends when it likes, or at its own end. */
const use = (folder: string, role: "server" | "command") =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
    const connection = yield* Scope.provide(startEmbedded({ dataDir: folder, role, settings }), scope)
    return { connection, leave: Scope.close(scope, Exit.void) }
  })

const ask = (connection: Database.Connection, statement: string) =>
  Effect.flatMap(Database.Pool, (sql) => sql.unsafe<Readonly<Record<string, unknown>>>(statement)).pipe(
    Effect.provide(Database.layer(connection))
  )

const postgresPid = (folder: string) => Effect.promise(() => pidOf(join(clusterOf(folder), "data")))

/** Asks again until it answers; the test's own timeout bounds it. */
const eventually = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.retry(effect, { while: () => true })

const child = (
  folder: string,
  { node, root }: typeof project = project,
  account: { readonly uid?: number; readonly gid?: number } = {}
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const made = spawn(node, [join(root, "test/kit/embeddedProcess.ts"), folder], {
        ...account,
        detached: true,
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = await once(createInterface(made.stdout), "line")
      return { exit: once(made, "exit"), made, said: JSON.parse(line) }
    }),
    ({ made, exit }) =>
      Effect.promise(async () => {
        if (made.exitCode === null && made.signalCode === null) made.kill("SIGTERM")
        await exit
      })
  )

describe("the embedded PostgreSQL", () => {
  it.live("keeps what was written from one start to the next, and ends with its last user", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const first = yield* use(folder, "server")
      yield* ask(first.connection, "create table kept as select 7 as value")
      yield* first.leave
      expect(yield* postgresPid(folder)).toBeUndefined()
      const second = yield* use(folder, "server")
      expect(yield* ask(second.connection, "select value from kept")).toEqual([{ value: 7 }])
    }).pipe(Effect.scoped)
  )

  it.live("refuses a second server on one DATA_DIR in a sentence, and lets commands share it", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const server = yield* use(folder, "server")
      const refused = yield* Effect.flip(use(folder, "server"))
      expect(refused.message).toContain(
        `Another server already uses the data folder ${folder}: stop it first`
      )
      const command = yield* use(folder, "command")
      yield* server.leave
      expect(yield* ask(command.connection, "select 1 as one")).toEqual([{ one: 1 }])
      const next = yield* use(folder, "server")
      yield* command.leave
      yield* next.leave
      expect(yield* postgresPid(folder)).toBeUndefined()
    }).pipe(Effect.scoped)
  )

  it.live("starts once when several processes start at the same moment", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const all = yield* Effect.all([use(folder, "command"), use(folder, "server"), use(folder, "command")], {
        concurrency: "unbounded"
      })
      const starts = yield* Effect.forEach(all, ({ connection }) =>
        ask(connection, "select pg_postmaster_start_time()::text as at")
      )
      expect(new Set(starts.map((rows) => JSON.stringify(rows))).size).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("is brought back after kill -9, and both clients of the living process answer again", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const server = yield* use(folder, "server")
      yield* Effect.gen(function* () {
        const pool = yield* Database.Pool
        const multiplexed = yield* Database.PipelinedClient
        yield* pool`create table kept as select 7 as value`
        const pid = yield* postgresPid(folder)
        for (const client of [pool, multiplexed]) yield* client`select value from kept`
        process.kill(pid ?? 0, "SIGKILL")
        yield* eventually(Effect.filterOrFail(postgresPid(folder), (now) => now !== undefined && now !== pid))
        for (const client of [pool, multiplexed]) {
          expect(yield* eventually(client`select value from kept`)).toEqual([{ value: 7 }])
        }
        const held = pool`select pid from pg_locks where locktype = 'advisory' and objid = 8`
        yield* eventually(Effect.filterOrFail(held, (holders) => holders.length === 1))
      }).pipe(Effect.provide(Database.layer(server.connection)))
      expect((yield* Effect.flip(use(folder, "server"))).message).toContain("Another server")
    }).pipe(Effect.scoped)
  )

  it.live("takes its locks again when only their connection is lost", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const server = yield* use(folder, "server")
      const holders = "from pg_locks where locktype = 'advisory' and objid = 8"
      const [before] = yield* ask(server.connection, `select pid, pg_terminate_backend(pid) ${holders}`)
      const [after] = yield* eventually(
        Effect.filterOrFail(
          ask(server.connection, `select pid ${holders}`),
          ([row]) => row !== undefined && row["pid"] !== before?.["pid"]
        )
      )
      expect(after).toBeDefined()
      yield* server.leave
      expect(yield* postgresPid(folder)).toBeUndefined()
    }).pipe(Effect.scoped)
  )

  it.live("outlives a kill -9 of its process and its process group, and the next start adopts it", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const killed = yield* child(folder)
      const pid = yield* postgresPid(folder)
      process.kill(-(killed.made.pid ?? 0), "SIGKILL")
      yield* Effect.promise(() => killed.exit)
      const next = yield* use(folder, "server")
      expect(yield* postgresPid(folder)).toBe(pid)
      yield* next.leave
      expect(yield* postgresPid(folder)).toBeUndefined()
    }).pipe(Effect.scoped)
  )

  it.live("writes no submitted value into its log", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      yield* Effect.scoped(child(folder))
      const log = readFileSync(join(clusterOf(folder), "postgresql.log"), "utf8")
      expect(log).toContain("ready to accept connections")
      expect(log).not.toContain("submitted-secret")
    }).pipe(Effect.scoped)
  )

  it.live("runs without root, under a path too long for a socket", () =>
    Effect.gen(function* () {
      const from = isRoot ? yield* readableProject : project
      const folder = yield* dataDir
      chmodSync(folder, 0o777)
      const long = join(folder, "a".repeat(100))
      const one = yield* child(long, from, isRoot ? { uid: 65_534, gid: 65_534 } : {})
      expect(one.said.rows).toEqual([{ account: "coverage" }])
      expect(one.said.connection.folder).toMatch(/^\/tmp\/coverage-policy-[0-9a-f]{16}$/)
      const socket = one.said.connection.folder
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(socket, { recursive: true })))
      expect(existsSync(join(long, "postgres/data/PG_VERSION"))).toBe(true)
      if (isRoot) {
        const asRoot = yield* use(long, "command")
        expect(asRoot.connection).toEqual(one.said.connection)
        expect(yield* ask(asRoot.connection, "select 1 as one")).toEqual([{ one: 1 }])
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses in a sentence when the database that DATA_DIR names is gone", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      writeFileSync(join(folder, "cluster.json"), JSON.stringify({ id: "0123456789abcdef" }))
      const refused = yield* Effect.flip(use(folder, "server"))
      expect(refused.message).toContain(isRoot ? "which is gone: restore that folder" : "run as root again")
    }).pipe(Effect.scoped)
  )

  it.live("says at once why it is not let in, instead of waiting", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      yield* use(folder, "server")
      writeFileSync(join(clusterOf(folder), "pg_ident.conf"), "")
      const reload = yield* postgresPid(folder)
      process.kill(reload ?? 0, "SIGHUP")
      const refused = yield* Effect.flip(Effect.forever(Effect.scoped(use(folder, "command"))))
      expect(refused.message).toContain("does not let this process in")
    }).pipe(Effect.scoped)
  )

  it.live("removes a cluster that no DATA_DIR has named for a day, and no other", () =>
    Effect.gen(function* () {
      const root = yield* dataDir
      const named = join(root, "named")
      const claims = [
        ["0000000000000001", named],
        ["0000000000000002", join(root, "deleted")]
      ] as const
      for (const [id, claimed] of claims) {
        mkdirSync(join(root, id))
        writeFileSync(join(root, id, "data-dir.json"), JSON.stringify({ dataDir: claimed }))
      }
      mkdirSync(named)
      writeFileSync(join(named, "cluster.json"), JSON.stringify({ id: "0000000000000001" }))
      const markedAt = new Date("2026-01-01T00:00:00Z")
      expect(yield* Effect.promise(() => sweep(markedAt.getTime(), root))).toEqual([])
      utimesSync(join(root, "0000000000000002", "unnamed"), markedAt, markedAt)
      expect(yield* Effect.promise(() => sweep(markedAt.getTime() + unnamedMs - 1, root))).toEqual([])
      const removed = yield* Effect.promise(() => sweep(markedAt.getTime() + unnamedMs, root))
      expect(removed).toEqual(["0000000000000002"])
      expect(existsSync(join(root, "0000000000000001"))).toBe(true)
    }).pipe(Effect.scoped)
  )
})
