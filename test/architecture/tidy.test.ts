import { describe, expect, it } from "vitest"
import { readSources, formatViolations, sourceFolders } from "./Source.ts"
import { textViolations } from "./text.ts"
import { tidyViolations } from "./tidy.ts"

interface Planted {
  readonly rule: string
  readonly path: string
  readonly text: string
}

const lines = (count: number, line: string): string => Array.from({ length: count }, () => line).join("\n")
const kernel = (rule: string, text: string): Planted => ({ rule, path: "core/limit/window.ts", text })
const trial = (rule: string, text: string): Planted => ({ rule, path: "test/core/window.test.ts", text })

const ambient = "core reaches for no clock, chance, console or process"
const control = "core neither throws, tries nor awaits"
const alone = "tests are neither alone nor left out"
const vague = "names come from the domain"
const words = "names are words that a stranger would search for"

/** Spelled in pieces, so that the tree keeps the rules it tests. */
const [todo, ignore, key, home] = ["TO" + "DO", "@ts-" + "ignore", "svc_" + "live_", "/ho" + "me/"]

const planted: ReadonlyArray<Planted> = [
  kernel("a file has at most 300 lines", lines(301, "export {}")),
  kernel("a function has at most 40 lines", `export const long = () => {\n${lines(40, "f()")}\n}`),
  kernel(
    "a function has at most 40 lines",
    `export const long = () => gen(function*() {\n${lines(40, "f()")}\n})`
  ),
  trial("a function has at most 40 lines", `it("does all", () => {\n${lines(40, "f()")}\n})`),
  kernel("a line has at most 110 characters", `export const sum = ${"a + ".repeat(30)}a`),
  kernel("a line has at most 110 characters", `// ${"a".repeat(110)}`),
  kernel("a line has at most 110 characters", `export const text = "${"a".repeat(110)}"`),
  kernel("indentation is two spaces, and nothing trails", "const a = {\n\tb: 1\n}"),
  kernel("indentation is two spaces, and nothing trails", "const a = 1 "),
  kernel(ambient, "export const now = () => new Date()"),
  kernel(ambient, "export const now = Date.now"),
  kernel(ambient, "export const dice = () => Math.random()"),
  kernel(ambient, "console.log(1)"),
  kernel(ambient, "export const home = process.env.HOME"),
  kernel(ambient, "export const later = globalThis.setTimeout"),
  kernel(control, `export const a = () => { throw new Error("no") }`),
  kernel(control, "export const a = async () => 1"),
  kernel(control, "export const a = () => { try { f() } finally { g() } }"),
  kernel("nothing is left to do", `// ${todo}: later`),
  kernel("no check is silenced", `// ${ignore}\nexport const a = 1`),
  kernel("no secret is kept in the tree", `export const example = "${key}${"a".repeat(31)}"`),
  kernel("no pattern switches its flags within", `export const street = /(${"?i"}:blvd|boul)/u`),
  { rule: "no secret is kept in the tree", path: "docs/keys.md", text: `Use ${key}${"0".repeat(31)} here.` },
  kernel("no path of one machine is kept in the tree", `export const folder = "${home}someone/data"`),
  trial(alone, `it.only("a", () => {})`),
  trial(alone, `it.effect.skip("a", () => {})`),
  trial(alone, `describe.skip("a", () => {})`),
  { rule: "a file follows its main export", path: "core/key/Key.ts", text: "export const state = 1" },
  { rule: "a file follows its main export", path: "core/key/key-state.ts", text: "export const state = 1" },
  kernel(vague, "export const keyManager = 1"),
  kernel(vague, "export interface KeyDTO {}"),
  kernel(vague, "export class KeyServiceImpl {}"),
  { rule: vague, path: "core/key/stringUtils.ts", text: "export const join = 1" },
  kernel(words, "export const answerShelf = 1"),
  kernel(words, "const joinLane = 1"),
  kernel(words, "export interface KeyWish {}"),
  kernel(words, "export const asked = 1"),
  kernel(words, "export type Written = 1"),
  kernel("nothing is any", "export const a = (b: any) => b"),
  kernel("type assertions are rare", lines(7, "f(a as string)")),
  kernel("there is no default export", "export default 1")
]

describe("house style", () => {
  it("is kept by the whole tree", () => {
    expect(formatViolations(tidyViolations(readSources(sourceFolders)))).toEqual([])
  })

  it("is kept by documents and scripts, which hold no secret and no machine's path", () => {
    const texts = [...readSources(["docs"], ".md"), ...readSources([".ci"], "run")]
    expect(formatViolations(textViolations(texts))).toEqual([])
  })

  it.each(planted)("a planted breach is caught: $rule", ({ rule, path, text }) => {
    expect(
      tidyViolations([{ path, text: path.endsWith(".md") ? "" : text }])
        .concat(textViolations([{ path, text }]))
        .map((violation) => violation.rule)
    ).toContain(rule)
  })

  it("lets through what it should", () => {
    const text = [
      "export const dateOf = (entry: { Date: string }) => entry.Date",
      "export const words = [1] as const",
      "export const process1 = { process: 1, console: 2 }",
      "export const heartbeat = (planeOf: number) => { const asked = planeOf; return asked }"
    ].join("\n")
    expect(tidyViolations([{ path: "core/page/cursor.ts", text }])).toEqual([])
  })

  it("lets the text of a literal run to 120 characters", () => {
    const text = `export const text = "${"a".repeat(96)}"`
    expect(tidyViolations([{ path: "core/page/cursor.ts", text }])).toEqual([])
  })

  it("counts the lines of each named step for the step, not for the function around it", () => {
    const step = (name: string) => `const ${name} = () => {\n${lines(25, "f()")}\n}`
    const steps = `${step("first")}\n${step("second")}`
    const text = `export const make = gen(function* () {\n${steps}\nreturn { first }\n})`
    expect(tidyViolations([{ path: "core/call/pipeline.ts", text }])).toEqual([])
  })

  it("does not take a chapter of tests for a function", () => {
    const text = `describe("a", () => {\n${lines(60, `it("b", f)`)}\n})`
    expect(tidyViolations([{ path: "test/core/a.test.ts", text }])).toEqual([])
  })
})
