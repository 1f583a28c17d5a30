/** Idempotency records. The key itself is nowhere: `record_id` is the SHA-256 of whose key it is. */
export const statements: ReadonlyArray<string> = [
  // Every write changes its row twice after it began, so room is left for the versions beside it: as no index
  // holds what then changes, only `begun_at` having one beside the key, none is touched.
  `create table idempotency (
    record_id text collate "C" primary key,
    state text not null check (state in ('absent', 'running', 'done')),
    fence bigint not null check (fence > 0),
    fingerprint text collate "C" not null,
    begun_at timestamptz not null,
    until timestamptz not null,
    answer bytea,
    check ((state = 'done') = (answer is not null))
  ) with (fillfactor = 70)`,
  "create index idempotency_begun on idempotency (begun_at)"
]
