/** Whose clock decides: PostgreSQL's, or the caller's own. */
export type RecordClock = "server" | "caller"

/**
 * Begins a statement about idempotency records: `clock.now` is $1 (Unix ms), or the server's own time where
 * it is null, in whole milliseconds as the kernel counts.
 *
 * Such a statement commits by itself and without waiting for the disk: what a crash of the server loses of
 * it, a lease that runs out replaces. The write that completes the record waits for the disk, and for all
 * that came before it.
 */
export const recordClock = `with clock as materialized (
    select coalesce(to_timestamp($1::float8 / 1000), date_trunc('milliseconds', clock_timestamp())) as now,
      set_config('synchronous_commit', 'off', true) as commits
  )`
