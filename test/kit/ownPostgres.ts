import { spawn, execFile } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { nobody, self } from "../../adapters/postgres/embedded/account.ts"
import { stage } from "../../adapters/postgres/embedded/stage.ts"
import { freePort } from "./redis.ts"

/** A PostgreSQL server of a test's own, by TCP with a password, that the test may stop, fill and promote. */
export interface OwnPostgres {
  readonly port: number
  readonly folder: string
  /** The address of a database on it. */
  readonly url: (database: string) => string
  /** Runs statements as the superuser, each by itself. */
  readonly ask: (...statements: ReadonlyArray<string>) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>
  /** The same in a database of it. */
  readonly askIn: (database: string, statement: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>
  readonly start: (...settings: ReadonlyArray<string>) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

const run = promisify(execFile)
export const password = "a password of tests"
const login = "coverage"

/** A server that ends with the scope; `folder`: where its data goes. */
export const ownPostgres = Effect.fnUntraced(function* (folder?: string) {
  const made = yield* folderFor("coverage-own-", folder)
  const release = yield* Effect.promise(releases)
  const data = join(made, "data")
  yield* Effect.promise(async () => {
    const file = join(made, "password")
    await writeFile(file, password)
    await chmod(file, 0o644)
    const how = ["-D", data, "-U", login, "-A", "scram-sha-256", `--pwfile=${file}`, "--no-sync"]
    await run(release.initdb, [...how, "-E", "UTF8", "--locale=C"], asOwner(made))
    await appendFile(join(data, "pg_hba.conf"), "host replication all 127.0.0.1/32 scram-sha-256\n")
  })
  return yield* server(made, data)
})

/** A streaming replica of a server that runs, made from a copy of its files. */
export const replicaOf = Effect.fnUntraced(function* (primary: OwnPostgres) {
  const made = yield* folderFor("coverage-replica-", undefined)
  const data = join(made, "data")
  yield* Effect.promise(async () => {
    const { ask, end } = await session(primary.port)
    await ask("select pg_backup_start('copy', true)")
    await cp(join(primary.folder, "data"), data, {
      recursive: true,
      filter: (path) => !path.endsWith("postmaster.pid") && !path.endsWith("postmaster.opts")
    })
    const [row] = await ask("select labelfile from pg_backup_stop(false)")
    await end()
    await writeFile(join(data, "backup_label"), String(row?.[0]))
    await writeFile(join(data, "standby.signal"), "")
    const info = `host=127.0.0.1 port=${primary.port} user=${login} password=''${password}''`
    await appendFile(join(data, "postgresql.auto.conf"), `primary_conninfo = '${info}'\n`)
    await owned(made)
  })
  return yield* server(made, data)
})

const server = Effect.fnUntraced(function* (folder: string, data: string) {
  const release = yield* Effect.promise(releases)
  const port = yield* Effect.promise(freePort)
  let child: ChildProcess | undefined
  const kill = async (signal: NodeJS.Signals) => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once("exit", resolve))
    running.kill(signal)
    await gone
  }
  yield* Effect.addFinalizer(() => Effect.promise(() => kill("SIGQUIT")))
  const own = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off"]
  const start = async (...settings: ReadonlyArray<string>) => {
    const all = [...own, ...settings].flatMap((setting) => ["-c", setting])
    child = spawn(release.postgres, ["-D", data, ...all], { ...asOwner(folder), stdio: "ignore" })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      const answers = await session(port)
        .then(({ end }) => end())
        .then(
          () => true,
          () => false
        )
      if (answers) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    port,
    folder,
    url: (database) => `postgresql://${login}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    start,
    kill,
    askIn: async (database, statement) => {
      const { ask, end } = await session(port, database)
      return ask(statement).finally(end)
    },
    ask: async (...statements) => {
      const { ask, end } = await session(port)
      let rows: ReadonlyArray<ReadonlyArray<unknown>> = []
      for (const statement of statements) rows = await ask(statement)
      await end()
      return rows
    }
  } satisfies OwnPostgres
})

/** One connection to the server's own database. */
const session = async (port: number, database = "postgres") => {
  const scope = Scope.makeUnsafe()
  const connecting = PgConnection.make({
    host: "127.0.0.1",
    port,
    username: login,
    password: Redacted.make(password),
    database,
    prepare: false
  })
  const connection = await Effect.runPromise(Scope.provide(connecting, scope))
  return {
    ask: (statement: string) => Effect.runPromise(connection.queryValues(statement, [])),
    end: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const folderFor = (prefix: string, given: string | undefined) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = given ?? (await mkdtemp(join(tmpdir(), prefix)))
      await chmod(folder, 0o755)
      await chown(folder, owner().uid, owner().gid)
      return folder
    }),
    (folder) =>
      Effect.promise(() =>
        given === undefined ? rm(folder, { recursive: true, force: true }) : Promise.resolve()
      )
  )

const owner = () => (self().uid === 0 ? nobody() : self())
const asOwner = (cwd: string) => {
  const { gid, uid } = owner()
  return { cwd, env: { LC_ALL: "C", PATH: "/usr/bin:/bin" }, ...(self().uid === 0 ? { uid, gid } : {}) }
}

const owned = async (folder: string): Promise<void> => {
  const { gid, uid } = owner()
  if (self().uid === 0) await run("chown", ["-R", `${uid}:${gid}`, folder])
  await chmod(join(folder, "data"), 0o700)
}

/** The programs, copied once for all tests of a machine. */
const releases = async () => {
  const folder = join(tmpdir(), "coverage-test-releases")
  await mkdir(folder, { recursive: true, mode: 0o755 })
  return stage(folder)
}
