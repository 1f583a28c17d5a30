import type { IsoDate } from "../coverage/date.ts"
import { dayAfter } from "../coverage/date.ts"
import type { UsageLine } from "./usage.ts"

/** What lines come to together. */
export type UsageTotals = Pick<UsageLine, "calls" | "credits" | "errors">

/** One bar or row of a report. */
export interface UsageGroup extends UsageTotals {
  readonly name: string
}

/** Ranges the page offers, in days, today included. */
export const usageRanges = [7, 30, 90] as const
export type UsageRange = (typeof usageRanges)[number]

export const totalOf = (lines: ReadonlyArray<UsageLine>): UsageTotals => lines.reduce(plus, none)

/** Every day of the range in order, those without a call too; the range holds at most a few hundred days. */
export const byDay = (
  lines: ReadonlyArray<UsageLine>,
  range: { readonly from: IsoDate; readonly to: IsoDate }
): ReadonlyArray<UsageGroup> => {
  const found = grouped(lines, ({ day }) => day)
  return daysOf(range).map((day) => ({ name: day, ...(found.get(day) ?? none) }))
}

/** By whatever the lines are told apart by; the most calls first. Undefined: the line belongs to none. */
export const byName = (
  lines: ReadonlyArray<UsageLine>,
  nameOf: (line: UsageLine) => string | undefined
): ReadonlyArray<UsageGroup> =>
  [...grouped(lines, nameOf)]
    .map(([name, totals]) => ({ name, ...totals }))
    .toSorted((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1))

/** The days from the first to the last, both included. */
export const daysOf = ({
  from,
  to
}: {
  readonly from: IsoDate
  readonly to: IsoDate
}): ReadonlyArray<IsoDate> => {
  const days: Array<IsoDate> = []
  for (let day: IsoDate | undefined = from; day !== undefined && day <= to; day = dayAfter(day)) {
    if (days.length >= daysMax) break
    days.push(day)
  }
  return days
}

/** More than any range that is offered. */
const daysMax = 400

const none: UsageTotals = { calls: 0, credits: 0, errors: 0 }

const plus = (sum: UsageTotals, line: UsageTotals): UsageTotals => ({
  calls: sum.calls + line.calls,
  credits: sum.credits + line.credits,
  errors: sum.errors + line.errors
})

const grouped = (
  lines: ReadonlyArray<UsageLine>,
  nameOf: (line: UsageLine) => string | undefined
): ReadonlyMap<string, UsageTotals> => {
  const groups = new Map<string, UsageTotals>()
  for (const line of lines) {
    const name = nameOf(line)
    if (name !== undefined) groups.set(name, plus(groups.get(name) ?? none, line))
  }
  return groups
}
