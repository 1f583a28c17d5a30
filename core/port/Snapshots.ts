import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CodeDescription, CodeRecord, CodeSystem } from "../coverage/Code.ts"
import type { Edition } from "../coverage/CodeTable.ts"
import type { FeeScheduleRow } from "../coverage/FeeScheduleRow.ts"
import type { MueEdit, PtpEdit } from "../coverage/editTables.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { Payer } from "../coverage/Payer.ts"
import type { PolicyDocument } from "../coverage/Policy.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class SnapshotsUnavailable extends Schema.TaggedError<SnapshotsUnavailable>()("SnapshotsUnavailable", {
  fault: StoreFault
}) {}

export const snapshotKinds = ["mcd", "hcpcs", "icd10cm", "payer_policies", "ncci_ptp", "mue", "pfs"] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

/**
 * The kinds whose newest day answers show as `meta.data_as_of`. The NCCI tables and the fee schedule are not
 * among them: they are published ahead of their quarter, and no policy is newer for them.
 */
export const datingKinds: ReadonlySet<SnapshotKind> = new Set(["mcd", "hcpcs", "icd10cm", "payer_policies"])

/** A set of source files, named by the hash of their bytes: bytes read alike are the same snapshot. */
export interface Snapshot {
  /** SHA-256 (hex) over the names and bytes of the files. */
  readonly snapshotId: string
  readonly kind: SnapshotKind
  /** The day the source speaks of: the newest date in its rows. */
  readonly sourceAsOf: IsoDate
}

/** What keeping one document did. */
export type SaveResult =
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Recorded"; readonly version: number; readonly changed: boolean }

/** What a snapshot holds besides policies; each is saved in one transaction, in batches where it is long. */
export type SnapshotPart =
  | { readonly _tag: "Codes"; readonly codes: ReadonlyArray<CodeRecord> }
  /** Ends every code of the system that is not listed: terminated the day before `sourceAsOf`. */
  | { readonly _tag: "UnlistedCodes"; readonly codeSystem: CodeSystem; readonly listed: ReadonlySet<string> }
  | { readonly _tag: "Jurisdictions"; readonly jurisdictions: ReadonlyArray<Jurisdiction> }
  | { readonly _tag: "Payers"; readonly payers: ReadonlyArray<Payer> }
  | { readonly _tag: "Edits"; readonly pairs: ReadonlyArray<PtpEdit>; readonly units: ReadonlyArray<MueEdit> }
  | { readonly _tag: "Fees"; readonly fees: ReadonlyArray<FeeScheduleRow> }
  | { readonly _tag: "Descriptions"; readonly descriptions: ReadonlyArray<CodeDescription> }

/**
 * Imported source data; history is accumulated, never overwritten (§2.7).
 *
 * 1. `saveHistory` is one transaction, so that no cut leaves a version out: for each document it reads the
 *    newest version, lets the kernel's `revise` decide, and appends the version and its change, or nothing.
 *    The same document twice is Unchanged. Of a policy that is known already it keeps the newest document
 *    only.
 * 2. `save` is one transaction. Of codes, one equal to its newest edition is not written again.
 * 3. `complete` marks the snapshot as wholly imported, with the edition that a file of codes is of, where one
 *    was said; `isComplete` is true from then on.
 * 4. `current` is the newest complete snapshot of each kind, by kind: the `meta.data_as_of` of answers. One
 *    completed by another process shows within a second.
 * 5. Jurisdictions replace all that were kept before.
 * 6. Payers are added, and replace what was said of those they name; others stay.
 * 7. An edit equal to the newest that was kept of it is not written again,
 *    one that differs answers from then on. A pair edit is the same by service, columns and effective date, a
 *    unit edit by service, code and effective date. One that a later table leaves out stays.
 * 8. `generation` grows whenever something is kept that may change an answer, and no sooner than it can be
 *    read; what another process kept shows within a second. A write that changed nothing may leave it.
 * 9. `completed` is every complete snapshot, by kind and then by id.
 * 10. The rows of a fee schedule are added to its snapshot; one that was added before is not written
 *    again. Codes reads them once the snapshot is complete.
 * 11. Descriptions are what documents call a code, one text a code; the last said counts.
 */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    readonly isComplete: (snapshotId: string) => Effect.Effect<boolean, SnapshotsUnavailable>
    readonly saveHistory: (input: {
      readonly snapshot: Snapshot
      /** Of one policy, oldest first. */
      readonly documents: ReadonlyArray<PolicyDocument>
      readonly at: IsoTime
    }) => Effect.Effect<ReadonlyArray<SaveResult>, SnapshotsUnavailable>
    readonly save: (
      input: SnapshotPart & { readonly snapshot: Snapshot }
    ) => Effect.Effect<{ readonly written: number }, SnapshotsUnavailable>
    readonly complete: (input: {
      readonly snapshot: Snapshot
      /** Null: none was said, or the snapshot is no file of codes. */
      readonly edition?: Edition | null
      readonly at: IsoTime
    }) => Effect.Effect<void, SnapshotsUnavailable>
    readonly current: Effect.Effect<ReadonlyArray<Snapshot>, SnapshotsUnavailable>
    readonly completed: Effect.Effect<ReadonlyArray<Snapshot>, SnapshotsUnavailable>
    readonly generation: Effect.Effect<number, SnapshotsUnavailable>
  }
>()("coverage/core/port/Snapshots") {}
