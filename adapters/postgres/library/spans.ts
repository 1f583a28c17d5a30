import type { IsoDate } from "../../../core/coverage/date.ts"
import { dayAfter, dayBefore } from "../../../core/coverage/date.ts"
import type { PolicyStatus } from "../../../core/coverage/Policy.ts"
import type { DatedVersion } from "../../../core/coverage/reading.ts"
import { readingOn } from "../../../core/coverage/reading.ts"

/** A closed run of days on which a policy reads the same. */
export interface Span {
  readonly firstDay: string
  readonly lastDay: string
  readonly version: number
  readonly status: PolicyStatus
}

/**
 * Where a policy stands on every day there is, in runs without a gap. The rule stays the kernel's: it is
 * asked on each day on which its answer may change, which is where a version begins or ends. The statements
 * then only compare days.
 */
export const spansOf = (versions: ReadonlyArray<DatedVersion>): ReadonlyArray<Span> => {
  const edges = [...new Set([firstDay, ...versions.flatMap(edgesOf)])].toSorted()
  const spans: Array<Span> = []
  for (const [index, day] of edges.entries()) {
    const reading = readingOn(versions, day)
    if (reading === undefined) continue
    const next = edges[index + 1]
    const {
      status,
      version: { version }
    } = reading
    const last = spans.at(-1)
    const goesOn = last !== undefined && last.version === version && last.status === status
    const span = { firstDay: day, lastDay: (next && dayBefore(next)) ?? lastDay, version, status }
    if (goesOn) spans[spans.length - 1] = { ...span, firstDay: last.firstDay }
    else spans.push(span)
  }
  return spans
}

const firstDay = "0000-01-01" as IsoDate
const lastDay = "9999-12-31" as IsoDate

const edgesOf = (version: DatedVersion): ReadonlyArray<IsoDate> =>
  [version.effectiveDate, version.retireDate].flatMap((day) =>
    day === null ? [] : [day, dayAfter(day) ?? day]
  )
