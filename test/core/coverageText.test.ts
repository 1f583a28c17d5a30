import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldLines, htmlText } from "../../core/coverage/htmlText.ts"
import { passageCharacters, passagesOf, sectionsOf } from "../../core/coverage/passages.ts"

describe("the text of a cell of HTML", () => {
  const cells: ReadonlyArray<readonly [string, string]> = [
    ["<p>One</p>\n\n<p>two&nbsp; three</p>", "One\ntwo three"],
    ["<ul><li>a</li>\n<li><p>b</p></li></ul>", "- a\n- b"],
    ["<p>&bull;</p><p>a</p><p>-</p>", "- a"],
    ["doesn&rsquo;t &#8805; 5 &#x2265; 5 &amp;lt; &ge;", "doesn’t ≥ 5 ≥ 5 &lt; ≥"],
    ['<a href="x?NCDId=211&ncdver=5">220.6</a> at ?a=1&ncdver=5', "220.6 at ?a=1&ncdver=5"],
    ["<table><tr><td>E0650</td>\n<td><p>lymph</p><p>pump</p></td></tr></table>", "E0650 | lymph pump"],
    ["a<table><tr><th>x</th><th>&nbsp;</th></tr><tr><td></td><td> </td></tr></table>b", "a\nx\nb"],
    [`<td>a</td><td>${"long ".repeat(60)}<br>b</td>`, `a\n${"long ".repeat(60).trim()}\nb`],
    ["<td>open<table><tr><td>in</td></table>out", "open\nin\nout"],
    ["| a | | b |\n| | |\n|", "a | b"],
    ["x|y and |z|", "x|y and |z|"],
    [
      "30 kg/m<sup>2</sup>, 5 cm<sup> 3 </sup>, 10<sup>2</sup>, 10<sup>-6</sup>",
      "30 kg/m², 5 cm³, 10^2, 10^-6"
    ],
    ["Am<sup>2</sup> Report”<sup><a>1</a></sup> 5<sup>th</sup> X<sup>&reg;</sup>", "Am^2 Report”^1 5th X®"],
    ["left<sup>2", "left^2"],
    ["SaO<sub>2</sub> and 5HT<sub>3</sub>", "SaO2 and 5HT3"],
    ["a < 5 and b <6", "a < 5 and b <6"],
    ["<!-- x > y --><style>p{}</style>left<script>if (a<b) {}</script>over", "left over"],
    ["one<br/>two<BR>three", "one\ntwo\nthree"],
    ["<p>a coronary\nintervention</p>\n<p>next</p>", "a coronary intervention\nnext"],
    ["one\ntwo", "one\ntwo"],
    ["cut <p short", "cut"],
    ["\u0000nul\u0081&#0;&#xD800;", "nul &#xD800;"]
  ]
  for (const [html, text] of cells)
    it(`${JSON.stringify(html)} is ${JSON.stringify(text)}`, () => expect(htmlText(html)).toBe(text))

  it("holds no blank line and no space at an end, whatever the cell", () => {
    const bits = fc.constantFrom(
      "<p>",
      "</p>",
      "<li>",
      "<",
      ">",
      "&nbsp;",
      "&#160;",
      "\n",
      " ",
      "a",
      "<br>",
      "</td>",
      "<!--",
      "-->",
      "<td>",
      "<tr>",
      "</table>",
      "<sup>",
      "2",
      " | ",
      "|",
      "-"
    )
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
        const text = htmlText(parts.join(""))
        expect(foldLines(text)).toBe(text)
      })
    )
  })

  it("takes time in proportion to its length, even where every tag is left open", () => {
    const seconds = (html: string): number => {
      const startedMs = performance.now()
      htmlText(html)
      return (performance.now() - startedMs) / 1000
    }
    for (const bit of [
      "<",
      "<p",
      "<!--",
      "<script>",
      "&",
      "<a href='",
      "</",
      "&#",
      "<td>",
      "<tr>",
      "<sup>",
      " |"
    ]) {
      expect(seconds(bit.repeat(100_000))).toBeLessThan(1)
    }
  })
})

describe("the passages of a document", () => {
  const text = [
    "B. Nationally Covered Indications",
    "Chronic ulcers.",
    "C.1 Treatment Strategy Nationally Non-Covered Indications",
    "Infection.",
    "Documentation Requirements",
    "The record.",
    "Utilization Guidelines",
    "Four a year.",
    "Limitations are many, says this sentence.",
    "Other",
    "The end."
  ].join("\n")

  it("follow their headings from section to section, and leave out those that say nothing else", () => {
    expect(
      passagesOf([{ section: "indications", text }]).map(({ blockId, text: words }) => [blockId, words])
    ).toEqual([
      ["indications-1", "Chronic ulcers."],
      ["limitations-1", "C.1 Treatment Strategy Nationally Non-Covered Indications\nInfection."],
      ["documentation-1", "The record."],
      ["frequency-1", "Four a year.\nLimitations are many, says this sentence."],
      ["other-1", "The end."]
    ])
  })

  const cuts: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["Indications and Limitations of Coverage\nOne.", ["indications One."]],
    [
      "B. Nationally Covered Indications\nN/A\nC. Nationally Non-Covered Indications\nAll.",
      ["limitations All."]
    ],
    [
      "D. Other\nNot applicable.\n(This NCD last reviewed in 2020.)",
      ["other (This NCD last reviewed in 2020.)"]
    ],
    ["Covered indications include:\nOne.", ["indications Covered indications include:\nOne."]],
    [
      "One.\nNone\nAll other tumors | Cover | Cover",
      ["indications One.\nNone\nAll other tumors | Cover | Cover"]
    ],
    [
      "Covered Code Lists (including narrative)\nJanuary 2026",
      ["other Covered Code Lists (including narrative)\nJanuary 2026"]
    ],
    ["Limitations", []]
  ]
  for (const [given, blocks] of cuts)
    it(`${JSON.stringify(given)} is cut into ${JSON.stringify(blocks)}`, () =>
      expect(
        passagesOf([{ section: "indications", text: given }]).map((block) => `${block.section} ${block.text}`)
      ).toEqual(blocks))

  it("lose no line but bare headings, and the sections of the wire hold them whole", () => {
    const heading = fc.constantFrom("Limitations", "B. Nationally Covered Indications", "Documentation")
    const line = fc.stringMatching(/^[A-Za-z ]{1,60}[a-z]$/).map((words) => `Patients ${words}`)
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: line }, heading), { maxLength: 60 }), (given) => {
        const blocks = passagesOf([{ section: "indications", text: given.join("\n") }])
        expect(blocks.flatMap((block) => block.text.split("\n"))).toEqual(
          given.filter((each) => each.startsWith("Patients"))
        )
        expect(new Set(blocks.map((block) => block.blockId)).size).toBe(blocks.length)
        const indications = blocks
          .filter((block) => block.section === "indications")
          .map((block) => block.text)
        expect(sectionsOf(blocks).indications).toBe(indications.length === 0 ? null : indications.join("\n"))
      })
    )
  })

  it("are cut after a line, once they are long enough to fill a screen", () => {
    const long = Array.from({ length: 40 }, (_, index) => `${index} ${"word ".repeat(30)}end.`).join("\n")
    const blocks = passagesOf([{ section: "other", text: long }])
    expect(blocks.length).toBeGreaterThan(3)
    for (const block of blocks.slice(0, -1))
      expect(block.text.length).toBeGreaterThanOrEqual(passageCharacters)
  })

  it("all ask for a person: none is structured", () => {
    const blocks = passagesOf([{ section: "indications", text }])
    expect(blocks.every((block) => block.requiresManualReview && block.logicAst === null)).toBe(true)
  })
})
