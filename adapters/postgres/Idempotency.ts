import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { forgottenMs, leaseMs } from "../../core/idempotency/record.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import { forgottenMax, Idempotency, IdempotencyUnavailable } from "../../core/port/Idempotency.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { beginRecord } from "./beginRecord.ts"
import { PipelinedClient, unavailable, unconfirmed } from "./Database.ts"
import type { RecordClock } from "./recordClock.ts"
import { recordClock } from "./recordClock.ts"

/**
 * Idempotency records in PostgreSQL. Time is the server's own, so that processes whose clocks differ agree
 * whose turn it is; the laws, which move the test clock, pass `caller`.
 */
export const layer = (options: { readonly clock: RecordClock }) =>
  Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const multiplexed = yield* PipelinedClient
      const nowMs = options.clock === "caller" ? Clock.currentTimeMillis : Effect.succeed(null)
      const settle =
        (statement: string) =>
        ({ recordId, fence }: Claim) =>
          Effect.flatMap(nowMs, (givenMs) => sql.unsafe(statement, [givenMs, recordId, fence])).pipe(
            Effect.map((rows) => (rows.length > 0 ? ("settled" as const) : ("stale" as const))),
            unconfirmed(failed)
          )
      return Idempotency.of({
        begin: (request) =>
          unconfirmed(failed)(Effect.flatMap(nowMs, (givenMs) => beginRecord(multiplexed, givenMs, request))),
        renew: settle(renewSql),
        release: settle(releaseSql),
        forget: unavailable(failed)(
          Effect.map(
            Effect.flatMap(nowMs, (givenMs) => sql.unsafe(forgetSql, [givenMs])),
            (rows) => rows.length
          )
        )
      })
    })
  )

const failed = (fault: StoreFault): IdempotencyUnavailable => new IdempotencyUnavailable({ fault })

const renewSql = `${recordClock}
  update idempotency set until = clock.now + interval '${leaseMs} milliseconds'
  from clock where record_id = $2 and fence = $3 and state = 'running' returning 1`

const releaseSql = `${recordClock}
  update idempotency set state = 'absent', until = clock.now
  from clock where record_id = $2 and fence = $3 and state = 'running' returning 1`

const forgetSql = `${recordClock}
  delete from idempotency where record_id in (
    select record_id from idempotency, clock
    where begun_at <= clock.now - interval '${forgottenMs} milliseconds'
    order by begun_at limit ${forgottenMax} for update of idempotency skip locked
  ) returning 1`
