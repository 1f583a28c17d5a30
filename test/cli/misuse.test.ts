import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { command } from "./commandLine.ts"

const dataDir = mkdtempSync(join(tmpdir(), "coverage-cli-"))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** No database is there: whoever would open one says SERVER_UNAVAILABLE instead of what is expected. */
const environment = { DATA_DIR: dataDir, DATABASE_URL: "postgresql://nobody:vrt_secret@127.0.0.1:1/none" }

const create = ["keys", "create", "--org", "org_1", "--name", "n"]
const read = [...create, "--scopes", "read"]
const adopt = ["keys", "adopt", "--org", "org_1", "--name", "n", "--scopes", "read"]

interface Case {
  readonly says: string
  readonly words: ReadonlyArray<string>
  readonly code: string
  /** What the sentence must name. */
  readonly names: string
  readonly stdin?: string
}

const cases: ReadonlyArray<Case> = [
  { says: "no command", words: [], code: "COMMAND_UNKNOWN", names: "migrate" },
  { says: "half a command", words: ["org"], code: "COMMAND_UNKNOWN", names: "create" },
  { says: "an unknown command", words: ["vrt_secret"], code: "COMMAND_UNKNOWN", names: "import" },
  {
    says: "an unknown part of a command",
    words: ["keys", "vrt_secret"],
    code: "COMMAND_UNKNOWN",
    names: "adopt"
  },
  { says: "a missing flag", words: ["org", "create"], code: "VALIDATION_REQUIRED_FIELD", names: "--name" },
  {
    says: "a flag without value",
    words: ["org", "create", "--name"],
    code: "VALIDATION_REQUIRED_FIELD",
    names: "--name"
  },
  {
    says: "a flag given twice",
    words: ["org", "create", "--name", "a", "--name", "b"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--name"
  },
  {
    says: "an unknown flag",
    words: ["org", "create", "--nmae", "x"],
    code: "VALIDATION_ERROR",
    names: "--name"
  },
  {
    says: "a key for a flag",
    words: ["org", "show", "--vrt_secret"],
    code: "VALIDATION_ERROR",
    names: "org show"
  },
  { says: "a missing argument", words: ["org", "show"], code: "VALIDATION_REQUIRED_FIELD", names: "<org>" },
  {
    says: "an argument too many",
    words: [...adopt, "vrt_secret"],
    code: "VALIDATION_ERROR",
    names: "keys adopt"
  },
  {
    says: "a name of spaces",
    words: ["org", "create", "--name", "  "],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "--name"
  },
  {
    says: "a name of 201 characters",
    words: ["org", "create", "--name", "a".repeat(201)],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "200"
  },
  {
    says: "an unknown pack",
    words: ["org", "create", "--name", "a", "--pack", "vrt_secret"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "scale"
  },
  {
    says: "an owner without @",
    words: ["org", "create", "--name", "a", "--owner", "vrt_secret"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--owner"
  },
  {
    says: "an unknown pack to choose",
    words: ["org", "pack", "org_1", "gold"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "<pack>"
  },
  {
    says: "a bound of 0",
    words: ["org", "limit", "org_1", "0"],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "1000"
  },
  {
    says: "a bound that is no number",
    words: ["org", "limit", "org_1", "few"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "none"
  },
  {
    says: "a grant of 0",
    words: ["credits", "grant", "org_1", "0"],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "amount"
  },
  {
    says: "a negative grant",
    words: ["credits", "grant", "org_1", "-5"],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "amount"
  },
  {
    says: "a grant above a billion",
    words: ["credits", "grant", "org_1", "1000000001"],
    code: "VALIDATION_OUT_OF_RANGE",
    names: "1000000000"
  },
  {
    says: "a grant in hexadecimal",
    words: ["credits", "grant", "org_1", "0x10"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "amount"
  },
  {
    says: "an unknown scope",
    words: [...create, "--scopes", "read,vrt_secret"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "admin"
  },
  {
    says: "a day that is none",
    words: [...read, "--expires", "2031-02-30T00:00:00Z"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--expires"
  },
  {
    says: "a time without zone",
    words: [...read, "--expires", "2031-02-03T00:00:00"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--expires"
  },
  {
    says: "a network of 33 bits",
    words: [...read, "--cidrs", "10.0.0.0/33"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--cidrs"
  },
  {
    says: "no network",
    words: [...read, "--cidrs", ","],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--cidrs"
  },
  {
    says: "an origin with a path",
    words: [...read, "--origins", "https://a.example/"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--origins"
  },
  { says: "no legacy key", words: adopt, code: "VALIDATION_REQUIRED_FIELD", names: "standard input" },
  {
    says: "a legacy key that no header carries",
    words: adopt,
    code: "VALIDATION_INVALID_FORMAT",
    names: "ASCII",
    stdin: "vrt_\u00e9"
  },
  {
    says: "a key that is no legacy key",
    words: adopt,
    stdin: "svc_live_vrt_secret\n",
    code: "VALIDATION_INVALID_FORMAT",
    names: "vrt_ and"
  },
  {
    says: "the prefix alone",
    words: adopt,
    stdin: "vrt_\n",
    code: "VALIDATION_INVALID_FORMAT",
    names: "vrt_ and"
  },
  {
    says: "two legacy keys",
    words: adopt,
    stdin: "vrt_secret\nvrt_secret2\n",
    code: "VALIDATION_INVALID_FORMAT",
    names: "one key"
  },
  {
    says: "a source that is not there",
    words: ["import", "mcd", "no-such-folder"],
    code: "IMPORT_MALFORMED",
    names: "no-such-folder"
  },
  {
    says: "an edition that is none",
    words: ["import", "hcpcs", "codes.txt", "--edition", "2026-12-31..2026-01-01"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "--edition"
  },
  {
    says: "a table of edits that says nothing of its services",
    words: ["import", "ncci", "no-such-file.txt"],
    code: "VALIDATION_REQUIRED_FIELD",
    names: "--service"
  },
  {
    says: "services that are none",
    words: ["import", "mue", "units.csv", "--service", "vrt_secret"],
    code: "VALIDATION_INVALID_FORMAT",
    names: "dme_supplier"
  },
  {
    says: "a file of edits that is not there",
    words: ["import", "ncci", "no-such-file.txt", "--service", "practitioner"],
    code: "IMPORT_MALFORMED",
    names: "no-such-file.txt"
  },
  {
    says: "a file of policies that is not there",
    words: ["import", "policies", "no-such-file.ndjson"],
    code: "IMPORT_MALFORMED",
    names: "no-such-file.ndjson"
  },
  {
    says: "a list that is not there",
    words: ["import", "prior-auth", "no-such-list.csv"],
    code: "IMPORT_MALFORMED",
    names: "no-such-list.csv"
  },
  {
    says: "a database that is not there",
    words: ["ledger", "org_1"],
    code: "SERVER_UNAVAILABLE",
    names: "DATABASE_URL"
  }
]

describe("contract §4: a command that cannot be carried out", { timeout: 60_000 }, () => {
  it.concurrent.for(cases)(
    "$says is refused with $code, in one sentence that repeats nothing",
    async (row) => {
      const json = await command(["--json", ...row.words], environment, row.stdin)
      expect(json).toMatchObject({ code: 1, stdout: "" })
      const { error } = JSON.parse(json.stderr)
      expect(Object.keys(error)).toEqual(["code", "message"])
      expect(error.code).toBe(row.code)
      expect(error.message).toContain(row.names)
      expect(json.stderr).not.toContain("secret")
      const text = await command(row.words, environment, row.stdin)
      expect(text).toEqual({ code: 1, stdout: "", stderr: `${error.message}\n` })
    }
  )

  it("an environment that is wrong is named by its variable, and looking at it makes nothing", async () => {
    const wrong = await command(["config", "--json"], { DATA_DIR: dataDir, PORT: "vrt_secret" })
    expect(wrong).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(wrong.stderr).error).toEqual({
      code: "CONFIG_INVALID",
      message: "PORT must be a whole number from 0 to 65535."
    })
    const secret = await command(["config"], { DATA_DIR: dataDir, SECRET_KEY: "vrt_secret".repeat(4) })
    expect(secret).toMatchObject({ code: 0, stderr: "" })
    expect(secret.stdout).toMatch(/^SECRET_KEY +\(set\)/m)
    expect(secret.stdout).not.toContain("vrt_")
    const unset = await command(["config", "--json"], { DATA_DIR: join(dataDir, "unmade") })
    expect(JSON.parse(unset.stdout).variables).toContainEqual(
      expect.objectContaining({ name: "SECRET_KEY", given: false })
    )
    expect(readdirSync(dataDir)).not.toContain("unmade")
  })

  it("help goes to stdout for who asks for it, and as one object with --json", async () => {
    const text = await command(["keys", "create", "--help"], environment)
    expect(text).toMatchObject({ code: 0, stderr: "" })
    expect(text.stdout).toContain("--scopes")
    const json = await command(["keys", "create", "--help", "--json"], environment)
    expect(JSON.parse(json.stdout).help).toContain("--scopes")
  })
})
