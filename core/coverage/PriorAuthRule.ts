import type { IsoDate } from "./date.ts"

export const priorAuthPrograms = ["OPD", "DMEPOS", "payer"] as const
export type PriorAuthProgram = (typeof priorAuthPrograms)[number]

/** A program's list: `listAsOf` is the day on which it was last checked against its source (rule 11). */
export interface PriorAuthList {
  readonly program: string
  readonly listAsOf: IsoDate
  readonly sourceUrl: string | null
}

/**
 * A rule that asks for prior authorization (coverage-domain §2): the federal outpatient department and DMEPOS
 * lists, or a payer's own. Days are closed intervals.
 */
export interface PriorAuthRule {
  readonly ruleId: string
  readonly payerCode: string
  readonly program: PriorAuthProgram
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
  readonly sourceUrl: string | null
}
