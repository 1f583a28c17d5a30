import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../adapters/postgres/Database.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { twice } from "./accounts.ts"
import { postgresAt } from "../stores/accounts.ts"
import { freshDatabase } from "./postgres.ts"
import { severedWay } from "./severed.ts"
import { DoomedProcess } from "./unansweredLaws.ts"

/** A process over a way of its own to the database, which is severed when it dies. */
export const doomedAt = Effect.fnUntraced(function* (connection: Database.Connection) {
  if (!("folder" in connection)) return yield* Effect.die("the run's PostgreSQL has no socket in a folder")
  const { way, cut, sever } = yield* severedWay(connection)
  const context = yield* Layer.build(postgresAt(way))
  return { ledger: Context.get(context, Ledger), die: sever, cut }
})

/** Two processes and any number of doomed ones over one fresh database, and a client to look behind them. */
export const doomedAccounts = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(
      twice(postgresAt(connection), postgresAt(connection)),
      Layer.succeed(DoomedProcess, { start: doomedAt(connection) }),
      Layer.orDie(Database.layer(connection))
    )
  )
)
