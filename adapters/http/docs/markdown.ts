import { posix } from "node:path"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { servedAt } from "./servedAt.ts"

/** What the first line of a guide calls it. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ""

/**
 * A guide of the project as HTML: headings, paragraphs, lists, tables, blocks of code, and in a line code,
 * emphasis and links. Our guides hold nothing else, which a test sees to, but for an anchor of its own above
 * a heading (`<a id="…"></a>`). `file` is where it lies, since its links are relative to that. Its title is
 * left to the page.
 */
export const markdown = (text: string, file: string): Html => {
  const lines = text
    .replace(/^# .+\n/m, "")
    .replaceAll(/<!--[\s\S]*?-->\n?/g, "")
    .split("\n")
  const parts: Array<Html> = []
  for (let at = 0; at < lines.length; ) {
    const [part, next] = blockAt(lines, at, file)
    if (part !== undefined) parts.push(part)
    at = next
  }
  return html`${parts}`
}

/** The anchor of a heading, as the places where the guides are read make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")

type Block = readonly [part: Html | undefined, next: number]

const blockAt = (lines: ReadonlyArray<string>, at: number, file: string): Block => {
  const line = lines[at] ?? ""
  if (line.trim() === "") return [undefined, at + 1]
  if (line.startsWith("```")) return codeAt(lines, at)
  const anchor = /^<a id="([a-z-]+)"><\/a>$/.exec(line)?.[1]
  const [, marks, heading] = /^(#{2,4}) (.+)$/.exec(lines[anchor === undefined ? at : at + 2] ?? "") ?? []
  if (marks !== undefined && heading !== undefined)
    return [
      headed(marks.length, inLine(heading, file), anchor ?? anchorOf(heading)),
      at + (anchor === undefined ? 1 : 3)
    ]
  if (line.startsWith("|")) return tableAt(lines, at, file)
  if (itemStart.test(line)) return listAt(lines, at, file)
  const end = endOf(lines, at, (one) => one.trim() === "" || one.startsWith("```"))
  return [html`<p>${inLine(lines.slice(at, end).join("\n"), file)}</p>`, end]
}

const itemStart = /^(?:-|\d+\.) /

const endOf = (lines: ReadonlyArray<string>, at: number, isEnd: (line: string) => boolean): number => {
  const found = lines.findIndex((line, index) => index > at && isEnd(line))
  return found === -1 ? lines.length : found
}

const codeAt = (lines: ReadonlyArray<string>, at: number): Block => {
  const end = endOf(lines, at, (line) => line.startsWith("```"))
  return [html`<pre tabindex="0"><code>${lines.slice(at + 1, end).join("\n")}</code></pre>`, end + 1]
}

const headed = (level: number, inner: Html, id: string): Html =>
  level === 2
    ? html`<h2 id="${id}">${inner}</h2>`
    : level === 3
      ? html`<h3 id="${id}">${inner}</h3>`
      : html`<h4 id="${id}">${inner}</h4>`

const tableAt = (lines: ReadonlyArray<string>, at: number, file: string): Block => {
  const end = endOf(lines, at, (line) => !line.startsWith("|"))
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf)
  const cell = (text: string) => html`<td>${inLine(text, file)}</td>`
  // A column without a name has no heading that could be read out.
  const heading = (text: string) =>
    text === "" ? cell(text) : html`<th scope="col">${inLine(text, file)}</th>`
  return [
    html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`,
    end
  ]
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

/** An item goes on in the lines that are indented below it. */
const listAt = (lines: ReadonlyArray<string>, at: number, file: string): Block => {
  const end = endOf(lines, at, (line) => !itemStart.test(line) && !/^\s+\S/.test(line))
  const items = lines
    .slice(at, end)
    .join("\n")
    .split(/\n(?=(?:-|\d+\.) )/)
    .map((item) => html`<li>${inLine(item.replace(itemStart, "").replaceAll(/\n\s+/g, "\n"), file)}</li>`)
  return [(lines[at] ?? "").startsWith("-") ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`, end]
}

const inLinePattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g

const inLine = (text: string, file: string): Html => {
  const parts: Array<Html> = []
  let last = 0
  for (const match of text.matchAll(inLinePattern)) {
    const [whole, code, strong, emphasis, label, target] = match
    parts.push(html`${text.slice(last, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${inLine(strong, file)}</strong>`)
    else if (emphasis !== undefined) parts.push(html`<em>${inLine(emphasis, file)}</em>`)
    else parts.push(linked(inLine(label ?? "", file), target ?? "", file))
    last = match.index + whole.length
  }
  return html`${parts}${text.slice(last)}`
}

/** A link to a file that the service does not show is left out, and its words stay. */
const linked = (label: Html, target: string, file: string): Html => {
  if (/^(https?:|#|\/)/.test(target)) return html`<a href="${target}">${label}</a>`
  const [path = "", anchor] = target.split("#")
  const served = servedAt(posix.join(posix.dirname(file), path))
  if (served === undefined) return label
  return html`<a href="${anchor === undefined ? served : `${served}#${anchor}`}">${label}</a>`
}
