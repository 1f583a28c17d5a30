import type { CodeSystem } from "./Code.ts"
import type { IsoDate } from "./date.ts"

/**
 * The days for which imported files of one code system can judge a code (coverage-domain §2.1, rule 1). A
 * date outside every edition is a gap, never an issue.
 */
export interface CodeTableEdition {
  readonly codeSystem: CodeSystem
  /** What people call it: `2016`, `FY2021`. */
  readonly name: string
  readonly from: IsoDate
  /** The last day; null: no end is known. */
  readonly until: IsoDate | null
}
