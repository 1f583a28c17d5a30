import { execFile } from "node:child_process"
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { startServer } from "./processes.ts"
import type { Server } from "./processes.ts"
import { say } from "./say.ts"
import { organizations, policies } from "./sizes.ts"

/** The server that ours is compared with: plain Node, doing a part of our work with every known trick. */
export interface Yardstick {
  readonly start: () => Promise<Server>
  /** Its key of the organization of this number, from 1 on, and its policy of this number. */
  readonly keyFor: (number: number) => string
  readonly policyId: (number: number) => string
}

/** It stands beside the repository, and is no part of it. */
const source = join(import.meta.dirname, "../../../shared/bench/rival-tuned")

/** Where it may work: a folder, the run's PostgreSQL, and a Redis of its own. */
interface Place {
  readonly folder: string
  readonly connection: Exclude<Connection, { readonly url: unknown }>
  readonly redisUrl: string
}

const run = promisify(execFile)

/** A seeded yardstick; undefined, and one line that says so, where there is none. */
export const prepareYardstick = Effect.fnUntraced(function* ({ folder, connection, redisUrl }: Place) {
  if (!existsSync(source)) {
    say(`no yardstick: ${source} is absent; measured against bare`)
    return undefined
  }
  const copy = join(folder, "yardstick")
  yield* Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* PgClient.make({ ...(yield* Database.address(connection)), maxConnections: 1 })
      yield* sql.unsafe("create database yardstick")
    })
  ).pipe(Effect.provide(Reactivity.layer))
  const { username, folder: host } = connection
  const environment = {
    DATABASE_URL: `postgres://${username}@localhost/yardstick?host=${encodeURIComponent(host)}`,
    REDIS_URL: redisUrl,
    ORGS: String(organizations),
    POLICIES: String(policies),
    PORT: "0"
  }
  return yield* Effect.promise(async (): Promise<Yardstick | undefined> => {
    try {
      cpSync(source, copy, { recursive: true })
      await run("npm", ["install", "--omit=dev", "--no-audit", "--no-fund"], { cwd: copy })
      await run(process.execPath, ["src/seed.js"], { cwd: copy, env: { ...process.env, ...environment } })
      const { keyFor, policyId } = await import(pathToFileURL(join(copy, "src/fixtures.js")).href)
      const start = () => startServer(join(copy, "src/server.js"), environment)
      return { start, keyFor, policyId }
    } catch (error) {
      say(
        `no yardstick: it could not be prepared (${String(error).split("\n", 1)[0]}); measured against bare`
      )
      return undefined
    }
  })
})
