import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { nobody, self } from "../../adapters/postgres/embedded/account.ts"
import { password } from "./ownPostgres.ts"
import { freePort } from "./redis.ts"

/** What the service tells its sessions, and a pooler must let pass or ignore. */
const ignored =
  "extra_float_digits,statement_timeout,idle_in_transaction_session_timeout,jit,plan_cache_mode," +
  "enable_seqscan,enable_bitmapscan,synchronous_commit"

export interface Pooler {
  readonly mode: "session" | "transaction"
  /** Of the server behind it. */
  readonly port: number
  readonly user: string
  readonly ignores?: string
}

/** PgBouncer (Debian's package) before a server's database `coverage`; answers its address. */
export const pgbouncer = Effect.fnUntraced(function* ({ ignores = ignored, mode, port, user }: Pooler) {
  const binary = yield* Effect.sync(findPgbouncer)
  const own = yield* Effect.promise(freePort)
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "coverage-pooler-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  )
  yield* Effect.promise(async () => {
    const file = join(folder, "pgbouncer.ini")
    const upstream = `host=127.0.0.1 port=${port} dbname=coverage user=${user} password='${password}'`
    await writeFile(
      file,
      [
        `[databases]\ncoverage = ${upstream}\n[pgbouncer]`,
        `listen_addr = 127.0.0.1\nlisten_port = ${own}\nauth_type = any\nunix_socket_dir =`,
        `pool_mode = ${mode}\ndefault_pool_size = 30\nmax_client_conn = 200`,
        ...(ignores === "" ? [] : [`ignore_startup_parameters = ${ignores}`])
      ].join("\n")
    )
    await chmod(folder, 0o755)
  })
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const root = self().uid === 0 ? { uid: nobody().uid, gid: nobody().gid } : {}
      const child = spawn(binary, ["-q", join(folder, "pgbouncer.ini")], { stdio: "ignore", ...root })
      while (!(await accepts(own))) {
        if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return child
    }),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )
  return `postgresql://${user}@127.0.0.1:${own}/coverage`
})

const findPgbouncer = (): string => {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"]
  const found = folders.map((folder) => `${folder}/pgbouncer`).find((path) => existsSync(path))
  if (found === undefined)
    throw new Error("These tests need PgBouncer: install `pgbouncer`, and run them again.")
  return found
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })
