/**
 * What a spreadsheet may run as a formula when a cell begins with it: an operator, in its full-width form
 * too, or a control character that is skipped before one.
 */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/

/**
 * Returns a cell of a CSV (RFC 4180), quoted where it must be. A text that a spreadsheet would run as a
 * formula gets an apostrophe in front, which makes it plain text.
 */
export const csvCell = (value: string | number | null): string => {
  const text = value === null ? "" : String(value)
  const plain = typeof value === "string" && formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of them with its end. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string =>
  `${cells.map(csvCell).join(",")}\r\n`
