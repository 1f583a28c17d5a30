import { entityCharacters } from "./entityCharacters.ts"

/**
 * The text of a cell of HTML: paragraphs, breaks and list items are lines, an item begins with `- `, a row of
 * a table is one line with ` | ` between the cells that say something, entities are their characters, white
 * space is folded, and raised numbers stay apart from what they stand on: `kg/m²`, `10^2`. A lowered number
 * is written on (`SaO2`, `FEV1`), as the field writes it. The source's own lines count where no tag makes
 * any; else they are white space, because editors break lines at their width. Tags and comments say nothing,
 * nor do scripts and styles. One pass, linear in the length however the tags are nested or left open: cells
 * come from many editors, and a parser that builds a tree would be a dependency for text nobody renders.
 */
export const htmlText = (source: string): string => {
  const html = blockTag.test(source) ? source.replaceAll(/[\r\n]+/g, " ") : source
  const page = openPage()
  let from = 0
  while (from < html.length) {
    const open = html.indexOf("<", from)
    if (open === -1) break
    page.add(withoutEntities(html.slice(from, open)))
    const tag = tagAt(html, open)
    if (tag.name === undefined) page.add(tag.text)
    else page.mark(tag.name, tag.text)
    from = tag.end
  }
  page.add(withoutEntities(html.slice(from)))
  return foldLines(page.text())
}

/** A tag that ends a line; text without any has its lines by itself. */
const blockTag = /<(?:p|br|div|li|ul|ol|table|tr|h[1-6])\b/i

/**
 * White space folded to single spaces and lines without blank ones between, as texts are compared and kept. A
 * bullet that stands on a line of its own belongs to the next one; bars stand only between words.
 */
export const foldLines = (text: string): string => {
  const lines: Array<string> = []
  let bullet = ""
  for (const line of text.split(/[\n\r\u2028\u2029]+/)) {
    const folded = withoutStrayBars(foldSpace(line))
    if (folded === "") continue
    if (/^[-•·▪]$/.test(folded)) {
      bullet = "- "
      continue
    }
    lines.push(bullet === "" || folded.startsWith("- ") ? folded : bullet + folded)
    bullet = ""
  }
  return lines.join("\n")
}

const withoutStrayBars = (line: string): string =>
  line.includes("|")
    ? line
        .split(/(?<=^|\s)\|(?=\s|$)/)
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(" | ")
    : line

/** White space of every kind and control characters (no store keeps a NUL) folded to single spaces. */
export const foldSpace = (text: string): string => text.replace(/[\s\p{Cc}\u200b\ufeff]+/gu, " ").trim()

/** The text as it grows: rows of tables and raised numbers are known only when they end. */
const openPage = () => {
  const parts: Array<string> = []
  let row: Array<string> | undefined
  let cell: Array<string> | undefined
  let raised: string | undefined
  const put = (text: string): void => {
    if (cell !== undefined) cell.push(text)
    // Between the cells of a row stands the white space of the editor.
    else if (row === undefined || text.trim() !== "") parts.push(text)
  }
  const endRaised = (): void => {
    if (raised === undefined) return
    const mark = raisedText(raised, (cell ?? parts).at(-1) ?? "")
    raised = undefined
    put(mark)
  }
  const endCell = (): void => {
    if (cell !== undefined) {
      row ??= []
      row.push(cell.join(""))
    }
    cell = undefined
  }
  const endRow = (): void => {
    endCell()
    if (row !== undefined) parts.push(`\n${rowText(row)}\n`)
    row = undefined
  }
  return {
    add: (text: string): void => {
      if (raised === undefined) put(text)
      else raised += text
    },
    /** A tag by its name, `/` before that of a closing one, and what it puts into running text. */
    mark: (name: string, text: string): void => {
      if (raised !== undefined && inline.has(name)) return
      endRaised()
      if (name === "sup") raised = ""
      else if (rowTags.has(name)) endRow()
      else if (cellTags.has(name)) endCell()
      else put(text)
      if (name === "tr") row = []
      if (name === "td" || name === "th") cell = []
    },
    text: (): string => {
      endRaised()
      endRow()
      return parts.join("")
    }
  }
}

const rowTags: ReadonlySet<string> = new Set(["tr", "/tr", "table", "/table"])
const cellTags: ReadonlySet<string> = new Set(["td", "/td", "th", "/th"])
/** Tags that may stand within a raised number. */
const inline: ReadonlySet<string> = new Set(
  ["a", "b", "em", "font", "i", "span", "strong", "u"].flatMap((name) => [name, `/${name}`])
)

/** Editors lay out whole pages in tables: cells longer than this keep their lines. */
const rowCellCharactersMax = 300

const rowText = (row: ReadonlyArray<string>): string => {
  const cells = row.map(foldLines).filter((cell) => cell !== "")
  return cells.some((cell) => cell.length > rowCellCharactersMax)
    ? cells.join("\n")
    : cells.map((cell) => cell.replaceAll("\n", " ")).join(" | ")
}

/** A square or a cube after a unit of length, any other number after `^`; words are written on. */
const raisedText = (raised: string, before: string): string => {
  const text = foldSpace(raised)
  if (!/^[-+−]?\d[\d,]*$/.test(text)) return raised
  const isPower = (text === "2" || text === "3") && /(?:^|[^A-Za-z])(?:m|cm|mm|km|ft|in)$/.test(before)
  return isPower ? (text === "2" ? "²" : "³") : `^${text}`
}

interface Tag {
  /** Lower case, `/` before that of a closing one; undefined where `<` begins no tag that matters. */
  readonly name: string | undefined
  readonly text: string
  readonly end: number
}

const tagAt = (html: string, open: number): Tag => {
  if (html.startsWith("<!--", open)) return { name: undefined, text: "", end: after(html, "-->", open) }
  const name = tagName.exec(html.slice(open, open + tagNameCharactersMax))?.[1]?.toLowerCase()
  if (name === undefined) return { name, text: "<", end: open + 1 }
  const end = after(html, ">", open)
  if (html[open + 1] === "/") return { name: `/${name}`, text: lines[name] ?? "", end }
  if (silent.has(name)) return { name, text: " ", end: closing(html, { name, from: end }) }
  return { name, text: opens[name] ?? "", end }
}

const after = (html: string, mark: string, from: number): number => {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** Scripts and styles end at their own closing tag, or with the cell. */
const closing = (html: string, tag: { readonly name: string; readonly from: number }): number => {
  const at = html.indexOf(`</${tag.name}`, tag.from)
  return at === -1 ? html.length : after(html, ">", at)
}

/** No tag's name is longer. */
const tagNameCharactersMax = 24
const tagName = /^<\/?([a-z][a-z0-9]*)/i
const silent: ReadonlySet<string> = new Set(["script", "style"])

const lineTags = [
  "li",
  "p",
  "div",
  "ul",
  "ol",
  "table",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "blockquote",
  "dl",
  "dt",
  "dd",
  "hr",
  "pre"
]
const lines: Readonly<Record<string, string>> = Object.fromEntries(lineTags.map((tag) => [tag, "\n"]))
const opens: Readonly<Record<string, string>> = { ...lines, br: "\n", li: "\n- " }

/** `&` begins an entity only where one is written out: `?NCDId=211&ncdver=5` stays as it is. */
const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,9}));/g

const withoutEntities = (text: string): string =>
  text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entityCharacters[name] ?? whole
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? "", 16)
    return isCharacter(point) ? String.fromCodePoint(point) : whole
  })

/** Halves of a pair are no characters; control characters are folded away with the white space. */
const isCharacter = (point: number): boolean => point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
