import { entityCharacters } from "./entityCharacters.ts"

/**
 * The text of a cell of HTML: paragraphs, breaks, rows and list items are lines, an item begins with `- `,
 * table cells are separated by ` | `, entities are their characters, and white space is folded. Tags and
 * comments say nothing, nor do scripts and styles. One pass, linear in the length however the tags are nested
 * or left open: cells come from many editors, and a parser that builds a tree would be a dependency for text
 * nobody renders.
 */
export const htmlText = (html: string): string => {
  const parts: Array<string> = []
  let from = 0
  while (from < html.length) {
    const open = html.indexOf("<", from)
    if (open === -1) break
    parts.push(html.slice(from, open))
    const tag = tagAt(html, open)
    parts.push(tag.text)
    from = tag.end
  }
  parts.push(html.slice(from))
  return foldLines(withoutEntities(parts.join("")))
}

/**
 * White space folded to single spaces and lines without blank ones between, as texts are compared and kept.
 */
export const foldLines = (text: string): string =>
  text
    .split(/[\n\r\u2028\u2029]+/)
    .map(foldSpace)
    .filter((line) => line !== "" && line !== "-")
    .join("\n")

/** White space of every kind and control characters (no store keeps a NUL) folded to single spaces. */
export const foldSpace = (text: string): string => text.replace(/[\s\p{Cc}\u200b\ufeff]+/gu, " ").trim()

interface Tag {
  readonly text: string
  readonly end: number
}

const tagAt = (html: string, open: number): Tag => {
  if (html.startsWith("<!--", open)) return { text: "", end: after(html, "-->", open) }
  const name = tagName.exec(html.slice(open, open + tagNameCharactersMax))?.[1]?.toLowerCase()
  if (name === undefined) return { text: "<", end: open + 1 }
  const end = after(html, ">", open)
  if (html[open + 1] === "/") return { text: closes[name] ?? "", end }
  if (silent.has(name)) return { text: " ", end: closing(html, { name, from: end }) }
  return { text: opens[name] ?? "", end }
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
const closes: Readonly<Record<string, string>> = { ...lines, li: "\n", td: " | ", th: " | " }

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
