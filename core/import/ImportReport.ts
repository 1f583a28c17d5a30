import type * as Effect from "effect/Effect"

/** What an import came to (contract §4, `import`). */
export interface ImportReport {
  /** The snapshot's id, the hash of its bytes. */
  readonly snapshot: string
  /** Policies that the source holds. */
  readonly policies: number
  /** Versions that were recorded. */
  readonly versions: number
  /** Those the policies list, those of the code set, or the edits between codes, that were written. */
  readonly codes: number
  /** Changes that the history gained. */
  readonly changes: number
  /** True when the snapshot had been imported before and nothing was done. */
  readonly unchanged: boolean
  readonly seconds: number
  /** Rows that could not be read; absent where a single such row refuses the file. */
  readonly skippedRows?: number
  /** What the source leaves out, in sentences for the operator. */
  readonly gaps: ReadonlyArray<string>
}

/** How far an import is; `total` is 0 until it is known. */
export interface ImportProgress {
  readonly stage: "reading" | "policies" | "codes" | "edits" | "decisions"
  readonly done: number
  readonly total: number
}

/** Told of every step; it must be quick, for the import waits for it. */
export type OnProgress = (progress: ImportProgress) => Effect.Effect<void>
