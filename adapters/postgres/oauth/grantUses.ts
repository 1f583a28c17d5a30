import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import { time } from "./rows.ts"

/** Uses are written this often, so that what is read is never a minute behind. */
export const flushGrantUsesEvery = "20 seconds"

/** A row that was written less than this before is left as it is: one write serves all processes. */
const writtenAgainMs = 20_000

/** Grants used between two flushes that are remembered; the uses of any others are not recorded. */
const usesMax = 10_000

/** A server that does not answer holds up the shutdown no longer. */
const flushTimeout = "5 seconds"

/**
 * Remembers when grants were last used, at next to no cost to the call, and writes it in bulk: every 20 s,
 * and once more when the scope closes. What cannot be written is not: the next use is.
 */
export const makeGrantUses = Effect.fnUntraced(function* (sql: SqlClient) {
  let uses = new Map<string, number>()
  const flush = Effect.suspend(() => {
    const due = uses
    uses = new Map()
    return due.size === 0 ? Effect.void : write(sql, due)
  }).pipe(Effect.timeout(flushTimeout), Effect.ignoreCause)
  yield* Effect.addFinalizer(() => flush)
  yield* Effect.forkScoped(
    Effect.delay(Effect.repeat(flush, Schedule.spaced(flushGrantUsesEvery)), flushGrantUsesEvery)
  )
  return (grantId: string, nowMs: number): void => {
    if (uses.has(grantId) || uses.size < usesMax) uses.set(grantId, nowMs)
  }
})

/** Rows are locked in the order of their ids, so that processes wait for each other and never in a circle. */
const write = (sql: SqlClient, uses: ReadonlyMap<string, number>) =>
  Effect.asVoid(sql`with used as (
      select grant_id, at::timestamptz as at
      from unnest(${[...uses.keys()]}::text[], ${[...uses.values()].map(time)}::text[]) as used(grant_id, at)
    ), stale as (
      select grant_id, used.at from oauth_grant join used using (grant_id)
      where last_used_at is null or last_used_at <= used.at - make_interval(secs => ${writtenAgainMs / 1_000})
      order by grant_id for no key update of oauth_grant
    )
    update oauth_grant set last_used_at = stale.at from stale where oauth_grant.grant_id = stale.grant_id`)
