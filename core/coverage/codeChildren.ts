import type { CodeRecord } from "./Code.ts"
import type { IsoDate } from "./date.ts"

/** At most this many children of a header are listed. */
export const childrenMax = 50

/** Whether the record is an ICD-10-CM header, which groups codes and may not be submitted. */
export const isHeader = ({ billable, codeSystem }: CodeRecord): boolean =>
  codeSystem === "ICD10CM" && !billable

/**
 * Returns every code that may be a direct child of the header: one more character, after the placeholders `X`
 * that ICD-10-CM puts where a level has no meaning (`E08.37` has `E08.37X1`), or a digit and `A`, since
 * `H54.51` has `H54.512A`. A store finds them by key.
 */
export const possibleChildren = (header: string): ReadonlyArray<string> =>
  endings.map((ending) => header + ending).filter((code) => code.length <= codeCharactersMax)

/**
 * Returns the header's direct children in force on the day, in the order of the code set, at most
 * `childrenMax`. A code below another one of the records is not a direct child.
 */
export const childrenOf = (
  header: string,
  records: ReadonlyArray<CodeRecord>,
  asOf: IsoDate
): ReadonlyArray<CodeRecord> => {
  const below = records
    .filter(({ code }) => code.length > header.length && code.startsWith(header))
    .filter((record) => isInForceOn(record, asOf))
  return below
    .filter(({ code }) => !below.some((other) => other.code !== code && code.startsWith(other.code)))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .slice(0, childrenMax)
}

const codeCharactersMax = 7
const digits = [..."0123456789"]
const characters = [...digits, ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const endings = [
  ...[0, 1, 2, 3].flatMap((count) => characters.map((character) => "X".repeat(count) + character)),
  ...digits.map((digit) => `${digit}A`)
]

const isInForceOn = ({ effectiveDate, terminationDate }: CodeRecord, asOf: IsoDate): boolean =>
  (effectiveDate === null || effectiveDate <= asOf) && (terminationDate === null || asOf <= terminationDate)
