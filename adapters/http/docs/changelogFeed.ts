import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Content, Publishing } from "./Content.ts"
import { plainText } from "./Content.ts"
import { readGuide } from "./guidePage.ts"
import { anchorOf, markdown } from "./markdown.ts"

/** One version of the changelog, or what is not released yet. */
interface Version {
  readonly title: string
  readonly text: string
}

/**
 * /docs/changelog.atom (RFC 4287): one entry for each version of the changelog. A version without a date in
 * its title was last changed when this service started.
 */
export const changelogFeed = async ({ baseUrl, startedMs }: Publishing): Promise<Content | undefined> => {
  const text = await readGuide("CHANGELOG.md")
  if (text === undefined) return undefined
  const page = `${baseUrl}/docs/changelog`
  const started = new Date(startedMs).toISOString()
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom"><id>${page}</id>
<title>Coverage-Policy API: changes</title>
<updated>${started}</updated><author><name>Coverage-Policy API</name></author>
<link rel="self" href="${page}.atom"/><link rel="alternate" type="text/html" href="${page}"/>
${versionsOf(text).map((version) => entry(version, page, started))}</feed>`
  const body = `<?xml version="1.0" encoding="utf-8"?>\n${feed.html}\n`
  return plainText(body, "application/atom+xml; charset=utf-8")
}

const versionsOf = (text: string): ReadonlyArray<Version> =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n")
      return { title, text: lines.join("\n") }
    })

const entry = ({ text, title }: Version, page: string, started: string): Html => {
  const address = `${page}#${anchorOf(title)}`
  const day = /\d{4}-\d{2}-\d{2}/.exec(title)?.[0]
  return html`<entry><id>${address}</id><title>${title}</title>
<updated>${day === undefined ? started : `${day}T00:00:00Z`}</updated><link href="${address}"/>
<content type="html">${markdown(text, "CHANGELOG.md").html}</content></entry>
`
}
