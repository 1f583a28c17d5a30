import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Begun, IdempotencyRecord } from "../../core/idempotency/record.ts"
import { begin, leaseMs } from "../../core/idempotency/record.ts"
import { recordClock } from "./recordClock.ts"

/**
 * A race is lost to somebody whose row is then there to be read; to lose this many in a row takes an
 * adversary.
 */
const racesMax = 5

/**
 * Begins a turn in one statement: it looks without a lock, and writes only where what it saw may be taken, so
 * that a repeat never waits for the transaction of the turn it meets. What may not be taken the kernel
 * answers. The condition for taking is the kernel's table in SQL, and stands twice: before, to leave the row
 * alone, and under the row's lock.
 */
export const beginRecord = Effect.fnUntraced(function* (
  sql: SqlClient,
  givenMs: number | null,
  request: { readonly recordId: string; readonly fingerprint: string }
): Effect.fn.Return<Begun<Uint8Array>, Effect.Error<ReturnType<typeof look>>> {
  for (let race = 0; race < racesMax; race++) {
    const row = yield* look(sql, givenMs, request)
    if (row === undefined) continue
    if (row.taken !== null) return { _tag: "Execute", fence: Number(row.taken) }
    const [begun] = begin(recordOf(row), { fingerprint: request.fingerprint, nowMs: row.now.getTime() })
    if (begun._tag !== "Execute") return begun
  }
  return { _tag: "InProgress" }
})

const look = (
  sql: SqlClient,
  givenMs: number | null,
  { recordId, fingerprint }: { readonly recordId: string; readonly fingerprint: string }
) => Effect.map(sql.unsafe<SeenRow>(statement, [givenMs, recordId, fingerprint]), ([row]) => row)

interface SeenRow {
  readonly now: Date
  /** The fence of the turn that was taken. */
  readonly taken: bigint | null
  /** What was there before; null: nothing. */
  readonly state: "absent" | "running" | "done" | null
  readonly fence: bigint | null
  readonly fingerprint: string | null
  readonly until: Date | null
  readonly answer: Uint8Array | null
}

const takeable = (row: string): string =>
  `(${row}.state = 'absent'
      or ${row}.until <= (select now from clock) and (${row}.state = 'done' or ${row}.fingerprint = $3))`

const statement = `${recordClock}, seen as materialized (
    select * from idempotency where record_id = $2
  ), taken as (
    insert into idempotency as kept (record_id, state, fence, fingerprint, begun_at, until)
    select $2, 'running', 1, $3, now, now + interval '${leaseMs} milliseconds' from clock
    where not exists (select from seen where not ${takeable("seen")})
    on conflict (record_id) do update set state = 'running', fence = kept.fence + 1,
      fingerprint = excluded.fingerprint, begun_at = excluded.begun_at, until = excluded.until, answer = null
    where ${takeable("kept")}
    returning fence
  )
  select clock.now, taken.fence as taken, seen.state, seen.fence, seen.fingerprint, seen.until, seen.answer
  from clock left join taken on true left join seen on true`

const recordOf = (row: SeenRow): IdempotencyRecord<Uint8Array> => {
  const { state, until, answer } = row
  const [fence, fingerprint] = [Number(row.fence ?? 0n), row.fingerprint ?? ""]
  if (state === "running" && until !== null) {
    return { _tag: "Running", fence, fingerprint, leaseUntilMs: until.getTime() }
  }
  return state === "done" && until !== null && answer !== null
    ? { _tag: "Done", fence, fingerprint, answer, expiresAtMs: until.getTime() }
    : { _tag: "Absent", fence }
}
