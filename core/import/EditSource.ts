import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { MueEdit, PtpEdit } from "../coverage/editTables.ts"
import type { Snapshot, SnapshotKind } from "../port/Snapshots.ts"

/** Some rows of the NCCI tables. */
export interface Edits {
  readonly pairs: ReadonlyArray<PtpEdit>
  readonly units: ReadonlyArray<MueEdit>
}

/**
 * A table of edits that was checked from its first line to its last. It is too large to hold, so its rows are
 * read a second time, in batches, while they are kept.
 */
export interface EditContents<E> {
  readonly snapshot: Snapshot
  /** How many edits the batches hold. */
  readonly count: number
  readonly batches: Stream.Stream<Edits, E>
  /** Rows that could not be read; absent: the reader refuses a table with such a row. */
  readonly skippedRows?: number
  /** What was left out, in sentences for the operator. */
  readonly gaps: ReadonlyArray<string>
}

/** A table of edits whose bytes are known; its id may name a snapshot that is complete. */
export interface EditSource<E> {
  readonly snapshotId: string
  readonly kind: SnapshotKind
  readonly read: Effect.Effect<EditContents<E>, E>
}
