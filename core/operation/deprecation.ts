import * as DateTime from "effect/DateTime"
import type { IsoDate } from "../coverage/date.ts"

/** That an operation will go: since when it is deprecated, and after which day it may no longer answer. */
export interface Deprecation {
  readonly since: IsoDate
  readonly sunset: IsoDate
}

/** Between the two lie at least so many months (docs/promises.md). */
export const noticeMonthsMin = 12

/** Whether a deprecation gives the notice that v1 promises. */
export const givesNotice = ({ since, sunset }: Deprecation): boolean =>
  DateTime.isGreaterThanOrEqualTo(
    midnight(sunset),
    DateTime.add(midnight(since), { months: noticeMonthsMin })
  )

/** Where what a deprecation means is explained. */
export const promisesPath = "/docs/promises"

/** What every answer of a deprecated operation says: Deprecation (RFC 9745), Sunset (RFC 8594), and why. */
export const deprecationHeaders = (
  { since, sunset }: Deprecation,
  baseUrl: string
): Readonly<Record<string, string>> => ({
  deprecation: `@${DateTime.toEpochMillis(midnight(since)) / 1_000}`,
  sunset: DateTime.toDateUtc(midnight(sunset)).toUTCString(),
  link: `<${baseUrl}${promisesPath}>; rel="deprecation"; type="text/html"`
})

const midnight = (day: IsoDate): DateTime.Utc => DateTime.makeUnsafe(`${day}T00:00:00Z`)
