import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import type { CodeDescription, CodeRecord, CodeSystem } from "../../core/coverage/Code.ts"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import type { NcdCode, NcdCodeOrigin } from "../../core/coverage/NcdCode.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { PriorAuthContents } from "../../core/coverage/PriorAuthRule.ts"
import type { PolicyChange } from "../../core/coverage/revise.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Snapshot } from "../../core/port/Snapshots.ts"

/** A change as it was kept; `diffId` counts from 1 over all policies. */
export interface KeptChange extends PolicyChange {
  readonly diffId: number
  readonly policyId: PolicyId
  readonly oldVersion: number | null
  readonly newVersion: number
  readonly changedAt: IsoTime
}

/**
 * What the memory adapters of policies, codes, payers and all else that is imported share. Every verb reads
 * and writes it within one synchronous step, which is all the isolation a single process needs.
 */
export class Library extends Context.Service<
  Library,
  {
    /** Every version that was kept, oldest first. */
    readonly policies: Map<PolicyId, Array<PolicyVersion>>
    readonly changes: Array<KeptChange>
    /** Every edition that was kept, oldest first, by code and then system. */
    readonly codes: Map<string, Map<CodeSystem, Array<CodeRecord>>>
    readonly jurisdictions: Map<string, Jurisdiction>
    readonly payers: Map<string, Payer>
    /** The NCCI edits as they were told last, by the kernel's keys of them. */
    readonly pairs: Map<string, PtpEdit>
    readonly units: Map<string, MueEdit>
    /** The list of each program, and the file it came from. */
    readonly priorAuthLists: Map<
      string,
      { readonly contents: PriorAuthContents; readonly snapshotId: string }
    >
    /** Rows by the kernel's key of them, those of each origin by themselves. */
    readonly ncdCodes: Readonly<Record<NcdCodeOrigin, Map<string, NcdCode>>>
    /** The rows of fee schedules, by snapshot and then by code and modifier. */
    readonly fees: Map<string, Map<string, FeeScheduleRow>>
    /** What documents call codes, by system and code. */
    readonly descriptions: Map<string, CodeDescription>
    /** The editions that were said of complete snapshots. */
    readonly editions: Map<string, Edition>
    /** Complete snapshots in the order in which they were completed. */
    readonly snapshots: Map<string, Snapshot>
    /** Grows with every write. */
    readonly generation: { count: number }
  }
>()("coverage/adapters/memory/Library") {}

/** An empty library. */
export const layer = Layer.sync(Library, () => ({
  policies: new Map(),
  changes: [],
  codes: new Map(),
  jurisdictions: new Map(),
  payers: new Map(),
  pairs: new Map(),
  units: new Map(),
  priorAuthLists: new Map(),
  ncdCodes: { shipped: new Map(), imported: new Map() },
  fees: new Map(),
  descriptions: new Map(),
  editions: new Map(),
  snapshots: new Map(),
  generation: { count: 0 }
}))
