import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sources } from "../../apps/cli/imports.ts"
import { commandProcess } from "./commandLine.ts"

const folder = mkdtempSync(join(tmpdir(), "coverage-irregular-"))
const environment = { DATA_DIR: join(folder, "data"), DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" }
const pipe = join(folder, "pipe.csv")
const socket = join(folder, "socket.csv")
const server = createServer()

/** Runs the import in its own process, which is killed if it waits for the file. */
const refusal = async (source: string, path: string) => {
  const ran = await commandProcess(["import", source, path, "--json"], environment)
  expect(ran).toMatchObject({ code: 1, stdout: "" })
  return JSON.parse(ran.stderr).error
}

describe("contract §4 an import reads regular files alone", { timeout: 30_000 }, () => {
  beforeAll(async () => {
    execFileSync("mkfifo", [pipe])
    await new Promise<void>((resolve) => server.listen(socket, resolve))
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.keys(sources))("import %s refuses a pipe at once", async (source) => {
    expect(await refusal(source, pipe)).toEqual({
      code: "IMPORT_MALFORMED",
      message: "pipe.csv: it is a pipe, not a regular file."
    })
  })

  it("refuses a socket, a device and a folder in one sentence", async () => {
    const message = async (path: string) => (await refusal("hcpcs", path)).message
    expect(await message(socket)).toBe("socket.csv: it is a socket, not a regular file.")
    expect(await message("/dev/zero")).toBe("zero: it is a device, not a regular file.")
    expect(await message(folder)).toMatch(/^coverage-irregular-\S+: it is a folder\.$/)
    for (const source of ["policies", "prior-auth", "ncd-codes"])
      expect((await refusal(source, folder)).message).toMatch(/^coverage-irregular-\S+: it is a folder\.$/)
  })

  it("refuses a pipe among the tables of a folder", async () => {
    const tables = join(folder, "mcd")
    mkdirSync(tables)
    for (const name of readdirSync("apps/sandbox/fixtures/mcd"))
      copyFileSync(join("apps/sandbox/fixtures/mcd", name), join(tables, name))
    rmSync(join(tables, "lcd.csv"))
    execFileSync("mkfifo", [join(tables, "lcd.csv")])
    expect(await refusal("mcd", tables)).toEqual({
      code: "IMPORT_MALFORMED",
      message: "lcd.csv: it is not a regular file."
    })
  })
})
