import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryAudit from "../../adapters/memory/Audit.ts"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as PostgresAudit from "../../adapters/postgres/Audit.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import type { Audits } from "./auditLaws.ts"
import { AuditsElsewhere } from "./auditLaws.ts"
import { freshDatabase } from "./postgres.ts"

/** Both ends over one memory. */
export const memoryAudits = Layer.suspend(() => {
  const writes = Layer.fresh(MemoryTransactions.layer)
  return twice(writes, writes).pipe(
    Layer.provideMerge(Layer.fresh(Layer.mergeAll(MemoryAudit.layer, Books.layer, Records.layer)))
  )
})

const postgresAt = (connection: Database.Connection) =>
  Layer.fresh(Layer.mergeAll(PostgresAudit.layer, PostgresTransactions.layer({ clock: "server" }))).pipe(
    Layer.provideMerge(Database.layer(connection)),
    Layer.orDie
  )

/** Both ends over one fresh database. */
export const postgresAudits = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(postgresAt(connection), postgresAt(connection)))
)

/** A PostgreSQL that is not there. */
export const absentAudits = Layer.suspend(() =>
  postgresAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)

const twice = <Here, There, E, E2, R, R2>(here: Layer.Layer<Here, E, R>, there: Layer.Layer<There, E2, R2>) =>
  Layer.merge(here, Layer.effect(AuditsElsewhere, Effect.context<Audits>()).pipe(Layer.provide(there)))
