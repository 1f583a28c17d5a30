import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { KeyHolder, KeyId } from "../../core/key/state.ts"
import { keyState } from "../../core/key/state.ts"

/** Uses are written this often; with `writtenAgainSeconds`, what is read is never a minute behind. */
export const flushEvery = "20 seconds"

/** A row that a process wrote less than this before is left as it is: one write serves all processes. */
export const writtenAgainSeconds = 20

/** One statement's worth: some milliseconds of row locks that only an operator's change of a key meets. */
export const flushMax = 2_000

/** Keys used between two flushes that are remembered; the uses of any others are not recorded. */
export const usesMax = 200_000

/** A server that does not answer holds up neither the next flush nor the shutdown for longer. */
const flushTimeout = "5 seconds"

/** The last call with a key. */
export interface KeyUse {
  readonly keyId: KeyId
  /** By the steady clock of the process. */
  lastMs: number
  /** When the key expires, by the same clock: a call from then on is no use of it. */
  untilMs: number
  /** Whether it waits to be written. */
  isDue: boolean
}

/** Remembers when keys were used, at next to no cost to the call, and writes it in bulk. */
export interface LastUsed {
  /** Undefined: the key opens nothing as of now, so that a call with it is no use of it (§3.2). */
  readonly of: (holder: KeyHolder, wallMs: number) => KeyUse | undefined
  readonly note: (use: KeyUse, nowMs: number) => void
  /** Writes what is due, and never fails: what cannot be written stays due. */
  readonly flush: Effect.Effect<void>
}

/** Flushes every 20 s, and once more when the scope closes. */
export const makeLastUsed = Effect.fnUntraced(function* (sql: SqlClient) {
  let due = new Map<KeyId, KeyUse>()
  const note = (use: KeyUse, nowMs: number): void => {
    if (nowMs >= use.untilMs) return
    use.lastMs = nowMs
    if (use.isDue || due.size >= usesMax) return
    use.isDue = true
    due.set(use.keyId, use)
  }
  const flush = Effect.suspend(() => {
    const uses = [...due.values()]
    due = new Map()
    for (const use of uses) use.isDue = false
    const writing = Effect.forEach(chunksOf(uses), (chunk) => write(sql, chunk), { discard: true })
    const again = Effect.sync(() => uses.forEach((use) => note(use, use.lastMs)))
    // What was written by then is passed over the next time: its rows are not old enough.
    return Effect.timeout(writing, flushTimeout).pipe(
      Effect.onExit((exit) => (exit._tag === "Failure" ? again : Effect.void)),
      Effect.ignoreCause
    )
  })
  // Added first and so run last: the loop has then given back what it could not finish.
  yield* Effect.addFinalizer(() => flush)
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(flush, Schedule.spaced(flushEvery)), flushEvery))
  return {
    of: (holder, wallMs) =>
      keyState(holder, isoTimeOf(wallMs)) === "valid" ? useOf(due, holder, wallMs) : undefined,
    note,
    flush
  } satisfies LastUsed
})

/** What waits to be written goes on; a key that was rotated meanwhile expires now. */
const useOf = (
  due: ReadonlyMap<KeyId, KeyUse>,
  { key: { keyId, expiresAt } }: KeyHolder,
  wallMs: number
): KeyUse => {
  const use = due.get(keyId) ?? { keyId, lastMs: 0, untilMs: 0, isDue: false }
  const leftMs = expiresAt === null ? Infinity : DateTime.makeUnsafe(expiresAt).epochMilliseconds - wallMs
  use.untilMs = performance.now() + leftMs
  return use
}

const isoTimeOf = (ms: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(ms)) as IsoTime

const chunksOf = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / flushMax) }, (_, index) =>
    all.slice(index * flushMax, (index + 1) * flushMax)
  )

/**
 * Rows are locked in the order of their ids, so that processes that write the same keys wait for each other
 * and never in a circle. Nobody is notified: no call depends on it.
 */
const write = Effect.fnUntraced(function* (sql: SqlClient, uses: ReadonlyArray<KeyUse>) {
  const aheadMs = (yield* Clock.currentTimeMillis) - performance.now()
  const times = uses.map(({ lastMs }) => isoTimeOf(Math.floor(lastMs + aheadMs)))
  yield* sql`with used as (
      select key_id, at::timestamptz as at
      from unnest(${uses.map(({ keyId }) => keyId)}::text[], ${times}::text[]) as used(key_id, at)
    ), stale as (
      select key_id, used.at from api_key join used using (key_id)
      where (last_used_at is null or last_used_at <= used.at - make_interval(secs => ${writtenAgainSeconds}))
        and (expires_at is null or expires_at > used.at)
      order by key_id for no key update of api_key
    )
    update api_key set last_used_at = stale.at from stale where api_key.key_id = stale.key_id`
})
