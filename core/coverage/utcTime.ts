import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { IsoTime } from "./date.ts"

/**
 * A date-time of any offset, or a day's first moment, as the service writes times, so that it compares as
 * text; undefined where the text is neither. What an offset moves out of the years 1 to 9999 is held at their
 * ends: no store keeps other days.
 */
export const utcTime = (text: string): IsoTime | undefined =>
  Option.match(DateTime.make(text), {
    onNone: () => undefined,
    onSome: (time) => withinYears(DateTime.formatIso(time)) as IsoTime
  })

const first = "0001-01-01T00:00:00.000Z"
const last = "9999-12-31T23:59:59.999Z"

/** A year beyond four digits is written with its sign, which sorts before every digit. */
const withinYears = (iso: string): string => (iso.startsWith("+") ? last : iso < first ? first : iso)
