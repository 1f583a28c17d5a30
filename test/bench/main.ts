import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { embedded } from "../../adapters/postgres/embedded.ts"
import { redisServer } from "../kit/redis.ts"
import { compare } from "./compare.ts"
import { growth } from "./growth.ts"
import { oneConnection } from "./oneConnection.ts"
import { familyOf, startServer } from "./processes.ts"
import type { Server } from "./processes.ts"
import { policy, rows } from "./rows.ts"
import { say } from "./say.ts"
import { keyOf, seed } from "./seed.ts"
import { grown, organizations, roundMs, rounds, warmingMs } from "./sizes.ts"
import { starts } from "./starts.ts"

const main = Effect.scoped(
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    say(
      `Ratios to a bare node:http server of the same run; ${rounds} pairs of rounds of ` +
        `${roundMs / 1_000} s after ${warmingMs / 1_000} s of warming each, the median of the pairs' ratios (and the ` +
        `middle half of them); ${cpus().length} cores. ` +
        "The load never sleeps, and its own CPU is not counted."
    )
    yield* Effect.promise(() => starts(join(folder, "start")))
    const dataDir = join(folder, "data")
    const connection = yield* embedded({ dataDir, role: "command" })
    yield* seed(connection, organizations)
    const environment = yield* environmentOf(dataDir)
    const ours = yield* served("apps/http/main.ts", environment)
    const bare = yield* served("test/bench/bare.ts", {}, String(yield* sizeOfPolicy(ours)))
    const stores = storesOf(ours.pid)
    for (const row of rows) yield* Effect.promise(() => compare({ bare, ours, stores }, row))
    yield* Effect.promise(() => oneConnection({ bare, ours }))
    if (grown === 0) return
    yield* Effect.promise(ours.stop)
    yield* growth({
      connection,
      redisUrl: environment.REDIS_URL,
      start: () => startServer("apps/http/main.ts", environment),
      stores
    })
  })
)

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "coverage-bench-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The service over the seeded database, and over a Redis of its own. */
const environmentOf = (dataDir: string) =>
  Effect.map(redisServer, (redis) => ({
    DATA_DIR: dataDir,
    PORT: "0",
    REDIS_URL: Redacted.value(redis.url),
    LOG_LEVEL: "error"
  }))

const served = (...[program, environment, ...parameters]: Parameters<typeof startServer>) =>
  Effect.acquireRelease(
    Effect.promise(() => startServer(program, environment, ...parameters)),
    (server) => Effect.promise(server.stop)
  )

/** The bare server answers as many characters. */
const sizeOfPolicy = (ours: Server) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${keyOf(1)}` }
    return (await (await fetch(ours.url + policy, { headers })).text()).length
  })

/**
 * PostgreSQL and Redis of this run: everything this process started, but for the servers that are measured.
 */
const storesOf = (server: number): ReadonlyArray<number> =>
  familyOf(process.pid).filter((pid) => pid !== process.pid && !familyOf(server).includes(pid))

await Effect.runPromise(main as Effect.Effect<void, unknown>)
