import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import { inject } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"

type EmbeddedConnection = Parameters<typeof Database.socketAddress>[0]

/** A database on the run's PostgreSQL. */
export const at = (database: string): EmbeddedConnection => ({
  folder: inject("postgresFolder"),
  database,
  username: "coverage"
})

/** An empty database of its own, dropped with the scope. */
export const emptyDatabase: Effect.Effect<EmbeddedConnection, never, Scope.Scope> = Effect.suspend(() =>
  copyOf("template1")
)

/**
 * A migrated database of its own, dropped with the scope. The first suite migrates a template and the
 * others copy it, which takes a tenth of the time.
 */
export const freshDatabase: Effect.Effect<EmbeddedConnection, never, Scope.Scope> = Effect.suspend(() =>
  copyOf(template)
)

/** The clients of the PostgreSQL adapter over a fresh database. */
export const postgresLayer = Layer.unwrap(Effect.map(freshDatabase, Database.layer)).pipe(Layer.orDie)

const template = "coverage_template"

// PostgreSQL refuses to copy a template that somebody is connected to, so copies are made one at a time.
const templateLock = 60

const copyOf = Effect.fnUntraced(function* (source: string) {
  const database = `test_${randomUUID().replaceAll("-", "")}`
  const copy = Effect.gen(function* () {
    const [lock, admin] = yield* Effect.all([client("postgres"), client("postgres")])
    yield* lock.withTransaction(
      Effect.gen(function* () {
        yield* lock`select pg_advisory_xact_lock(${templateLock})`
        if (source === template) yield* ensureTemplate(admin)
        yield* admin.unsafe(`create database ${database} template ${source}`)
      })
    )
  })
  const drop = Effect.flatMap(client("postgres"), (admin) =>
    admin.unsafe(`drop database ${database} with (force)`)
  )
  yield* Effect.acquireRelease(Effect.scoped(copy), () => Effect.scoped(drop).pipe(Effect.orDie))
  return at(database)
}, Effect.orDie)

const ensureTemplate = Effect.fnUntraced(function* (admin: PgClient.PgClient) {
  const found = yield* admin`select 1 from pg_database where datname = ${template}`
  if (found.length > 0) return
  yield* admin.unsafe(`drop database if exists ${template}_building with (force)`)
  yield* admin.unsafe(`create database ${template}_building`)
  yield* migrate(migrations).pipe(Effect.provide(Database.layer(at(`${template}_building`))))
  yield* admin.unsafe(`alter database ${template}_building rename to ${template}`)
})

const client = (database: string) =>
  PgClient.make({ ...Database.socketAddress(at(database)), maxConnections: 1 }).pipe(
    Effect.provide(Reactivity.layer)
  )
