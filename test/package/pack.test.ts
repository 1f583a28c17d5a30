import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { documents } from "../../adapters/http/docs/documents.ts"

const root = join(import.meta.dirname, "..", "..")
const modules = join(root, "node_modules")
const place = mkdtempSync(join(tmpdir(), "coverage-test-package-"))
const example = join(place, "example")

/** What the example would install beside the package: taken from here, so that nothing is downloaded. */
const installed = ["effect", "@effect/vitest", "fast-check", "vitest", "@types/node", "undici-types"]

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
})
