import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { blocksOf } from "../architecture/documents.ts"
import { limitsLaws } from "../kit/limitsLaws.ts"
import { root } from "./terminal.ts"

const path = "docs/porting.md"
const [adapter = "", binding = ""] = blocksOf({ path, text: readFileSync(root + path, "utf8") })
  .filter(({ language }) => language === "ts")
  .map(({ text }) => text)

/** The blocks of the guide where it says they go, in a tree that is otherwise the project's. */
const tree = (blocks: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-port-"))
  mkdirSync(join(folder, "test"))
  for (const name of ["core", "node_modules", "test/kit"]) symlinkSync(join(root, name), join(folder, name))
  for (const [name, text] of Object.entries(blocks)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe("docs/porting.md", () => {
  const folders: Array<string> = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** What vitest says of the guide's binding to its adapter. */
  const verdict = (written: string) => {
    const folder = tree({ "adapters/mine/Limits.ts": written, "test/adapters/mine.test.ts": binding })
    folders.push(folder)
    const report = join(folder, "report.json")
    const command = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder]
    const reporting = ["--reporter=json", `--outputFile=${report}`]
    spawnSync(process.execPath, [...command, ...reporting], { cwd: folder })
    const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, "utf8"))
    return { passed: numPassedTests, of: numTotalTests }
  }

  it("its adapter keeps every law of its port, as its test says", { timeout: 60_000 }, () => {
    expect(verdict(adapter)).toEqual({ passed: limitsLaws.length, of: limitsLaws.length })
  })

  it("the same test catches an adapter that gives nothing back", { timeout: 60_000 }, () => {
    const { of, passed } = verdict(adapter.replace("release(state, entry.requestId)", "state"))
    expect(of).toBe(limitsLaws.length)
    expect(passed).toBeLessThan(limitsLaws.length)
  })
})
