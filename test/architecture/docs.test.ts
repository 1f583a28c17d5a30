import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as client from "../../adapters/client/client.ts"
import { documentViolations, namesOf } from "./documents.ts"
import { projectRoot, readSources, formatViolations } from "./Source.ts"

const exists = (path: string): boolean => existsSync(projectRoot + path)

/** README and its neighbours, and everything below docs. */
const documents = [
  ...readdirSync(projectRoot)
    .filter((name) => name.endsWith(".md"))
    .map((path) => ({
      path,
      text: readFileSync(projectRoot + path, "utf8")
    })),
  ...readSources(["docs"], ".md")
]

const decisions = documents.filter(({ path }) => path.startsWith("docs/decisions/"))

const fenced = (language: string, text: string): string => `# Title\n\n\`\`\`${language}\n${text}\n\`\`\`\n`

const planted = [
  { rule: "ts blocks parse", text: fenced("ts", "const = 1") },
  { rule: "sh blocks parse", text: fenced("sh", "if true; then echo") },
  { rule: "json blocks parse", text: fenced("json", "{ a: 1 }") },
  { rule: "links lead somewhere", text: "See [the guide](./absent.md#here)." }
]

describe("documents", () => {
  it("hold only blocks that parse and links that lead somewhere", () => {
    expect(formatViolations(documentViolations(documents, exists))).toEqual([])
  })

  it.each(planted)("a planted fault is caught: $rule", ({ rule, text }) => {
    const found = documentViolations([{ path: "docs/planted.md", text }], exists)
    expect(found.map((violation) => violation.rule)).toEqual([rule])
  })

  it("import of the client what it gives", () => {
    const named = documents.flatMap((source) => namesOf(source, "coverage-policy/client"))
    expect(named).toContain("makeClient")
    expect(named.filter((name) => !(name in client))).toEqual([])
  })

  it("a planted name that is not there is caught", () => {
    const text = fenced("ts", 'import { gone, makeClient, type Absent } from "coverage-policy/client"')
    const named = namesOf({ path: "docs/planted.md", text }, "coverage-policy/client")
    expect(named.filter((name) => !(name in client))).toEqual(["gone"])
  })

  it("let through blocks of other languages, links outside, and anchors", () => {
    const text = `${fenced("text", "{{{")}[a](https://example.com) [b](#title) [c](./architecture.md)`
    expect(documentViolations([{ path: "docs/sound.md", text }], exists)).toEqual([])
  })
})

describe("docs/porting.md", () => {
  it("has a row for every port, with laws that are there", () => {
    const [table = ""] = readFileSync(`${projectRoot}docs/porting.md`, "utf8").split("## Laws")
    const rows = [...table.matchAll(/^\| ([A-Z]\w+(?:, \w+)*) \|.*\|$/gm)].slice(1)
    const ports = readdirSync(`${projectRoot}core/port`).map((name) => name.replace(/\.ts$/, ""))
    expect(rows.flatMap(([, names = ""]) => names.split(", ")).sort()).toEqual(
      ports.filter((name) => name !== "listing").sort()
    )
    const files = [...table.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path)
    expect(files.filter((path) => !exists(path))).toEqual([])
  })
})

describe("docs/dependencies.md", () => {
  it("has every package of package.json with the version that is pinned", () => {
    const page = readFileSync(`${projectRoot}docs/dependencies.md`, "utf8")
    const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d\S*) \| \S/gm)].map(([, name, version]) => [
      name,
      version
    ])
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(`${projectRoot}package.json`, "utf8")
    )
    const otherPlatforms = /(darwin-(arm64|x64)|linux-arm64)$/
    const pinned = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(rows.sort()).toEqual(pinned.filter(([name]) => !otherPlatforms.test(name)).sort())
  })
})

describe("decision records", () => {
  it("are numbered without a gap, in the order they were taken", () => {
    const numbers = decisions.map(({ path }) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it.each(decisions)("$path says when it was taken, and whether it holds", ({ text }) => {
    expect(text).toMatch(
      /^# \d{4} .+\n\n\d{4}-\d\d-\d\d(, revised \d{4}-\d\d-\d\d)? · (accepted|superseded by \d{4})\n/
    )
  })

  it.each(decisions)(
    "$path says question, choice, what was rejected, and the consequence",
    ({ path, text }) => {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])
      expect(headings).toEqual(["Question", "Choice", "Rejected", "Consequence"])
      // Whoever reads a record reads all of it, but for the register of values.
      if (path !== "docs/decisions/0033-chosen-values.md")
        expect(text.split("\n").length).toBeLessThanOrEqual(70)
    }
  )
})
