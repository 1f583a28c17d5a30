import type { MueEdit, PtpEdit } from "./editTables.ts"
import type { IsoDate } from "./date.ts"

/** What a claim asks of the NCCI tables. */
export interface EditsQuery {
  readonly codes: ReadonlyArray<string>
  /** The date of service. */
  readonly date: IsoDate
}

/**
 * The pair edits in force on the day whose both columns are among the codes (coverage-domain §1.3), by
 * service, column 1, column 2 and effective date. A store keeps one of each `pairKey`, the last it was told.
 */
export const pairsAmong = (pairs: Iterable<PtpEdit>, { codes, date }: EditsQuery): ReadonlyArray<PtpEdit> => {
  const asked = new Set(codes)
  return [...pairs]
    .filter((edit) => asked.has(edit.column1) && asked.has(edit.column2))
    .filter((edit) => edit.effectiveDate <= date && (edit.deletionDate === null || date <= edit.deletionDate))
    .toSorted((a, b) => inOrder(pairKey(a), pairKey(b)))
}

/**
 * The unit edits of the codes in the newest table of each service that begins by the day, by service and
 * code. A table replaces the one before it whole: a code that it lists no more has no edit.
 */
export const unitsAmong = (units: Iterable<MueEdit>, { codes, date }: EditsQuery): ReadonlyArray<MueEdit> => {
  const begun = [...units].filter((edit) => edit.effectiveDate <= date)
  const newest = new Map<string, IsoDate>()
  for (const { effectiveDate, service } of begun) {
    if (effectiveDate > (newest.get(service) ?? "")) newest.set(service, effectiveDate)
  }
  const asked = new Set(codes)
  return begun
    .filter((edit) => asked.has(edit.code) && edit.effectiveDate === newest.get(edit.service))
    .toSorted((a, b) => inOrder(unitKey(a), unitKey(b)))
}

/** Which pair edit it is; what else a row says of it may be corrected by a later table. */
export const pairKey = (edit: PtpEdit): ReadonlyArray<string> => [
  edit.service,
  edit.column1,
  edit.column2,
  edit.effectiveDate
]

/** Which unit edit it is. */
export const unitKey = (edit: MueEdit): ReadonlyArray<string> => [edit.service, edit.effectiveDate, edit.code]

const inOrder = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  const [one, other] = [a.join("\0"), b.join("\0")]
  return one < other ? -1 : one > other ? 1 : 0
}
