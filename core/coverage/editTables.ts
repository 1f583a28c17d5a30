import type { IsoDate } from "./date.ts"

/** Whose services an NCCI table judges: CMS publishes one of each kind for each. */
export const editTables = ["practitioner", "outpatient_hospital", "dme_supplier"] as const
export type EditTable = (typeof editTables)[number]

/**
 * An NCCI procedure-to-procedure edit: column 2 is not paid beside column 1 (coverage-domain §1.3). Modifier
 * indicator 0: never; 1: with an NCCI modifier on the line; 9: the edit does not count.
 */
export interface PtpEdit {
  readonly column1: string
  readonly column2: string
  readonly service: EditTable
  readonly effectiveDate: IsoDate
  /** The last day on which it counts; null: it stands. */
  readonly deletionDate: IsoDate | null
  readonly modifierIndicator: 0 | 1 | 9
  readonly rationale: string | null
}

/** A medically unlikely edit: the most units of a code in a line (MAI 1) or a day (2, 3). Advice here. */
export interface MueEdit {
  readonly code: string
  readonly service: EditTable
  readonly units: number
  readonly adjudication: 1 | 2 | 3
  readonly rationale: string | null
  /** The first day of the table's quarter. */
  readonly effectiveDate: IsoDate
}
