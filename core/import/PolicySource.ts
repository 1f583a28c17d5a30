import type * as Effect from "effect/Effect"
import type { CodeDescription } from "../coverage/Code.ts"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { Payer } from "../coverage/Payer.ts"
import type { PolicyDocument, PolicyId } from "../coverage/Policy.ts"
import type { Snapshot, SnapshotKind } from "../port/Snapshots.ts"

/**
 * One policy of a source: its documents from the oldest version to the newest, each made when it is asked
 * for.
 */
export interface SourcePolicy {
  readonly policyId: PolicyId
  readonly versions: ReadonlyArray<() => PolicyDocument>
}

/** Everything a source says, checked from its first row to its last before anything of it is kept. */
export interface PolicyContents {
  readonly snapshot: Snapshot
  readonly policies: ReadonlyArray<SourcePolicy>
  /** The payers that the source names; none in a source of Medicare's. */
  readonly payers?: ReadonlyArray<Payer>
  /** What the source's documents call the codes that they list, one text a code; absent: nothing. */
  readonly descriptions?: ReadonlyArray<CodeDescription>
  /** Empty when the source does not speak of jurisdictions; those that are known stay. */
  readonly jurisdictions: ReadonlyArray<Jurisdiction>
  /** What the source leaves out, in sentences for the operator. */
  readonly gaps: ReadonlyArray<string>
}

/**
 * A source whose bytes are known and whose rows may not be needed: its id may name a snapshot that is
 * complete.
 */
export interface PolicySource<E> {
  readonly snapshotId: string
  readonly kind: SnapshotKind
  readonly read: Effect.Effect<PolicyContents, E>
}
