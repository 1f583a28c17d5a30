import type { CodeRecord } from "./Code.ts"
import { dayBefore } from "./date.ts"
import type { IsoDate } from "./date.ts"

/**
 * Which edition of a code answers for a date, of those that were kept, oldest first: the last to begin by
 * that day (a code that ended is still found, by the edition that says so), else the first to come. Of
 * several that begin on one day the newest wins, since it corrects the others.
 */
export const editionOn = (editions: ReadonlyArray<CodeRecord>, date: IsoDate): CodeRecord | undefined =>
  editions.reduce<CodeRecord | undefined>((best, edition) => {
    if (best === undefined) return edition
    const [kept, next] = [firstDay(best), firstDay(edition)]
    if (next <= date) return kept > date || next >= kept ? edition : best
    return kept > date && next <= kept ? edition : best
  }, undefined)

/**
 * The day from which an edition counts; a code without one counts from the beginning of time, which sorts
 * first.
 */
export const firstDay = (edition: CodeRecord): string => edition.effectiveDate ?? ""

/**
 * An edition as text, its members in one order: equal texts, equal editions. A store compares these to write
 * nothing when a snapshot repeats what is known.
 */
export const editionText = (edition: CodeRecord): string => {
  const { billable, betosCode, category, code, codeSystem, coverageCode, description, effectiveDate } =
    edition
  const { poaExempt, shortDescription, terminationDate } = edition
  return JSON.stringify({
    codeSystem,
    code,
    description,
    shortDescription,
    category,
    betosCode,
    poaExempt,
    billable,
    coverageCode,
    effectiveDate,
    terminationDate
  })
}

/**
 * The edition that ends a code which a snapshot of that day lists no more: its last day is the one before.
 * Undefined when it has ended by then already.
 */
export const endedBefore = (edition: CodeRecord, day: IsoDate): CodeRecord | undefined => {
  const last = dayBefore(day)
  if (last === undefined) return undefined
  if (edition.terminationDate !== null && edition.terminationDate <= last) return undefined
  return { ...edition, terminationDate: last }
}

/**
 * A record without a date, as ICD-10-CM's files have them, of a code set that was imported before
 * (`knownAsOf`: the newest edition of it): what the new file says of a code counts from the day of that file,
 * and what an older file says changes nothing that is known. Undefined: there is nothing new in it.
 */
export const datedEdition = (
  record: CodeRecord,
  known: { readonly previous: CodeRecord | undefined; readonly knownAsOf: IsoDate; readonly day: IsoDate }
): CodeRecord | undefined => {
  if (record.effectiveDate !== null) return record
  const { previous, knownAsOf, day } = known
  if (day < knownAsOf) return previous === undefined ? record : undefined
  if (previous === undefined) return { ...record, effectiveDate: day }
  const repeated = { ...record, effectiveDate: previous.effectiveDate }
  return editionText(repeated) === editionText(previous) ? undefined : { ...record, effectiveDate: day }
}
