import { posix } from "node:path"
import type { RendererObject, Tokens } from "marked"
import { Marked } from "marked"
import { html } from "../../../adapters/html/html.ts"
import type { Html } from "../../../adapters/html/html.ts"
import { servedAt } from "./servedAt.ts"

/** What the first line of a guide calls it. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ""

/**
 * A guide as HTML, without its title and its comments. Its own HTML is shown as text, except for the anchor
 * of a heading (`<a id="…"></a>` above it). `file` is where the guide lies: its links are relative to that.
 */
export const markdown = (text: string, file: string): Html => {
  const guide = text.replace(/^# .+\n/m, "").replaceAll(/<!--[\s\S]*?-->\n?/g, "")
  return { html: new Marked({ renderer: rendererOf(file), async: false }).parse(guide, { async: false }) }
}

/** The anchor of a heading, as the places where the guides are read make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")

const rendererOf = (file: string): RendererObject => {
  let anchor: string | undefined
  return {
    html: ({ text }) => html`${text}`.html,
    paragraph({ tokens, text }) {
      anchor = /^<a id="([a-z0-9-]+)"><\/a>$/.exec(text)?.[1]
      return anchor === undefined ? `<p>${this.parser.parseInline(tokens)}</p>\n` : ""
    },
    heading({ tokens, depth, text }) {
      const id = anchor ?? anchorOf(text)
      anchor = undefined
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // What scrolls can be reached by keyboard.
    code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.html,
    table({ header, rows }) {
      const inLine = (cell: Tokens.TableCell): Html => ({ html: this.parser.parseInline(cell.tokens) })
      const data = (cell: Tokens.TableCell): Html => html`<td>${inLine(cell)}</td>`
      // A column without a name has no heading that could be read out.
      const heading = (cell: Tokens.TableCell): Html =>
        cell.text === "" ? data(cell) : html`<th scope="col">${inLine(cell)}</th>`
      return html`<div class="scroll" tabindex="0"><table><thead><tr>${header.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(data)}</tr>\n`)}</tbody></table></div>\n`.html
    },
    link({ href, tokens }) {
      return linked({ html: this.parser.parseInline(tokens) }, href, file).html
    }
  }
}

/** A link to a file that the service does not show is left out, and its words stay. */
const linked = (label: Html, target: string, file: string): Html => {
  if (/^(https?:|#|\/)/.test(target)) return html`<a href="${target}">${label}</a>`
  const [path = "", anchor] = target.split("#")
  const served = servedAt(posix.join(posix.dirname(file), path))
  if (served === undefined) return label
  return html`<a href="${anchor === undefined ? served : `${served}#${anchor}`}">${label}</a>`
}
