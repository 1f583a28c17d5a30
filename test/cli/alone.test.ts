import { once } from "node:events"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { clusterOf, forget } from "../kit/dataDir.ts"
import { answer, begin, command, outputOf, startServer } from "./commandLine.ts"

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
  seconds: expect.any(Number),
  warnings: expect.any(Array)
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

  it("demo makes an organization, a key and the sample once; again it keeps all but the key", async () => {
    const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-demo-")) }
    const made = await answer(["demo"], environment)
    const { key, organization_id, url } = made
    expect(made).toEqual({
      organization_id: expect.stringMatching(/^org_/),
      key: expect.stringMatching(/^svc_live_/),
      url: expect.stringMatching(/\/api\/v1\/claims\/validate$/)
    })
    const again = await answer(["demo"], environment)
    expect(again).toMatchObject({ organization_id, url })
    expect(again.key).not.toBe(key)
    const { keys } = await answer(["keys", "list", String(organization_id)], environment)
    expect(keys).toMatchObject([{ state: "revoked" }, { state: "valid" }])
    forget(environment.DATA_DIR)
  })

  it("demo leaves a library of its own alone, and refuses in production", async () => {
    const own = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-own-")) }
    await answer(["import", "mcd", "apps/sandbox/fixtures/mcd-next"], own)
    const { stdout } = await command(["demo"], own)
    expect(stdout).toContain("the sample was left out")
    const { stderr } = await command(["demo"], {
      ...own,
      ENVIRONMENT: "production",
      BASE_URL: "https://api.example.com",
      SECRET_KEY: "s".repeat(32),
      EMAIL_TO_LOG: "1"
    })
    expect(stderr).toContain("no demo in production")
    forget(own.DATA_DIR)
  })

  it("Ctrl-C while PostgreSQL starts leaves nothing running", async () => {
    const own = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-early-")) }
    await answer(["migrate"], own)
    const pid = join(clusterOf(own.DATA_DIR), "data", "postmaster.pid")
    const child = begin(["apps/cli/main.ts", "migrate"], own)
    const end = outputOf(child)
    await expect.poll(() => existsSync(pid), { interval: 1, timeout: 20_000 }).toBe(true)
    child.kill("SIGINT")
    expect(await end).toMatchObject({ code: 130 })
    expect(existsSync(pid)).toBe(false)
    forget(own.DATA_DIR)
  })

  it("an import tells how far it is; Ctrl-C ends it with 130, and the next run finishes it", async () => {
    const file = join(folder, "icd10cm-order-Apr-2021.txt")
    writeFileSync(file, Array.from({ length: 90_000 }, (_, index) => orderLine(index + 1)).join(""))
    const child = begin(["apps/cli/main.ts", "import", "icd10cm", file], environment)
    const end = outputOf(child)
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
    const first = await importing("mcd", "apps/sandbox/fixtures/mcd")
    expect(first).toEqual(report)
    expect(first.policies).toBeGreaterThan(0)
    expect(first.versions).toBeGreaterThan(0)
    const { snapshot } = first
    expect(await importing("mcd", "apps/sandbox/fixtures/mcd")).toMatchObject({
      snapshot,
      unchanged: true,
      versions: 0
    })
    const again = await command(["import", "mcd", "apps/sandbox/fixtures/mcd"], environment)
    expect(again.stdout).toContain("imported before")
  })

  it("a fee schedule is imported once; the same bytes of another edition are another snapshot", async () => {
    const fees = "apps/sandbox/fixtures/pfs/PPRRVU2026_Jan.csv"
    const first = await importing("pfs", fees)
    expect(first).toMatchObject({ unchanged: false, policies: 0 })
    expect(await importing("pfs", fees)).toMatchObject({ snapshot: first.snapshot, unchanged: true })
    const stated = await importing("pfs", fees, "--edition", "2027-01-01..2027-12-31")
    expect(stated.unchanged).toBe(false)
    expect(stated.snapshot).not.toBe(first.snapshot)
  })

  it("code sets come plain or gzipped, and the same bytes are the same snapshot", async () => {
    const order = readFileSync("apps/sandbox/fixtures/codes/icd10cm-order-Jan-2021.txt")
    const packed = join(folder, "icd10cm-order-Jan-2021.txt.gz")
    writeFileSync(packed, gzipSync(order))
    expect(await importing("hcpcs", "apps/sandbox/fixtures/codes/hcpcs.txt")).toEqual({
      ...report,
      policies: 0
    })
    const first = await importing("icd10cm", packed)
    expect(first).toEqual({ ...report, policies: 0 })
    expect(
      await importing("icd10cm", "apps/sandbox/fixtures/codes/icd10cm-order-Jan-2021.txt")
    ).toMatchObject({
      snapshot: first.snapshot,
      unchanged: true
    })
  })

  it("coverage-domain §1.3 NCCI tables are imported once, for the services of their names", async () => {
    const pairs = "apps/sandbox/fixtures/ncci/ccipra-v321r0-f1.txt"
    const none = { policies: 0, versions: 0, changes: 0 }
    const first = await importing("ncci", pairs)
    expect(first).toEqual({ ...report, ...none, codes: 11 })
    expect(await importing("ncci", pairs)).toMatchObject({
      snapshot: first.snapshot,
      codes: 0,
      unchanged: true
    })
    const hospital = await importing("ncci", pairs, "--service", "outpatient_hospital")
    expect(hospital).toEqual({ ...report, ...none, codes: 11 })
    expect(hospital.snapshot).not.toBe(first.snapshot)
    const units = "apps/sandbox/fixtures/mue/MCR_MUE_PractitionerServices_Eff_01-01-2026.csv"
    expect(await importing("mue", units)).toEqual({ ...report, ...none, codes: 15, skipped_rows: 0 })
    const again = await command(["import", "mue", units], environment)
    expect(again.stdout).toContain("imported before")
    const supplies = "apps/sandbox/fixtures/mue/MCR_MUE_DMESupplierServices_Eff_01-01-2026.txt"
    const shown = await command(["import", "mue", supplies], environment)
    expect(shown.stdout).toMatch(/ s: 4 edits\.$/m)
  })

  it("contract §4 a list of prior authorization is shipped, and a later one replaces it", async () => {
    const shipped = "apps/lists/prior-auth/DMEPOS.csv"
    const none = { policies: 0, versions: 0, changes: 0 }
    expect(await importing("prior-auth", shipped)).toEqual({ ...report, ...none, codes: 0, unchanged: true })
    const later = join(folder, "DMEPOS.csv")
    const text = readFileSync(shipped, "utf8")
    writeFileSync(later, text.replaceAll("2026-04-13\n", "2026-05-01\n"))
    const first = await importing("prior-auth", later)
    expect(first).toEqual({ ...report, ...none, codes: 78 })
    expect(await importing("prior-auth", later)).toMatchObject({
      snapshot: first.snapshot,
      codes: 0,
      unchanged: true
    })
    const refusalOf = async (change: string) => {
      writeFileSync(later, text.replaceAll("2026-04-13\n", `${change}\n`))
      const ran = await command(["import", "prior-auth", later, "--json"], environment)
      expect(ran).toMatchObject({ code: 1, stdout: "" })
      return JSON.parse(ran.stderr).error
    }
    const older = await refusalOf("2026-04-12")
    expect(older.code).toBe("IMPORT_OLDER")
    expect(older.message).toMatch(/^This source is of 2026-04-12 and one of 2026-05-01 was imported before/)
    expect(await refusalOf("2206-04-13")).toEqual({
      code: "IMPORT_MALFORMED",
      message: "DMEPOS.csv: its list_as_of is a day to come."
    })
  })

  it("contract §4 policies of payers are imported once", async () => {
    const first = await importing("policies", "apps/sandbox/fixtures/policies.ndjson")
    expect(first).toEqual({ ...report, policies: 7, versions: 9, changes: 9 })
    expect(await importing("policies", "apps/sandbox/fixtures/policies.ndjson")).toMatchObject({
      snapshot: first.snapshot,
      unchanged: true,
      versions: 0
    })
  })

  it("a payer's file is refused with every fault, by line and pointer, and nothing is kept", async () => {
    const broken = join(folder, "broken.ndjson")
    const policy =
      '{"record": "policy", "policy_id": "L33831", "plicy_type": "PayerPolicy", "payer_code": "x", "versions": []}'
    writeFileSync(broken, `{"record": "payer"\n${policy}\n`)
    const ran = await command(["import", "policies", broken, "--json"], environment)
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(ran.stderr).error).toEqual({
      code: "IMPORT_MALFORMED",
      message:
        "broken.ndjson: line 1: it is no JSON object; line 2 at /plicy_type: it is not known here; " +
        "line 2 at /policy_type: it is missing; " +
        "line 2 at /versions: it must be a value with a length of at least 1."
    })
  })

  it("a malformed file is refused by its name, line and reason, and nothing of it is kept", async () => {
    const cut = join(folder, "cut.txt")
    writeFileSync(cut, readFileSync("apps/sandbox/fixtures/codes/hcpcs.txt").subarray(0, 400))
    const ran = await command(["import", "hcpcs", cut, "--json"], environment)
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    const { error } = JSON.parse(ran.stderr)
    expect(error.code).toBe("IMPORT_MALFORMED")
    expect(error.message).toMatch(/^cut\.txt, line \d+: /)
  })

  it("the operator is told how many LCDs came without lcd.csv", async () => {
    const source = join(folder, "mcd")
    cpSync("apps/sandbox/fixtures/mcd", source, {
      recursive: true,
      filter: (path) => !path.endsWith("/lcd.csv")
    })
    const ran = await command(["import", "mcd", source], environment)
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/^LCDs without a row of lcd\.csv .*: \d+\.$/m)
  })
})
