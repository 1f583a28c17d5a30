import * as Schema from "effect/Schema"

/**
 * The source is older than one of its kind that was imported before; nothing of it was kept. Days,
 * `YYYY-MM-DD`.
 */
export class SnapshotOlder extends Schema.TaggedError<SnapshotOlder>()("SnapshotOlder", {
  sourceAsOf: Schema.String,
  knownAsOf: Schema.String
}) {}
