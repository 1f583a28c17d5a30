import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { forget } from "../kit/dataDir.ts"
import { command, commandProcess } from "./commandLine.ts"

const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
afterAll(() => forget(environment.DATA_DIR))

describe("contract §4: a command as a process of its own", () => {
  it.each([
    ["answers", ["config", "--json"], 0],
    ["says how it is used", ["--help"], 0],
    ["refuses what it does not know", ["nonsense"], 1],
    ["refuses it as JSON", ["keys", "create", "--json"], 1]
  ])("%s as within another process, and ends with its code", async (_, words, code) => {
    const ran = await commandProcess(words, environment)
    expect(ran).toEqual(await command(words, environment))
    expect(ran.code).toBe(code)
    expect(code === 0 ? ran.stderr : ran.stdout).toBe("")
  })

  it("reads a key from standard input", async () => {
    const words = ["keys", "import-legacy", "--org", "org_00000000000000000000000000", "--json"]
    const ran = await commandProcess(words, environment, "not a legacy key\n")
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    expect(ran.stderr).not.toContain("not a legacy key")
  })
})
