/** A Markdown table; a bar inside a cell would end it. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(escaped).join(" | ")} |`).join("\n")

export const code = (text: string): string => `\`${text}\``

/** A page with its title, what it is made from, and its parts one blank line apart. */
export const page = (title: string, source: string, parts: ReadonlyArray<string>): string =>
  `${[`# ${title}`, `<!-- Written by npm run generate from ${source}: change it there. -->`, ...parts].join("\n\n")}\n`

/** An anchor of its own for the heading below it. */
export const headingAt = (anchor: string, heading: string): string => `<a id="${anchor}"></a>\n\n${heading}`

const escaped = (cell: string): string => cell.replaceAll("|", "\\|").replaceAll("\n", " ")
