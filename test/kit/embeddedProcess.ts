import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Database from "../../adapters/postgres/Database.ts"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"

/**
 * A process that uses the embedded PostgreSQL of a DATA_DIR as its server, says one line of JSON once it
 * answers, and leaves on SIGTERM: `node embeddedProcess.ts <DATA_DIR>`.
 */
const program = Effect.gen(function* () {
  const connection = yield* startEmbedded({ dataDir: process.argv[2] ?? "", role: "server" })
  const rows = yield* Effect.gen(function* () {
    const sql = yield* Database.Pool
    yield* Effect.exit(sql`select ${"submitted-secret"}::integer`)
    return yield* sql`select current_user as account`
  }).pipe(Effect.provide(Database.layer(connection)))
  console.log(JSON.stringify({ connection, rows }))
  return yield* Effect.never
})

const fiber = Effect.runFork(Effect.scoped(program))
fiber.addObserver((exit) => {
  if (exit._tag === "Failure" && !signalled) console.log(JSON.stringify({ failed: String(exit.cause) }))
})
let signalled = false
process.once("SIGTERM", () => {
  signalled = true
  Effect.runFork(Fiber.interrupt(fiber))
})
