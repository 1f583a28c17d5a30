import { html } from "../../../adapters/html/html.ts"
import type { Html } from "../../../adapters/html/html.ts"
import { standIns } from "../../../adapters/http/docs/staticFile.ts"
import { anchorOf, markdown } from "./markdown.ts"

const file = "CHANGELOG.md"

/** What changed in one way with one version: everything below a heading of the changelog. */
interface Entry {
  /** Of its headings, so that it is the same after each start, and other than every other's. */
  readonly id: string
  readonly title: string
  readonly link: string
  readonly day: string
  readonly text: string
}

const { baseUrl } = standIns

/**
 * /docs/changelog.atom (RFC 4287): one entry for each heading below a version of the changelog. It is dated
 * as its version is: by the heading, or for what is not released yet by a comment below it, `<!-- as of
 * YYYY-MM-DD -->`.
 */
export const feedOf = (text: string): string => {
  const page = `${baseUrl}/docs/changelog`
  const entries = partsOf(text, 2).flatMap((version) => entriesOf(version, page, newestDay(text)))
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${page}"><id>${page}</id>
<title>Coverage-Policy API: changes</title>
<updated>${instantOf(newestDay(text))}</updated><author><name>Coverage-Policy API</name></author>
<link rel="self" type="application/atom+xml" href="${page}.atom"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.map(entryHtml)}</feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.html}\n`
}

interface Part {
  /** Empty: what stands before the first heading. */
  readonly title: string
  readonly text: string
}

/** The parts of a text below its headings of one level. */
const partsOf = (text: string, level: 2 | 3): ReadonlyArray<Part> =>
  text
    .split(new RegExp(`^${"#".repeat(level)} `, "m"))
    .slice(level === 2 ? 1 : 0)
    .map((part, index) => {
      const [title = "", ...lines] = level === 3 && index === 0 ? ["", part] : part.split("\n")
      return { title, text: lines.join("\n") }
    })

const entriesOf = ({ text, title }: Part, page: string, newest: string): ReadonlyArray<Entry> => {
  const link = `${page}#${anchorOf(title)}`
  const day = dayIn(title) ?? dayIn(/<!-- as of (\S+) -->/.exec(text)?.[1]) ?? newest
  return partsOf(text, 3)
    .filter((part) => part.title !== "" || withoutComments(part.text) !== "")
    .map((part) => ({
      id: part.title === "" ? link : `${link}-${anchorOf(part.title)}`,
      title: part.title === "" ? title : `${title}: ${part.title}`,
      link,
      day,
      text: part.text
    }))
}

const withoutComments = (text: string): string => text.replaceAll(/<!--[\s\S]*?-->/g, "").trim()

const dayIn = (text = ""): string | undefined => /\d{4}-\d{2}-\d{2}/.exec(text)?.[0]

/** The last day that a heading or a comment names; of a changelog that names none, the first of all days. */
const newestDay = (text: string): string =>
  [...text.matchAll(/^(?:## .*|<!-- as of )(\d{4}-\d{2}-\d{2})/gm)]
    .map(([, day = ""]) => day)
    .toSorted()
    .at(-1) ?? "1970-01-01"

const instantOf = (day: string): string => `${day}T00:00:00Z`

/** Readers show it far from this service: every link says where it leads. */
const entryHtml = ({ day, id, link, text, title }: Entry): Html => {
  const content = markdown(text, file)
    .html.replaceAll('href="/', `href="${baseUrl}/`)
    .replaceAll('href="#', `href="${link.split("#")[0] ?? ""}#`)
  return html`<entry><id>${id}</id><title>${title}</title>
<updated>${instantOf(day)}</updated><link rel="alternate" type="text/html" href="${link}"/>
<content type="html">${content}</content></entry>
`
}
