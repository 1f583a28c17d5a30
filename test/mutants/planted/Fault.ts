/** A mistake in the text of a source: what stands there once, and what would stand there instead. */
export interface Fault {
  readonly says: string
  /** From the root of the project. */
  readonly file: string
  readonly sound: string
  readonly faulty: string
}

/** Mistakes, and the suites that are to notice each. */
export interface Group {
  readonly faults: ReadonlyArray<Fault>
  readonly tests: ReadonlyArray<string>
}

/** Mistakes in one file: what each does wrong, the sound text, and the faulty one. */
export const inFile = (
  file: string,
  rows: ReadonlyArray<readonly [says: string, sound: string, faulty: string]>
): ReadonlyArray<Fault> => rows.map(([says, sound, faulty]) => ({ says, file, sound, faulty }))
