/**
 * A cell of a CSV (RFC 4180), quoted where it must be; a text that a spreadsheet would run as a formula is
 * made plain by an apostrophe.
 */
export const csvCell = (value: string | number | null): string => {
  const text = value === null ? "" : String(value)
  const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of them with its end. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string =>
  `${cells.map(csvCell).join(",")}\r\n`
