import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { projectRoot, readSources, formatViolations } from "./Source.ts"
import { namedIn, valueViolations } from "./values.ts"

const path = "docs/decisions/0033-chosen-values.md"
const page = { path, text: readFileSync(projectRoot + path, "utf8") }
const sources = readSources(["core", "adapters", "apps"])

const file = { path: "core/limit/window.ts", text: "export const windowMs = 60_000\n" }
const row = (value: string, name: string) => ({
  path,
  text: `| \`${value}\` | \`core/limit/window.ts:${name}\` | why | free |\n`
})

const planted = [
  { page: row("30_000", "windowMs"), rule: "values are as the page says" },
  { page: row("60_000", "widthMs"), rule: "values are as the page says" },
  { page: { path, text: "`core/limit/window.ts:widthMs`" }, rule: "values are as the page says" },
  { page: { path, text: "Nothing." }, rule: "values are recorded" }
]

describe("the values that we chose", () => {
  it("stand in their files as the record says, and the kernel has no other", () => {
    expect(namedIn(page).length).toBeGreaterThan(150)
    expect(formatViolations(valueViolations(page, sources))).toEqual([])
  })

  it.each(planted)("a planted fault is caught: $page.text", ({ page: faulty, rule }) => {
    expect(valueViolations(faulty, [file]).map((violation) => violation.rule)).toContain(rule)
  })

  it("a row that is true, and a value that is only named as shown, are let through", () => {
    expect(valueViolations(row("60_000", "windowMs"), [file])).toEqual([])
    expect(valueViolations({ path, text: "`core/limit/window.ts:windowMs`." }, [file])).toEqual([])
  })

  it("times in words are values too", () => {
    const words = { path: "core/a.ts", text: 'const every = "20 seconds"\nconst name = "20 seconds long"\n' }
    expect(valueViolations({ path, text: "" }, [words]).map(({ says }) => says)).toEqual([
      "every is in no decision record"
    ])
  })
})
