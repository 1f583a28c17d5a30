import type * as Effect from "effect/Effect"
import type { CodeRecord, CodeSystem } from "../coverage/Code.ts"
import type { Edition } from "../coverage/CodeTable.ts"
import type { FeeScheduleRow } from "../coverage/FeeScheduleRow.ts"
import type { Snapshot, SnapshotKind } from "../port/Snapshots.ts"

/** One edition of a code set, checked from its first line to its last before anything of it is kept. */
export interface CodeContents {
  readonly snapshot: Snapshot
  /** The days that it speaks of; absent: the year of the snapshot's day. */
  readonly edition?: Edition
  /** The system whose codes this edition lists completely: what it leaves out has ended. Null: none. */
  readonly codeSystem: CodeSystem | null
  readonly codes: ReadonlyArray<CodeRecord>
  /** The values of a fee schedule; absent: the file is none. */
  readonly fees?: ReadonlyArray<FeeScheduleRow>
  /** What was left out, in sentences for the operator. */
  readonly gaps: ReadonlyArray<string>
}

/** A file of codes whose bytes are known; its id may name a snapshot that is complete. */
export interface CodeSource<E> {
  readonly snapshotId: string
  readonly kind: SnapshotKind
  readonly read: Effect.Effect<CodeContents, E>
}
