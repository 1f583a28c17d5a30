import { readFileSync } from "node:fs"

/** The specification as the project keeps it. */
export const specificationUrl = new URL("../../docs/specification.md", import.meta.url)
export const specification = readFileSync(specificationUrl, "utf8")

/** A row of a table in the specification, its cells by the column's heading. */
export type SpecificationRow = Readonly<Record<string, string>>

/**
 * The rows of the first table below a heading such as `7.3 Error codes`, up to the next heading. The table
 * must have
 * the columns that are asked for, so that a changed specification fails here and not in silence.
 */
export const tableBelow = (
  heading: string,
  columns: ReadonlyArray<string>
): ReadonlyArray<SpecificationRow> => {
  const lines = chapterLines(heading).filter((line) => line.startsWith("|"))
  const [first, , ...rest] = lines.map(cells)
  if (first === undefined || first.join() !== columns.join()) {
    throw new Error(
      `below "${heading}" the specification has no table with the columns ${columns.join(", ")}`
    )
  }
  return rest
    .filter((row) => row.length === first.length)
    .map((row) => Object.fromEntries(first.map((column, index) => [column, row[index] ?? ""])))
}

/** The text below a heading, up to the next heading. */
export const chapterBelow = (heading: string): string => chapterLines(heading).join("\n")

const chapterLines = (heading: string): ReadonlyArray<string> => {
  const lines = specification.split("\n")
  const start = lines.findIndex((line) => line.replace(/^#+ /, "") === heading)
  if (start < 0) throw new Error(`the specification has no heading "${heading}"`)
  const end = lines.findIndex((line, index) => index > start && line.startsWith("#"))
  return lines.slice(start + 1, end < 0 ? lines.length : end)
}

const cells = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())
