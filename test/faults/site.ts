import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Database from "../../adapters/postgres/Database.ts"
import * as Keys from "../../adapters/postgres/Keys.ts"
import * as Ledgers from "../../adapters/postgres/Ledger.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import * as Organizations from "../../adapters/postgres/Organizations.ts"
import * as Snapshots from "../../adapters/postgres/Snapshots.ts"
import * as Limits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { settings } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { redisServer, longTimeouts } from "../kit/redis.ts"
import { startServer } from "./server.ts"
import type { RunningServer } from "./server.ts"

/** One PostgreSQL and one Redis for any number of real processes, and a way to look at them from beside. */
export type Site = Awaited<ReturnType<typeof openSite>>

/**
 * A fresh database, or the one that is given, with a small library, and a private Redis; everything that was
 * started ends with `close`. The servers reach a fresh database by a URL over its Unix socket, as an
 * operator's own server would be.
 */
export const openSite = async (given?: Database.Connection) => {
  const scope = Scope.makeUnsafe()
  const database = given === undefined ? freshDatabase : migrated(given)
  const start = Scope.provide(Effect.all({ connection: database, redis: redisServer }), scope)
  const { connection, redis } = await Effect.runPromise(start)
  const environment = {
    DATABASE_URL: urlOf(connection),
    REDIS_URL: Redacted.value(redis.url),
    SECRET_KEY: "a secret of every process of a suite"
  }
  const beside = ManagedRuntime.make(
    Layer.mergeAll(stores, sharedLimits(redis.url)).pipe(
      Layer.provideMerge(Database.layer(connection)),
      Layer.provideMerge(settings)
    )
  )
  await beside.runPromise(seedLibrary)
  const servers: Array<RunningServer> = []
  return {
    environment,
    redis,
    /** Runs over the stores themselves; its limits go by the caller's clock. */
    run: beside.runPromise,
    start: async (more: Readonly<Record<string, string>> = {}) => {
      const server = await startServer({ ...environment, ...more })
      servers.push(server)
      return server
    },
    /** What the books say of an organization. */
    statement: async (organizationId: OrganizationId) => {
      const read = Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() }))
      const statement = await beside.runPromise(read)
      if (statement === undefined) throw new Error("an organization has a statement")
      return statement
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.end("SIGTERM")))
      await beside.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

const migrated = (connection: Database.Connection) =>
  Effect.as(Effect.provide(migrate(migrations), Database.layer(connection)), connection)

const stores = Layer.mergeAll(Keys.layer, Organizations.layer, Ledgers.layer, Snapshots.layer)

const sharedLimits = (url: Redacted.Redacted) =>
  Limits.layer({ clock: "caller" }).pipe(Layer.provide(Redis.layer(url, longTimeouts)))

const urlOf = (connection: Database.Connection): string => {
  if ("url" in connection) return Redacted.value(connection.url)
  const host = encodeURIComponent(connection.folder)
  return `postgres://${connection.username}@localhost/${connection.database}?host=${host}`
}
