import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hoverTexts } from "./hover.ts"
import { documents } from "../../adapters/http/docs/documents.ts"

const root = join(import.meta.dirname, "..", "..")
const modules = join(root, "node_modules")
const place = mkdtempSync(join(tmpdir(), "coverage-test-package-"))
const example = join(place, "example")

/** What the example would install beside the package: taken from here, so that nothing is downloaded. */
const installed = [
  ...["effect", "@effect/vitest", "fast-check", "vitest", "@types/node", "undici-types"],
  // What some laws set their scene with.
  ...["@effect/sql-pg", "better-auth", "kysely"]
]

const run = (command: string, parameters: ReadonlyArray<string>, cwd: string) => {
  const path = `${join(modules, ".bin")}:${process.env["PATH"]}`
  const { VITEST: _, FORCE_COLOR: __, ...environment } = process.env
  const ended = spawnSync(command, parameters, {
    cwd,
    encoding: "utf8",
    env: { ...environment, PATH: path, NO_COLOR: "1" }
  })
  return { status: ended.status, output: ended.stdout + ended.stderr }
}

const modulesOf = (folder: string) => readdirSync(join(root, folder)).map((file) => basename(file, ".ts"))

describe("the published package", () => {
  beforeAll(() => {
    const packed = run("npm", ["pack", "--json", "--pack-destination", place], root)
    expect(packed.status, packed.output).toBe(0)
    cpSync(join(import.meta.dirname, "example"), example, { recursive: true })
    const target = join(example, "node_modules", "coverage-policy")
    mkdirSync(target, { recursive: true })
    expect(
      run(
        "tar",
        ["-xzf", join(place, "coverage-policy-0.1.0.tgz"), "-C", target, "--strip-components=1"],
        place
      ).status
    ).toBe(0)
    for (const name of installed) {
      const link = join(example, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(modules, name), link)
    }
  }, 180_000)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it("lets a stranger's adapter be written against its types", () => {
    const checked = run(join(modules, "@effect/tsgo-linux-x64/lib/tsc"), ["-p", "."], example)
    expect(checked.output.split("\n").filter((line) => line.includes(" error "))).toEqual([])
  }, 120_000)

  it("shows what a field means where an editor hovers over a request or a response", async () => {
    const compiler = join(modules, "@effect/tsgo-linux-x64/lib/tsc")
    const words = [
      "procedure_codes",
      "denial_risk",
      "condition_id",
      "data_as_of",
      "as_of",
      "work_rvu",
      "icd10",
      "has_more"
    ]
    const texts = await hoverTexts(compiler, join(example, "calls.ts"), words)
    const bare = words.filter((word) => texts[word]?.endsWith(".") !== true)
    expect(bare, JSON.stringify(texts)).toEqual([])
    expect(texts["denial_risk"]).toContain("The risk that a payer denies the claim")
  }, 60_000)

  it("holds a stranger's adapter to the laws under vitest", () => {
    const ended = run("vitest", ["run"], example)
    expect(ended.status, ended.output).toBe(0)
    expect(ended.output).toMatch(/Tests.* [1-9]\d* passed/)
  }, 180_000)

  it("and under node's own runner", () => {
    const ended = run("node", ["--test", "node.ts"], example)
    expect(ended.status, ended.output).toBe(0)
    expect(ended.output).toMatch(/pass [1-9]\d*\n[\s\S]*fail 0/)
  }, 180_000)

  it("shows every page of the documentation, the guides among them", () => {
    const ended = run("node", ["docs.ts"], example)
    expect(ended.output.trim().split("\n")).toEqual(documents.map(({ path }) => `${path} 200 says something`))
  }, 60_000)

  it("tells who lacks fast-check to install it, for the laws; the rest needs none", () => {
    rmSync(join(example, "node_modules", "fast-check"))
    const names = ["client", "core", "core/limit/acquire", "adapters/memory/Limits", "kit", "kit/limitsLaws"]
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, await import(
      "coverage-policy/" + name).then(() => "loads", ({ message }) => message))`
    const { output } = run("node", ["--input-type=module", "-e", script], example)
    const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).peerDependencies[
      "fast-check"
    ]
    const told = `The laws of coverage-policy need fast-check: npm install --save-dev fast-check@${version}`
    expect(output.trim().split("\n")).toEqual(
      names.map((name) => `${name} ${name.startsWith("kit") ? told : "loads"}`)
    )
  }, 60_000)

  it("has every port and every law at its doors", () => {
    const target = join(example, "node_modules", "coverage-policy", "dist")
    const [core, kit] = ["core.js", "kit.js"].map((door) => readFileSync(join(target, door), "utf8"))
    const portless = modulesOf("core/port").filter((name) => !core?.includes(`"./core/port/${name}.js"`))
    const laws = modulesOf("test/kit").filter((name) => name.endsWith("Laws"))
    expect([portless, laws.filter((name) => !kit?.includes(`"./kit/${name}.js"`))]).toEqual([[], []])
  })
})
