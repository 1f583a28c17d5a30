/** Rows as lines, each column as wide as its widest cell; the last is left ragged. */
export const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const shown = rows.map((row) => row.map(printable))
  const widths = shown.reduce<ReadonlyArray<number>>(
    (wide, row) => row.map((cell, column) => Math.max(cell.length, wide[column] ?? 0)),
    []
  )
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

/** A whole number with commas between its thousands. */
export const withThousands = (count: number): string => count.toLocaleString("en-US")

/** Names come from outside; a control character would steer the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, "\u{FFFD}")
