import { PgClient } from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as credit from "../../core/organization/credit.ts"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { Ledger, LedgerUnavailable } from "../../core/port/Ledger.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { makeBatcher } from "../fast/batcher.ts"
import { moveAccount } from "./accounts.ts"
import { atomically, unavailable } from "./Database.ts"
import { StoreHealth } from "./StoreHealth.ts"
import { makeSession } from "./session.ts"
import { flushCharges } from "./flushCharges.ts"
import { ownConnection } from "./ownConnection.ts"
import { fastPlanSettings } from "./chargeFast.ts"
import { readAccount, readStatement } from "./statement.ts"

/** A batch pays for one COMMIT; beyond a thousand rows the share of it is noise and only the wait grows. */
export const chargesPerBatchMax = 1_000

/** The ledger in PostgreSQL: charges are committed in groups, refunds and grants one by one. */
export const layer = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Made before the group commit, and so closed after its last group.
    const session = yield* makeSession(sql)
    const connection = yield* ownConnection(yield* PgClient, fastPlanSettings)
    const health = yield* StoreHealth
    const context = Context.add(yield* Effect.context<never>(), SqlClient.SqlClient, sql)
    const { submit: charge } = yield* makeBatcher<Charge, ChargeDecision, LedgerUnavailable>({
      store: "charges",
      batchMax: chargesPerBatchMax,
      flush: (charges, answer) =>
        flushCharges(
          { sql, connection, health, context },
          { charges, listing: session.listOpen(charges) },
          (answers) => {
            session.charged(charges, answers)
            answer(answers)
          }
        ),
      // Nothing was sent: what a caller should do now is what it does without a connection.
      full: failed("unreachable")
    })
    return Ledger.of({
      charge,
      refund: ({ organizationId, requestId, atMs }) =>
        session.refunding(
          requestId,
          inTransaction(
            sql,
            Effect.map(
              moveAccount(sql, { organizationId, reference: requestId }, (account, earlier) =>
                credit.refund(account, { requestId, nowMs: atMs, earlier })
              ),
              (moved) => moved?.refunded ?? false
            )
          )
        ),
      ended: (call) => Effect.sync(() => session.ended(call)),
      sweep: Effect.flatMap(Clock.currentTimeMillis, (atMs) =>
        provided(sql, unavailable(failed)(session.sweep(atMs)))
      ),
      grant: ({ organizationId, amount, grantId, atMs }) =>
        inTransaction(
          sql,
          Effect.andThen(
            moveAccount(
              sql,
              { organizationId, reference: credit.grantReference(grantId) },
              (account, earlier) => credit.grant(account, { grantId, amount, nowMs: atMs, earlier })
            ),
            readStatement(sql, { organizationId, nowMs: atMs })
          )
        ),
      account: (asked) => unavailable(failed)(readAccount(sql, asked)),
      statement: (asked) => unavailable(failed)(readStatement(sql, asked))
    })
  })
)

const failed = (fault: StoreFault): LedgerUnavailable => new LedgerUnavailable({ fault })

const provided = <A, E>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provideService(effect, SqlClient.SqlClient, sql)

const inTransaction = <A, E>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E>) =>
  provided(sql, unavailable(failed)(atomically(effect)))
