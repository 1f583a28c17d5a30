import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { forget } from "../kit/dataDir.ts"
import { answer, command, startServer } from "./commandLine.ts"

const folder = mkdtempSync(join(tmpdir(), "coverage-releases-"))
const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
const elsewhere = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
let server: Awaited<ReturnType<typeof startServer>>
let release = ""

beforeAll(async () => {
  server = await startServer(environment)
  for (const source of sources) await answer(["import", ...source], environment)
  release = String((await told("certify", "--expires", "2099-01-31")).release_id)
}, 120_000)
afterAll(async () => {
  await server.stop()
  for (const { DATA_DIR } of [environment, elsewhere]) forget(DATA_DIR)
  rmSync(folder, { recursive: true, force: true })
})

const sources = [
  ["mcd", "apps/sandbox/fixtures/mcd"],
  ["policies", "apps/sandbox/fixtures/policies.ndjson"]
]

const told = (...words: ReadonlyArray<string>) => answer(["release", ...words], environment)

/** The code and the sentence of a command that is refused. */
const refusal = async (words: ReadonlyArray<string>) => {
  const ran = await command(["release", ...words, "--json"], environment)
  expect(ran).toMatchObject({ code: 1, stdout: "" })
  return JSON.parse(ran.stderr).error as { readonly code: string; readonly message: string }
}

const certified = "certified:derived_decision:read"

const newOrganization = async () =>
  String((await answer(["org", "create", "--name", "Acme"], environment)).organization_id)
const keyWords = (org: string, ...words: ReadonlyArray<string>) =>
  ["keys", "create", "--org", org, "--name", "a", ...words] as const
const newKey = async (...words: ReadonlyArray<string>) =>
  answer(keyWords(await newOrganization(), "--scopes", certified, ...words), environment)

/** What the running server answers to the key. */
const reading = (key: unknown, id = release) =>
  fetch(`${server.url}/api/v1/releases/${id}/decisions?code=E0650`, {
    headers: { authorization: `Bearer ${key}` }
  })

describe("contract §4: release certify", { timeout: 60_000 }, () => {
  const shown = {
    release_id: expect.stringMatching(/^rel_[0-9a-f]{64}$/),
    state: "available",
    source_as_of: "2026-03-31",
    decisions: expect.any(Number),
    policies: expect.any(Number),
    dataset_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    source_set_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    certified_at: expect.any(String),
    expires_at: "2099-01-31T00:00:00.000Z",
    endings: []
  }

  it("the same again is the same release, as it was certified first", async () => {
    const again = await told("certify", "--expires", "2050-01-31")
    expect(again).toEqual({ ...shown, release_id: release, unchanged: true, seconds: expect.any(Number) })
    expect(again["decisions"]).toBeGreaterThan(50)
    expect(await told("show", release)).toEqual({ ...shown, release_id: release })
    expect(await told("list")).toEqual({ releases: [{ ...shown, release_id: release }] })
  })

  it("another machine that imported the same, in another order, certifies the same release", async () => {
    for (const source of sources.toReversed()) await answer(["import", ...source], elsewhere)
    expect(await answer(["release", "certify"], elsewhere)).toMatchObject({
      release_id: release,
      unchanged: false
    })
  })

  it("tells a person the release, and a pipe how far it is", async () => {
    const ran = await command(["release", "certify", "--source-as-of", "2026-01-15"], environment)
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/^as of +2026-01-15$/m)
    expect(ran.stdout).toMatch(/^Certified in [\d.]+ s, good until /m)
    expect(ran.stderr).toMatch(/^((reading|decisions: [\d,]+), \d+ s\n)*$/)
  })

  it.each([
    [["certify", "--source-as-of", "soon"], "VALIDATION_INVALID_FORMAT"],
    [["certify", "--source-as-of", "1900-01-01"], "RESOURCE_NOT_FOUND"],
    [["certify", "--source-as-of", "2999-01-01"], "RESOURCE_NOT_FOUND"],
    [["certify", "--expires", "2020-01-01"], "VALIDATION_OUT_OF_RANGE"],
    [["show", `rel_${"0".repeat(64)}`], "RESOURCE_NOT_FOUND"],
    [["export", "nothing"], "RESOURCE_NOT_FOUND"],
    [["assign", "nothing", "--key", "key_1"], "RESOURCE_NOT_FOUND"],
    [["verify", "/nowhere.ndjson"], "RESOURCE_NOT_FOUND"]
  ])("release %j is refused with %s", async (words, code) => {
    expect((await refusal(words)).code).toBe(code)
  })

  it("before the first import there is nothing to certify", async () => {
    const empty = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
    const ran = await command(["release", "certify"], empty)
    forget(empty.DATA_DIR)
    expect(ran).toMatchObject({ code: 1, stdout: "" })
    expect(ran.stderr).toContain("Nothing was imported")
  })
})

describe("contract §4: release assign, expire and revoke, beside a running server", {
  timeout: 60_000
}, () => {
  it("a key is made for a release, or assigned one later, and reads it within a second", async () => {
    const first = await newKey("--release", release)
    expect((await reading(first["key"])).status).toBe(200)
    const second = await newKey()
    expect((await reading(second["key"])).status).toBe(404)
    const keyId = String(second["key_id"])
    expect(await told("assign", release, "--key", keyId)).toEqual({ release_id: release, key_id: keyId })
    await expect.poll(async () => (await reading(second["key"])).status, { timeout: 20_000 }).toBe(200)
  })

  it("a key is neither made for nor assigned what there is not, and must have the scope", async () => {
    const org = await newOrganization()
    const making = async (...words: ReadonlyArray<string>) =>
      JSON.parse((await command([...keyWords(org, ...words), "--json"], environment)).stderr).error.code
    expect(await making("--scopes", certified, "--release", "rel_1")).toBe("RESOURCE_NOT_FOUND")
    expect(await making("--scopes", "read", "--release", release)).toBe("VALIDATION_INVALID_FORMAT")
    const plain = await answer(keyWords(org, "--scopes", "read"), environment)
    const assigning = ["assign", release, "--key", String(plain["key_id"])]
    expect((await refusal(assigning)).code).toBe("AUTHZ_SCOPE_REQUIRED")
    expect((await refusal(["assign", release, "--key", "key_1"])).code).toBe("RESOURCE_NOT_FOUND")
  })

  it.each(["expire", "revoke"] as const)(
    "%s is final and takes the release from every key at once",
    async (verb) => {
      const day = verb === "expire" ? "2026-02-01" : "2026-02-02"
      const { release_id } = await told("certify", "--source-as-of", day)
      const id = String(release_id)
      const { key } = await newKey("--release", id)
      expect((await reading(key, id)).status).toBe(200)
      const state = verb === "expire" ? "expired" : "revoked"
      const ended = await told(verb, id, "--reason", "A test, no more")
      expect(ended).toMatchObject({ state, endings: [{ kind: state, reason: "A test, no more" }] })
      expect((await reading(key, id)).status).toBe(404)
      expect(await told(verb, id, "--reason", "again")).toEqual(ended)
      expect((await refusal(["assign", id, "--key", "key_1"])).code).toBe("RESOURCE_RELEASE_NOT_AVAILABLE")
      const org = await newOrganization()
      const making = keyWords(org, "--scopes", certified, "--release", id)
      expect((await command(making, environment)).stderr).toContain(`The release is ${state}`)
      // What was delivered can still be verified.
      expect((await command(["release", "export", id], environment)).code).toBe(0)
    }
  )
})

describe("contract §4: release export and verify", { timeout: 60_000 }, () => {
  const file = join(folder, "release.ndjson")
  const jwks = join(folder, "jwks.json")

  it("an export is lines of JSON, the manifest and its signature first", async () => {
    const { code, stdout } = await command(["release", "export", release], environment)
    expect(code).toBe(0)
    const [head = "", ...records] = stdout.trimEnd().split("\n")
    expect(JSON.parse(head)).toMatchObject({
      release_id: release,
      manifest: { decision_count: records.length }
    })
    const ids = records.map((record) => JSON.parse(record).decision_id)
    expect(ids).toEqual(ids.toSorted())
    expect(await told("export", release, "--out", file)).toEqual({
      release_id: release,
      file,
      decisions: records.length
    })
    expect(readFileSync(file, "utf8")).toBe(stdout)
  })

  it("verifies offline: no database is opened, and none is made", async () => {
    const offline = { DATA_DIR: "/nowhere/at/all" }
    const verified = await answer(["release", "verify", file], offline)
    expect(verified).toMatchObject({ release_id: release, origin: "imported", signature: "key_in_file" })
    const published = await fetch(`${server.url}/.well-known/jwks.json`)
    writeFileSync(jwks, await published.text())
    const trusted = await answer(["release", "verify", file, "--jwks", jwks], offline)
    expect(trusted).toEqual({ ...verified, signature: "trusted_key" })
  })

  it("names the first broken line in one sentence, and exits with 1", async () => {
    const broken = join(folder, "broken.ndjson")
    const lines = readFileSync(file, "utf8").split("\n")
    writeFileSync(
      broken,
      lines.with(4, (lines[4] ?? "").replace('"policy_version":1', '"policy_version":2')).join("\n")
    )
    expect(await refusal(["verify", broken])).toEqual({
      code: "RELEASE_BROKEN",
      message: "Line 5 is broken: the record is not what its hash says."
    })
  })

  it("another service's signature is not trusted, and a file that holds no keys is refused", async () => {
    const foreign = join(folder, "foreign.ndjson")
    await answer(["release", "export", release, "--out", foreign], elsewhere)
    expect((await command(["release", "verify", foreign], environment)).code).toBe(0)
    expect((await refusal(["verify", foreign, "--jwks", jwks])).message).toMatch(
      /^Line 1 is broken: .* none of those/
    )
    expect((await refusal(["verify", file, "--jwks", file])).code).toBe("VALIDATION_INVALID_FORMAT")
    expect((await refusal(["verify", file, "--jwks", "/nowhere"])).code).toBe("RESOURCE_NOT_FOUND")
  })

  it("§4.5 a restart changes no byte of an answer but its request id and time", async () => {
    const { key } = await newKey("--release", release)
    const steady = async () =>
      (await (await reading(key)).text()).replace(/"request_id":"[^"]+","timestamp":"[^"]+"/, "")
    const before = await steady()
    expect(before).toContain('"success":true')
    await server.stop()
    server = await startServer(environment)
    expect(await steady()).toBe(before)
  })
})
