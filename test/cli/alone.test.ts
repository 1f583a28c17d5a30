import { once } from "node:events"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { clusterOf, forget } from "../kit/dataDir.ts"
import { answer, begin, command, ended, startServer } from "./commandLine.ts"

const folder = mkdtempSync(join(tmpdir(), "coverage-cli-files-"))
const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  forget(environment.DATA_DIR)
})

const report = {
  snapshot: expect.stringMatching(/^[0-9a-f]{64}$/),
  policies: expect.any(Number),
  versions: expect.any(Number),
  codes: expect.any(Number),
  changes: expect.any(Number),
  unchanged: false,
  seconds: expect.any(Number)
}

describe("contract §4: the command line without a server", { timeout: 60_000 }, () => {
  it("migrate names what it applied, and the second time nothing; nothing is left running", async () => {
    const { applied } = await answer(["migrate"], environment)
    expect(applied).toContain("0001-accounts")
    expect(await answer(["migrate"], environment)).toEqual({ applied: [] })
    expect(isRunning()).toBe(false)
  })

  it("what one command made the next one finds", async () => {
    const made = await answer(["org", "create", "--name", "Alone"], environment)
    expect(await answer(["org", "show", String(made.organization_id)], environment)).toEqual(made)
  })

  it("an import tells how far it is; Ctrl-C ends it with 130, and the next run finishes it", async () => {
    const file = join(folder, "icd10cm-order-Apr-2021.txt")
    writeFileSync(file, Array.from({ length: 90_000 }, (_, index) => orderLine(index + 1)).join(""))
    const child = begin(["apps/cli/main.ts", "import", "icd10cm", file], environment)
    const end = ended(child)
    await once(child.stderr, "data")
    child.kill("SIGINT")
    const interrupted = await end
    expect(interrupted).toMatchObject({ code: 130, stdout: "" })
    expect(interrupted.stderr).toMatch(/^((reading|codes: [\d,]+ of 90,000), \d+ s\n)+$/)
    expect(isRunning()).toBe(false)
    expect(await answer(["import", "icd10cm", file], environment)).toMatchObject({ unchanged: false })
    expect(await answer(["import", "icd10cm", file], environment)).toMatchObject({
      unchanged: true,
      codes: 0
    })
  })
})

/** Whether PostgreSQL still serves the data folder. */
const isRunning = () => existsSync(join(clusterOf(environment.DATA_DIR), "data", "postmaster.pid"))

/** A line of an order file, invented: number, code, flag, short and long text. */
const orderLine = (number: number): string => {
  const digits = String(number).padStart(5, "0")
  return `${digits} A${digits}  1 ${`Invented ${number}`.padEnd(60)} Invented condition ${number}\n`
}

describe("contract §4: imports, with a server beside them", { timeout: 60_000 }, () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer(environment)
  })
  afterAll(() => server.stop())

  const importing = (...words: ReadonlyArray<string>) => answer(["import", ...words], environment)

  it("§2.7 the Medicare Coverage Database is imported once, whatever is asked again", async () => {
    const first = await importing("mcd", "test/fixtures/mcd")
    expect(first).toEqual(report)
    expect(first.policies).toBeGreaterThan(0)
    expect(first.versions).toBeGreaterThan(0)
    const { snapshot } = first
    expect(await importing("mcd", "test/fixtures/mcd")).toMatchObject({
      snapshot,
      unchanged: true,
      versions: 0
    })
    const again = await command(["import", "mcd", "test/fixtures/mcd"], environment)
    expect(again.stdout).toContain("imported before")
  })

  it("code sets come plain or gzipped, and the same bytes are the same snapshot", async () => {
    const order = readFileSync("test/fixtures/codes/icd10cm-order-Jan-2021.txt")
    const packed = join(folder, "icd10cm-order-Jan-2021.txt.gz")
    writeFileSync(packed, gzipSync(order))
    expect(await importing("hcpcs", "test/fixtures/codes/hcpcs.txt")).toEqual({ ...report, policies: 0 })
    const first = await importing("icd10cm", packed)
    expect(first).toEqual({ ...report, policies: 0 })
    expect(await importing("icd10cm", "test/fixtures/codes/icd10cm-order-Jan-2021.txt")).toMatchObject({
      snapshot: first.snapshot,
      unchanged: true
    })
  })

  it("a malformed file is refused by its name, line and reason, and nothing of it is kept", async () => {
    const cut = join(folder, "cut.txt")
    writeFileSync(cut, readFileSync("test/fixtures/codes/hcpcs.txt").subarray(0, 400))
    const ran = await command(["import", "hcpcs", cut, "--json"], environment)
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    const { error } = JSON.parse(ran.stderr)
    expect(error.code).toBe("IMPORT_MALFORMED")
    expect(error.message).toMatch(/^cut\.txt, line \d+: /)
  })

  it("the operator is told how many LCDs came without lcd.csv", async () => {
    const source = join(folder, "mcd")
    cpSync("test/fixtures/mcd", source, { recursive: true, filter: (path) => !path.endsWith("/lcd.csv") })
    const ran = await command(["import", "mcd", source], environment)
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/^LCDs without a row of lcd\.csv .*: \d+\.$/m)
  })
})
