import { execFileSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { version } from "../../apps/version.ts"
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

  it("tells its version", async () => {
    expect(await command(["--version"], environment)).toMatchObject({ code: 0, stdout: `${version}\n` })
    const json = await command(["--version", "--json"], environment)
    expect(JSON.parse(json.stdout)).toEqual({ version })
  })

  it("completes its commands in bash", async () => {
    const { code, stdout } = await commandProcess(["--completions", "bash"], environment)
    expect(code).toBe(0)
    const asked = "COMP_WORDS=(cli keys ''); COMP_CWORD=2; COMP_LINE='cli keys '; COMP_POINT=9"
    const called = "$(complete -p cli | sed 's/.*-F \\([^ ]*\\).*/\\1/') cli '' keys"
    const ask = `${stdout}\n${asked}; ${called}; echo "\${COMPREPLY[@]}"`
    const completed = execFileSync("bash", ["-c", ask], { encoding: "utf8" })
    expect(completed.trim().split(" ")).toEqual(expect.arrayContaining(["create", "revoke", "suspend"]))
  })

  it.each(["zsh", "fish"])("completes its commands in %s", async (shell) => {
    const { stdout } = await commandProcess(["--completions", shell], environment)
    expect(stdout).toMatch(/unsuspend/)
  })

  it("reads a key from standard input", async () => {
    const words = ["keys", "import-legacy", "--org", "org_00000000000000000000000000", "--json"]
    const ran = await commandProcess(words, environment, "not a legacy key\n")
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    expect(ran.stderr).not.toContain("not a legacy key")
  })
})
