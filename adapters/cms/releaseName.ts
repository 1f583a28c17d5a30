import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"

/** The release that a file's name states, such as `icd10cm-order-April-1-2026.txt`. */
export type ReleaseName =
  /** `monthFollowsYear` is true for `2025_Oct`, whose year may be the fiscal one. */
  | { readonly _tag: "Day"; readonly day: IsoDate; readonly monthFollowsYear: boolean }
  | { readonly _tag: "Year"; readonly year: number }
  | { readonly _tag: "Unnamed" }
  /** `reason` continues "the file's name". */
  | { readonly _tag: "Ambiguous"; readonly reason: string }

/**
 * Reads the day or the year from a file's name. A month without a day is its first day. A name that states
 * two dates, an impossible date, or a month without its year is ambiguous.
 */
export const releaseName = (fileName: string): ReleaseName => {
  let rest = fileName
  const days = new Set<string>()
  let monthFollowsYear = false
  for (const [index, pattern] of dateForms.entries()) {
    for (const { groups = {} } of rest.matchAll(pattern)) {
      days.add(digitsOf(groups))
      monthFollowsYear ||= index === dateForms.length - 1
    }
    rest = rest.replace(pattern, " ")
  }
  const years = new Set([...rest.matchAll(yearAlone)].map(([, year]) => Number(year)))
  return stated({ days: [...days], years: [...years], hasMonth: monthAlone.test(rest), monthFollowsYear })
}

const stated = (found: {
  readonly days: ReadonlyArray<string>
  readonly years: ReadonlyArray<number>
  readonly hasMonth: boolean
  readonly monthFollowsYear: boolean
}): ReleaseName => {
  const { days, hasMonth, monthFollowsYear, years } = found
  const [day] = days
  const [year] = years
  if (days.length > 1 || years.length > 1) return { _tag: "Ambiguous", reason: "states more than one date" }
  if (day !== undefined && !isIsoDate(day)) return { _tag: "Ambiguous", reason: "states no real date" }
  if (hasMonth) return { _tag: "Ambiguous", reason: "states a month without its year" }
  if (day === undefined) return year === undefined ? { _tag: "Unnamed" } : { _tag: "Year", year }
  return year === undefined || isYearOf(year, day)
    ? { _tag: "Day", day, monthFollowsYear }
    : { _tag: "Ambiguous", reason: "states more than one date" }
}

/** A fiscal year beside the day of its release begins in the October before. */
const isYearOf = (year: number, day: IsoDate): boolean =>
  year === Number(day.slice(0, 4)) || (day.slice(5) >= "10-01" && year === Number(day.slice(0, 4)) + 1)

interface DateParts {
  readonly year?: string
  readonly month?: string
  readonly day?: string
}

const digitsOf = ({ day, month = "", year }: DateParts): string => {
  const number = monthNumbers[month.slice(0, 3).toLowerCase()] ?? month
  return `${year}-${number}-${(day ?? "1").padStart(2, "0")}`
}

const monthNames = [
  ...["jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?"],
  ...["sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"]
].join("|")
const named = `(?<![a-z])(?<month>${monthNames})(?![a-z])`
const gap = "[-_ .,]*"
const dayOfMonth = "(?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)"

/** How CMS writes a date in a name, the longest form first; in the last one the month follows the year. */
const dateForms: ReadonlyArray<RegExp> = [
  "(?<!\\d)(?<year>20\\d{2})[-_.]?(?<month>0[1-9]|1[0-2])[-_.]?(?<day>0[1-9]|[12]\\d|3[01])(?!\\d)",
  "(?<!\\d)(?<month>0[1-9]|1[0-2])[-_.]?(?<day>0[1-9]|[12]\\d|3[01])[-_.]?(?<year>20\\d{2})(?!\\d)",
  `${named}${gap}${dayOfMonth}${gap}(?<year>20\\d{2})(?!\\d)`,
  `${named}${gap}(?<year>20\\d{2})(?!\\d)`,
  `(?<!\\d)(?<year>20\\d{2})${gap}${named}(?:${gap}${dayOfMonth})?`
].map((pattern) => new RegExp(pattern, "gi"))

const yearAlone = /(?<!\d)(20\d{2})(?!\d)/g
const monthAlone = new RegExp(named, "i")

const monthNumbers: Readonly<Record<string, string>> = {
  jan: "01",
  feb: "02",
  mar: "03",
  apr: "04",
  may: "05",
  jun: "06",
  jul: "07",
  aug: "08",
  sep: "09",
  oct: "10",
  nov: "11",
  dec: "12"
}
