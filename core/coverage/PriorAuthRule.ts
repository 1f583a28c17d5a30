import type { IsoDate } from "./date.ts"

/** A program's list: `listAsOf` is the day on which it was last checked against its source (rule 11). */
export interface PriorAuthList {
  readonly program: string
  readonly listAsOf: IsoDate
  readonly sourceUrl: string | null
}

/** One code of a list, from a first to a last day (null: it stands). Days are closed intervals. */
export interface PriorAuthRow {
  /** Canonical procedure code. */
  readonly code: string
  readonly effectiveDate: IsoDate
  readonly endDate: IsoDate | null
  readonly states: ReadonlyArray<string> | "all"
  readonly sites: ReadonlyArray<string> | "all"
  /** When none is needed after all, in words for people; a program judges it, the kernel does not. */
  readonly exemption: string | null
  /** The code is listed only beside one of these procedure codes; absent: whatever it is billed with. */
  readonly withCodes?: ReadonlyArray<string>
  readonly sourceUrl: string
}

/** A whole list as it was imported, its rows in the order of the file. */
export interface PriorAuthContents extends PriorAuthList {
  readonly rows: ReadonlyArray<PriorAuthRow>
}

/** The program of a rule that is a payer's own; no imported list may be named so. */
export const payerProgram = "payer"

/**
 * A rule that asks for prior authorization (coverage-domain §2): of a program's list, or a payer's own. Days
 * are closed intervals.
 */
export interface PriorAuthRule {
  readonly ruleId: string
  readonly payerCode: string
  /** The list's program, such as `DMEPOS`, or `payerProgram`. */
  readonly program: string
  /** What the list calls the group of codes, for people. */
  readonly category: string
  /** Canonical procedure codes. */
  readonly codes: ReadonlyArray<string>
  readonly states: ReadonlyArray<string> | "all"
  readonly sites: ReadonlyArray<string> | "all"
  readonly effectiveDate: IsoDate
  readonly endDate: IsoDate | null
  /** Days on which the rule does not ask, although it stands. */
  readonly suspended: ReadonlyArray<{ readonly from: IsoDate; readonly until: IsoDate | null }>
  /** What to send with the request, in the source's words. */
  readonly documentation: ReadonlyArray<string>
  /** When none is needed after all, in words for people. */
  readonly exemption?: string | null
  /** The rule asks only if one of these procedure codes is billed too; absent: always. */
  readonly withCodes?: ReadonlyArray<string>
  readonly sourceUrl: string | null
}
