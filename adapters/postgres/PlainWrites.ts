import { PgClient } from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { PlainWriteResult, PlainWrite } from "../../core/port/PlainWrites.ts"
import { PlainWrites } from "../../core/port/PlainWrites.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import type { TransactionsUnavailable } from "../../core/port/Transactions.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { amendEndpoint } from "../../core/webhook/transitions.ts"
import { makeBatcher } from "../fast/batcher.ts"
import { commitLost, transactionFailed, leftTo } from "./commitLost.ts"
import { PipelinedClient, unavailable, unconfirmed } from "./Database.ts"
import { ownConnection } from "./ownConnection.ts"
import type { OwnConnection } from "./ownConnection.ts"
import { plainParameters, plainStatement, shownColumns } from "./plainStatement.ts"
import type { PreparedWrite, ShownRow } from "./plainStatement.ts"
import { fastPlanSettings } from "./chargeFast.ts"
import type { RecordClock } from "./recordClock.ts"
import { endpointOf } from "./webhook/rows.ts"

/** Plain writes that share a statement; each changes a row of its own. */
const writesPerBatchMax = 200

/** A server that hangs is given up after this, as by the charges. */
const flushWait = "2 seconds"

type Came = PlainWriteResult | undefined
type Exits = ReadonlyArray<Exit.Exit<Came, TransactionsUnavailable>>

/**
 * Plain writes in PostgreSQL: those that come together are one statement and one commit (plainStatement.ts),
 * on a connection of their own. One with an idempotency key first reads its row, since the answer is sealed
 * before the commit that keeps it; the statement then changes that very version of the row, or nothing.
 */
export const layer = (options: { readonly clock: RecordClock }) =>
  Layer.effect(
    PlainWrites,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reads = yield* PipelinedClient
      const connection = yield* ownConnection(yield* PgClient, fastPlanSettings)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const nowMs = options.clock === "caller" ? Clock.currentTimeMillis : Effect.succeed(null)
      const { submit } = yield* makeBatcher<PreparedWrite, Came, TransactionsUnavailable>({
        store: "writes",
        batchMax: writesPerBatchMax,
        full: transactionFailed("unreachable"),
        flush: (writes, answer) =>
          void run(Effect.flatMap(nowMs, (givenMs) => flushed(sql, connection, writes, givenMs))).addObserver(
            (exit) => answer(Exit.isSuccess(exit) ? exit.value : writes.map(() => Exit.failCause(exit.cause)))
          )
      })
      const amend = (write: PlainWrite): Effect.Effect<Came, TransactionsUnavailable> => {
        // Pausing is never plain, which the statement need not know.
        if (write.amendment.patch.status === "paused") return Effect.undefined
        if (write.kept === undefined) return submit({ ...write, version: null, answer: null })
        return Effect.flatMap(unavailable(transactionFailed)(prepared(reads, write)), (ready) =>
          ready === undefined ? Effect.undefined : submit(ready)
        )
      }
      return PlainWrites.of({ amend })
    })
  )

/** The write for the row as it stands, its answer sealed; undefined: it is not plain. */
const prepared = (
  reads: SqlClient.SqlClient,
  write: PlainWrite
): Effect.Effect<PreparedWrite | undefined, SqlError> => {
  const { place, patch, atMs } = write.amendment
  return Effect.map(
    reads.unsafe<ShownRow & { readonly version: string }>(lookupSql, [
      place.endpointId,
      place.organizationId
    ]),
    ([row]) => {
      const after = row && amendEndpoint(shownEndpoint(row), patch, atMs)
      return row && after && { ...write, version: row.version, answer: write.kept?.seal(after) ?? null }
    }
  )
}

const lookupSql = `select ${shownColumns.join(", ")}, xmin::text as version from webhook_endpoint
  where endpoint_id = $1::bigint and organization_id = $2::text`

/** No answer shows the secrets, and nothing here changes them. */
const shownEndpoint = (row: ShownRow): Endpoint => endpointOf({ ...row, secrets: [] })

/** Of several writes of one row only the first is in the batch: what it changes the others must wait for. */
const flushed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  connection: OwnConnection,
  writes: ReadonlyArray<PreparedWrite>,
  givenMs: number | null
): Effect.fn.Return<Exits> {
  const taken = new Set<number>()
  const batch = writes.filter(({ amendment: { place } }) => {
    const isFirst = !taken.has(place.endpointId)
    taken.add(place.endpointId)
    return isFirst
  })
  const asked = yield* Effect.result(
    unconfirmed((fault: StoreFault) => fault)(
      Effect.timeoutOrElse(askStore(connection, plainParameters(batch, givenMs)), {
        duration: flushWait,
        orElse: () => hung
      })
    )
  )
  if (asked._tag === "Success") {
    const came = amendedOf(batch, asked.success)
    return writes.map((write) => Exit.succeed(came.get(write.charge.requestId)))
  }
  // Nothing happened, and what each write comes to alone is told by the transaction that follows.
  if (asked.failure !== "unknown_outcome") return writes.map(() => nothing)
  return yield* Effect.forEach(writes, (write) =>
    batch.includes(write) ? Effect.exit(settled(sql, write)) : Effect.succeed(nothing)
  )
})

const askStore = (connection: OwnConnection, parameters: ReadonlyArray<unknown>) =>
  Effect.callback<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>((resume) => {
    const giveUp = connection.ask({ statement: plainStatement, parameters }, resume)
    return Effect.sync(giveUp)
  })

const nothing = Exit.succeed(undefined)

/** What hangs may have happened. */
const hung = Effect.fail<StoreFault>("unknown_outcome")

/** What became of a write whose COMMIT was lost: its charge says whether it is there. */
const settled = (
  sql: SqlClient.SqlClient,
  write: PreparedWrite
): Effect.Effect<Came, TransactionsUnavailable> => {
  const { charge } = write
  const { endpointId, organizationId } = write.amendment.place
  const found = Effect.gen(function* () {
    yield* commitLost(sql, { claim: undefined, charge }, "unknown_outcome", true)
    const [row] = yield* sql.unsafe<ShownRow>(lookupSql, [endpointId, organizationId])
    const available = yield* leftTo(sql, charge)
    return row && { endpoint: shownEndpoint(row), available }
  })
  return Effect.catchTag(found, "SqlError", () => Effect.fail(transactionFailed("unknown_outcome")))
}

/** What the statement answered, by request id: of the writes that it left out nothing. */
const amendedOf = (
  batch: ReadonlyArray<PreparedWrite>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>
): ReadonlyMap<string, PlainWriteResult> => {
  const [requestAt, availableAt] = [shownColumns.length, shownColumns.length + 1]
  const byRequest = new Map(rows.map((row) => [row[requestAt], row]))
  const left = new Map<string, number>()
  const came = new Map<string, PlainWriteResult>()
  for (const { charge } of batch) {
    const row = byRequest.get(charge.requestId)
    if (row === undefined) continue
    const { cost, organizationId, requestId } = charge
    const available = (left.get(organizationId) ?? Number(row[availableAt])) - cost
    left.set(organizationId, available)
    const shown = Object.fromEntries(shownColumns.map((name, nth) => [name, row[nth]])) as unknown as ShownRow
    came.set(requestId, { endpoint: shownEndpoint(shown), available })
  }
  return came
}
