import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { forget } from "../kit/dataDir.ts"
import { answer, command, startServer } from "./commandLine.ts"

const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  server = await startServer(environment)
})
afterAll(async () => {
  await server.stop()
  forget(environment.DATA_DIR)
})

const told = (words: ReadonlyArray<string>, stdin?: string) => answer(words, environment, stdin)
const newOrganization = async (...words: ReadonlyArray<string>): Promise<string> =>
  String((await told(["org", "create", "--name", "Acme", ...words])).organization_id)
const newKey = (org: string, ...words: ReadonlyArray<string>) =>
  told(["keys", "create", "--org", org, "--name", "first", "--scopes", "read", ...words])

const refusal = async (words: ReadonlyArray<string>, stdin?: string): Promise<string> => {
  const ran = await command([...words, "--json"], environment, stdin)
  expect(ran).toMatchObject({ code: 1, stdout: "" })
  return JSON.parse(ran.stderr).error.code
}

/** What the running server says to the key. */
const calling = async (key: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const path = `${server.url}/api/v1/jurisdictions`
  const response = await fetch(path, { headers: { authorization: `Bearer ${key}`, ...headers } })
  return response.status === 200 ? "answered" : /"code":"([A-Z_]+)"/.exec(await response.text())?.[1]
}

describe("contract §4: organizations, beside a running server", { timeout: 60_000 }, () => {
  it("§1 a new organization has its name, its pack and 100 starter credits", async () => {
    expect(await told(["org", "create", "--name", "  Acme Health ", "--owner", "ann@acme.example"])).toEqual({
      organization_id: expect.stringMatching(/^org_[0-9a-hjkmnp-tv-z]{26}$/),
      name: "Acme Health",
      pack: "credits",
      credits: 100
    })
    expect(await told(["org", "create", "--name", "B", "--pack", "scale"])).toMatchObject({
      pack: "scale",
      credits: 1_000_100
    })
  })

  it("§8 a higher pack applies at once and a lower one waits for the renewal", async () => {
    const org = await newOrganization()
    const scale = { organization_id: org, name: "Acme", pack: "scale", credits: 1_000_100 }
    const chosen = await told(["org", "pack", org, "scale"])
    expect(chosen).toMatchObject(scale)
    expect(Math.abs(Date.parse(String(chosen["takes_effect"])) - Date.now())).toBeLessThan(60_000)
    expect(await told(["org", "pack", org, "build"])).toMatchObject({
      ...scale,
      takes_effect: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/)
    })
    expect(await told(["org", "show", org])).toEqual(scale)
    const shown = await command(["org", "show", org], environment)
    expect(shown.stdout).toMatch(/^pack +Scale \(Build from its renewal\)$/m)
  })

  it("contract §1 the operator bounds calls in flight and lifts the bound", async () => {
    const org = await newOrganization()
    expect(await told(["org", "limit", org, "5"])).toMatchObject({ organization_id: org, concurrent_max: 5 })
    const shown = await command(["org", "show", org], environment)
    expect(shown.stdout).toContain("at most 5")
    expect(await told(["org", "limit", org, "none"])).toMatchObject({ concurrent_max: null })
  })

  it("§8.3 a grant adds to the balance every time, and the ledger sums", async () => {
    const org = await newOrganization()
    expect(await told(["credits", "grant", org, "500"])).toEqual({ organization_id: org, credits: 600 })
    expect(await told(["credits", "grant", org, "500"])).toEqual({ organization_id: org, credits: 1_100 })
    const { key } = await newKey(org)
    expect(await calling(key)).toBe("answered")
    expect(await told(["ledger", org])).toEqual({
      organization_id: org,
      granted: 1_100,
      charged: 1,
      refunded: 0,
      expired: 0,
      balance: 1_099,
      entries: 4
    })
  })

  it("an organization nobody knows is RESOURCE_NOT_FOUND to every command", async () => {
    const commands = [
      ["org", "show", "org_x"],
      ["org", "suspend", "org_x"],
      ["org", "unsuspend", "org_x"],
      ["org", "pack", "org_x", "build"],
      ["org", "limit", "org_x", "1"],
      ["credits", "grant", "org_x", "1"],
      ["keys", "list", "org_x"],
      ["ledger", "org_x"],
      ["keys", "create", "--org", "org_x", "--name", "n", "--scopes", "read"]
    ]
    expect(new Set(await Promise.all(commands.map((words) => refusal(words))))).toEqual(
      new Set(["RESOURCE_NOT_FOUND"])
    )
    const adopt = ["keys", "adopt", "--org", "org_x", "--name", "n", "--scopes", "read"]
    expect(await refusal(adopt, "vrt_nobody")).toBe("RESOURCE_NOT_FOUND")
  })
})

describe("contract §4: keys, beside a running server", { timeout: 60_000 }, () => {
  it("§2.5 a new key works at once and is shown only by the command that made it", async () => {
    const org = await newOrganization()
    const made = await newKey(
      org,
      "--expires",
      "2090-01-01T00:00:00+02:00",
      "--cidrs",
      "127.0.0.0/8,::1",
      "--origins",
      "HTTPS://App.Example.com:443"
    )
    expect(made).toEqual({
      key_id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{26}$/),
      key: expect.stringMatching(/^svc_live_[0-9a-hjkmnp-tv-z]{27}_[0-9a-hjkmnp-tv-z]{4}$/),
      scopes: ["read"],
      expires_at: "2089-12-31T22:00:00.000Z"
    })
    expect(await calling(made.key)).toBe("answered")
    expect(await calling(made.key, { origin: "https://app.example.com" })).toBe("answered")
    expect(await calling(made.key, { origin: "https://other.example.com" })).toBe("AUTHZ_ORIGIN_NOT_ALLOWED")
    const { keys } = await told(["keys", "list", org])
    expect(keys).toEqual([
      {
        key_id: made.key_id,
        name: "first",
        mode: "live",
        scopes: ["read"],
        state: "valid",
        reason: null,
        created_at: expect.any(String),
        expires_at: made.expires_at,
        last_used_at: expect.toBeOneOf([null, expect.any(String)]),
        allowed_cidrs: ["127.0.0.0/8", "::1"],
        allowed_origins: ["https://app.example.com"],
        release_id: null
      }
    ])
    const listed = await command(["keys", "list", org], environment)
    expect(listed.stdout).not.toContain(String(made.key).slice(9))
  })

  it("without --json the new key is shown with a sentence that it will not be shown again", async () => {
    const org = await newOrganization()
    const words = ["keys", "create", "--org", org, "--name", "n", "--scopes", "read,write"]
    const { stdout } = await command(words, environment)
    expect(stdout).toMatch(/^key +svc_live_\S+$/m)
    expect(stdout).toContain("will not be shown again")
  })

  it("contract §1 the certified scope is never mixed, and an expiry lies in the future", async () => {
    const org = await newOrganization()
    const create = ["keys", "create", "--org", org, "--name", "n", "--scopes"]
    const certified = "certified:derived_decision:read"
    expect(await refusal([...create, `read,${certified}`])).toBe("VALIDATION_INVALID_FORMAT")
    expect(await refusal([...create, ""])).toBe("VALIDATION_REQUIRED_FIELD")
    expect(await refusal([...create, "read", "--expires", "2020-01-01T00:00:00Z"])).toBe(
      "VALIDATION_OUT_OF_RANGE"
    )
    expect(await refusal([...create, certified, "--release", "rel_1"])).toBe("RESOURCE_NOT_FOUND")
    expect(await told([...create, certified])).toMatchObject({ scopes: [certified] })
    const { keys } = await told(["keys", "list", org])
    expect(keys).toMatchObject([{ release_id: null }])
  })

  it("contract §1 a legacy key is adopted once, from standard input, and then works", async () => {
    const org = await newOrganization()
    const words = ["keys", "adopt", "--org", org, "--name", "old", "--scopes", "read"]
    const key = `vrt_${org}!legacy`
    expect(await calling(key)).toBe("AUTH_KEY_NOT_FOUND")
    const adopted = await told(words, `${key}\n`)
    expect(adopted).toEqual({ key_id: expect.stringMatching(/^key_/) })
    // The server learns of it by a notification, as of every change of a key (contract §1: within a second).
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("answered")
    expect(await refusal(words, key)).toBe("KEY_TAKEN")
    expect(await told(["keys", "list", org])).toMatchObject({ keys: [{ key_id: adopted.key_id }] })
  })

  it("§3.2 a key is suspended, lifted and revoked for ever, and done again changes nothing", async () => {
    const { key, key_id } = await newKey(await newOrganization())
    const change = (action: string, ...words: ReadonlyArray<string>) =>
      told(["keys", action, String(key_id), ...words])
    for (const _ of [1, 2])
      expect(await change("suspend", "--reason", "leaked")).toEqual({ key_id, state: "suspended" })
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("AUTH_KEY_SUSPENDED")
    for (const _ of [1, 2]) expect(await change("unsuspend")).toEqual({ key_id, state: "valid" })
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("answered")
    for (const _ of [1, 2]) expect(await change("revoke")).toEqual({ key_id, state: "revoked" })
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("AUTH_KEY_REVOKED")
    for (const action of ["suspend", "unsuspend"])
      expect(await refusal(["keys", action, String(key_id)])).toBe("AUTH_KEY_REVOKED")
    expect(await refusal(["keys", "revoke", "key_x"])).toBe("RESOURCE_NOT_FOUND")
  })

  it("§3.2 a suspended organization's keys are suspended until it is lifted", async () => {
    const org = await newOrganization()
    const { key } = await newKey(org)
    await told(["org", "suspend", org, "--reason", "unpaid"])
    expect(await told(["keys", "list", org])).toMatchObject({ keys: [{ state: "suspended" }] })
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("AUTH_KEY_SUSPENDED")
    await told(["org", "unsuspend", org])
    await expect.poll(() => calling(key), { timeout: 20_000 }).toBe("answered")
  })
})

describe("contract §4: import ncd-codes, beside a running server", { timeout: 60_000 }, () => {
  it("adds rows, is unchanged a second time, and refuses a malformed row by file and line", async () => {
    const path = join(environment.DATA_DIR, "own.csv")
    const header = "policy_id,code,role,source,source_url\n"
    writeFileSync(
      path,
      `${header}NCD 20.32,33361,names,A circular of ours,\nNCD 20.32,33999,names,The same,\n`
    )
    const first = await told(["import", "ncd-codes", path])
    expect(first).toEqual({
      snapshot: expect.stringMatching(/^[0-9a-f]{64}$/),
      policies: 0,
      versions: 0,
      codes: 2,
      changes: 0,
      unchanged: false,
      seconds: expect.any(Number),
      warnings: []
    })
    expect(await told(["import", "ncd-codes", path])).toMatchObject({ codes: 0, unchanged: true })
    writeFileSync(path, `${header}NCD 20.32,33361,names,A circular of ours,\nNCD 20.32,bad,names,The same,\n`)
    const ran = await command(["import", "ncd-codes", path, "--json"], environment)
    expect(JSON.parse(ran.stderr).error).toEqual({
      code: "IMPORT_MALFORMED",
      message: "own.csv, line 3: its code is no procedure code."
    })
    expect(await told(["migrate"])).toEqual({ applied: [] })
  })
})
