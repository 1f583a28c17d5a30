import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"

/** A calendar day in UTC, `YYYY-MM-DD`; days compare as text, and every interval of days is closed. */
export type IsoDate = string & Brand.Brand<"IsoDate">

/** A point in time in UTC, `YYYY-MM-DDTHH:MM:SS.mmmZ` (contract §1, Types). */
export type IsoTime = string & Brand.Brand<"IsoTime">

const isoDatePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysIn = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && leap ? 29 : (daysPerMonth[month - 1] ?? 0)
}

/** Whether the text is a real day of the calendar, `YYYY-MM-DD`. */
export const isIsoDate = (text: string): text is IsoDate => {
  const match = isoDatePattern.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** The first ten characters of a UTC time are its day. */
export const dayOf = (time: IsoTime): IsoDate => time.slice(0, 10) as IsoDate

/** The day before, or undefined before the year 0000; closed intervals of days meet without a gap by it. */
export const dayBefore = (date: IsoDate): IsoDate | undefined => {
  const [year, month, day] = partsOf(date)
  if (day > 1) return isoDate({ year, month, day: day - 1 })
  if (month > 1) return isoDate({ year, month: month - 1, day: daysIn(year, month - 1) })
  return year > 0 ? isoDate({ year: year - 1, month: 12, day: 31 }) : undefined
}

/** The day after, or undefined after the year 9999. */
export const dayAfter = (date: IsoDate): IsoDate | undefined => {
  const [year, month, day] = partsOf(date)
  if (day < daysIn(year, month)) return isoDate({ year, month, day: day + 1 })
  if (month < 12) return isoDate({ year, month: month + 1, day: 1 })
  return year < 9999 ? isoDate({ year: year + 1, month: 1, day: 1 }) : undefined
}

const partsOf = (date: IsoDate): readonly [number, number, number] => [
  Number(date.slice(0, 4)),
  Number(date.slice(5, 7)),
  Number(date.slice(8, 10))
]

const isoDate = (day: { readonly year: number; readonly month: number; readonly day: number }): IsoDate => {
  const digits = (value: number, width: number): string => String(value).padStart(width, "0")
  return `${digits(day.year, 4)}-${digits(day.month, 2)}-${digits(day.day, 2)}` as IsoDate
}

/** An instant in Unix ms as text. */
export const isoTimeOf = (nowMs: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(nowMs)) as IsoTime
