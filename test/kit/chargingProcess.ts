import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { Ledger } from "../../core/port/Ledger.ts"

/** What `chargingProcess.ts` is started with, as JSON: its last call is the one it is killed in. */
export interface ChargingSettings {
  readonly connection: Extract<Database.Connection, { readonly folder: string }>
  readonly answered: ReadonlyArray<Charge>
  readonly unanswered: ReadonlyArray<Charge>
}

/** Charges, answers some of it, says so and then waits to be killed. */
const run = ({ connection, answered, unanswered }: ChargingSettings) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const charge = (charges: ReadonlyArray<Charge>) =>
      Effect.forEach(charges, (one) => ledger.charge(one), { concurrency: "unbounded" })
    yield* charge(answered)
    for (const call of answered) yield* ledger.ended({ ...call, status: 200 })
    yield* charge(unanswered)
    process.stdout.write("charged\n")
    return yield* Effect.never
  }).pipe(Effect.provide(PostgresLedger.layer.pipe(Layer.provide(Database.layer(connection)))))

const [given] = process.argv.slice(2)
if (given !== undefined) Effect.runFork(run(JSON.parse(given) as ChargingSettings))
