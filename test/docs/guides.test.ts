import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { markdown, titleOf } from "../../apps/reference/site/markdown.ts"
import { guides } from "../../adapters/http/docs/navigation.ts"
import { root } from "./terminal.ts"

const textOf = (file: string): string => readFileSync(root + file, "utf8")

/** The words of a text, which must come through whatever form they are given. */
const words = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}]+/gu) ?? []

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}

/** What a reader of the page sees. */
const shown = (page: string): string =>
  page.replaceAll(/<[^>]+>/g, " ").replaceAll(/&[^;\s]+;/g, (entity) => entities[entity] ?? entity)

/** An anchor of its own for the heading below it. */
const anchorLines = /^<a id="[a-z-]+"><\/a>$/gm

/** What a reader of the guide sees: without its title, its markers, and where its links lead. */
const meant = (text: string): string =>
  text
    .replace(/^# .+\n/m, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(anchorLines, "")
    .replaceAll(/^```.*$/gm, "")
    .replaceAll(/^\d+\. /gm, "")
    .replaceAll(/(?<=\])\((?!\))[^)\s]+\)/g, "")

describe("the guides as the service shows them", () => {
  it.each(guides)("$file says on its page every word that it says, in their order", ({ file }) => {
    const text = textOf(file)
    expect(titleOf(text)).not.toBe("")
    expect(words(shown(markdown(text, file).html))).toEqual(words(meant(text)))
  })

  it("the forms: headings with their anchors, lists, tables, code, emphasis and links", () => {
    const text = [
      "## Test it, twice\n\nA `code <b>`, **strong**, *soft* and [errors](reference/errors.md#auth-missing).",
      "\n- one\n  goes on\n- two\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| `x` | y \\| z |",
      '\n```sh\necho "<&>"\n```\n\nA [file](operating.md) that is not shown.'
    ].join("\n")
    const { html } = markdown(text, "docs/any.md")
    expect(html).toContain('<h2 id="test-it-twice">Test it, twice</h2>')
    expect(markdown('<a id="own"></a>\n\n### Named', "docs/any.md").html).toBe('<h3 id="own">Named</h3>\n')
    expect(html).toContain("<code>code &lt;b&gt;</code>, <strong>strong</strong>, <em>soft</em>")
    expect(html).toContain('<a href="/docs/errors#auth-missing">errors</a>')
    expect(html).toContain(
      "<ul>\n<li>one\ngoes on</li>\n<li>two</li>\n</ul>\n<ol>\n<li>first</li>\n<li>second</li>\n</ol>"
    )
    expect(html).toContain("<td><code>x</code></td><td>y | z</td>")
    expect(html).toContain("<code>echo &quot;&lt;&amp;&gt;&quot;</code>")
    expect(html).toContain("<p>A file that is not shown.</p>")
  })

  it("text is never taken for HTML", () => {
    const { html } = markdown("<script>alert(1)</script> [a](javascript:alert(1)) `<img>`", "docs/any.md")
    expect(html).not.toMatch(/<script|<img|href="javascript/)
  })
})
