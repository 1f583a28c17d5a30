import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { commandLine } from "../../apps/cli/commands.ts"
import { variableNames } from "../../apps/http/variables.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { blocksOf } from "../architecture/documents.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string): string => readFileSync(root + path, "utf8")
const readme = read("README.md")
const guides = ["README.md", "docs/operating.md", "docs/porting.md"].map((path) => ({
  path,
  text: read(path)
}))

/** What a reader is told to type. */
const lines = guides.flatMap((guide) =>
  blocksOf(guide)
    .filter(({ language }) => language === "sh" || language === "text")
    .flatMap(({ text }) => text.split("\n"))
)

const scripts: Record<string, string> = JSON.parse(read("package.json")).scripts

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

/** Whether a command line begins with the names of commands that exist, down to one without subcommands. */
const exists = (command: Named, words: ReadonlyArray<string>): boolean => {
  const below = command.subcommands.flatMap(({ commands }) => commands)
  if (below.length === 0) return true
  const next = below.find(({ name }) => name === words[0])
  return next !== undefined && exists(next, words.slice(1))
}

describe("README and guides", () => {
  it("name only npm scripts that exist", () => {
    const named = guides.flatMap(({ text }) => [
      ...text.matchAll(/npm (?:run (?:--silent )?(\w+)|(start|test))/g)
    ])
    const names = new Set(named.map((match) => match[1] ?? match[2] ?? ""))
    expect([...names].filter((name) => !(name in scripts))).toEqual([])
    expect(names.size).toBeGreaterThan(4)
  })

  it("name only commands of the command line that exist", () => {
    const typed = lines
      .flatMap((line) => [...line.matchAll(/npm run --silent cli -- ([^|)]+)/g)])
      .map((match) => match[1] ?? "")
    expect(typed.length).toBeGreaterThan(5)
    expect(typed.filter((line) => !exists(commandLine, line.trim().split(/\s+/)))).toEqual([])
    expect(exists(commandLine, ["org", "destroy"])).toBe(false)
  })

  it("import only files that are there", () => {
    const paths = [...readme.matchAll(/import [\w-]+ (apps\/\S+)/g)].map((match) => match[1] ?? "")
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([])
  })

  it("call only paths that the catalogue knows", () => {
    const called = [...readme.matchAll(/127\.0\.0\.1:3000(\/api[^"?]*)/g)].map((match) => match[1] ?? "")
    const answers = operationIds
      .map(operationRow)
      .map(({ onlyOn = "live", path }) => surfacePrefix[onlyOn] + path.replaceAll(/\{\w+\}/g, "[^/]+"))
      .map((path) => new RegExp(`^${path}$`))
    expect(called.length).toBeGreaterThan(3)
    expect(called.filter((path) => !answers.some((answer) => answer.test(path)))).toEqual([])
  })

  it("set only variables that the service reads", () => {
    const set = lines
      .flatMap((line) => [...line.matchAll(/^([A-Z_]{4,})=\S/g)])
      .map((match) => match[1] ?? "")
    expect(set.length).toBeGreaterThan(4)
    expect(set.filter((name) => !variableNames.some((known) => known === name))).toEqual([])
  })
})
