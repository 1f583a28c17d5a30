import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SchemaParser from "effect/SchemaParser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { linesOf } from "../../apps/cli/linesOf.ts"
import { verifyLines } from "../../apps/cli/verifyLines.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { catalogue } from "../../core/operation/catalogue.ts"
import type { Scope } from "../../core/operation/scope.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Releases } from "../../core/port/Releases.ts"
import type { PublicKey } from "../../core/release/exported.ts"
import type { Release } from "../../core/release/Release.ts"
import { certifyLibrary, exportText, imports } from "../kit/certifying.ts"
import { day } from "../kit/library.ts"
import { sha256, sha256Hex } from "../kit/releases.ts"
import { customer, healthy, keyFor, serve } from "./harness.ts"
import type { Customer, ErrorBody } from "./harness.ts"
import { bodyOf, codeOf, documents, steady } from "./releaseCalls.ts"
import type { ReleaseRequest } from "./releaseCalls.ts"
import { memoryLibraryOver, memoryStores, postgresStores } from "./stores.ts"

const certifiedScope = "certified:derived_decision:read"

const compositions = [
  ["memory", () => Layer.mergeAll(memoryLibraryOver(memoryStores), MemoryLimits.layer, healthy)],
  ["PostgreSQL", () => Layer.mergeAll(memoryLibraryOver(postgresStores), MemoryLimits.layer, healthy)]
] as const

for (const [name, composition] of compositions) {
  describe(`§4.5 decisions of a certified release, over ${name}`, { timeout: 30_000 }, () => {
    let serving: Awaited<ReturnType<typeof serve<Layer.Success<ReturnType<typeof composition>>, never>>>
    let release: Release
    let owner: Customer
    let key: string
    beforeAll(async () => {
      serving = await serve(composition())
      await serving.run(imports(documents))
      release = (await serving.run(certifyLibrary({ expiresAt: "2099-01-01T00:00:00.000Z" as IsoTime })))
        .release
      owner = await serving.run(customer({ pack: "scale" }))
      key = await assignedTo(release.releaseId)
    })
    afterAll(() => serving.close())

    const keyWith = async (scopes: ReadonlyArray<Scope>, releaseId: string | null): Promise<string> =>
      (await serving.run(keyFor(owner.organizationId, { record: { scopes, releaseId } }))).key
    const assignedTo = (releaseId: string | null) => keyWith([certifiedScope], releaseId)

    const ask = (query: string, given: ReleaseRequest = {}) =>
      fetch(`${serving.url}/api/v1/releases/${given.id ?? release.releaseId}/decisions?${query}`, {
        headers: { authorization: `Bearer ${given.key ?? key}`, ...given.headers }
      })

    it("contract §2 answers the declared shape and says exactly what the release is", async () => {
      const response = await ask("code=e0601&code_system=HCPCS")
      expect(response.status).toBe(200)
      expect(response.headers.get("cache-control")).toBe("private")
      expect(response.headers.get("x-credits-cost")).toBe("1")
      const { data, meta } = await bodyOf(response)
      const row = catalogue.listReleaseDecisions
      const parse = SchemaParser.decodeUnknownSync(row.success, { onExcessProperty: "error" })
      expect(parse(data).map((decision) => decision.policy_id)).toEqual([
        "A2",
        "L10",
        "L7",
        "L8",
        "L9",
        "NCD 1",
        "NS-1"
      ])
      expect(meta).toEqual({
        request_id: expect.stringMatching(/^req_/),
        timestamp: expect.any(String),
        pagination: { cursor: null, has_more: false, limit: 50 },
        release_id: release.releaseId,
        release_manifest_sha256: release.releaseId.slice(4),
        dataset_sha256: release.manifest.dataset_sha256,
        source_set_sha256: release.manifest.source_set_sha256,
        field_profile: "derived_decision_v1",
        release_schema_version: "certified_release.v1",
        source_as_of: "2026-03-05",
        expires_at: "2099-01-01T00:00:00.000Z",
        certified_at: release.certifiedAt,
        signature: release.signature
      })
    })

    it("each decision is what its hash says, and its id is made of the hash", async () => {
      const { data } = await bodyOf(await ask("code=A0100"))
      expect(data.length).toBe(12)
      for (const { decision_id, record_sha256, ...record } of data) {
        const sorted = Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        expect(sha256Hex(`decision.v1\0${JSON.stringify(sorted)}`)).toBe(record_sha256)
        expect(decision_id).toBe(`dec_${record_sha256}`)
      }
    })

    it("the filters narrow, and a code that nobody lists has no decisions", async () => {
      const policies = async (query: string) =>
        (await bodyOf(await ask(query))).data.map((one) => `${one["policy_id"]} ${one["code_system"]}`)
      expect(await policies("code=E0601&payer_code=northstar")).toEqual(["NS-1 HCPCS"])
      expect((await policies("code=A0100&code_system=ICD10CM")).length).toBe(6)
      expect(await policies("code=A0100&payer_code=northstar")).toEqual([])
      expect(await policies("code=Z9999")).toEqual([])
    })

    it("contract §1 pages of any size give each decision once, and the same bytes each time", async () => {
      const read = async (limit: number) => {
        const found: Array<unknown> = []
        for (let cursor = ""; ; ) {
          const response = await ask(`code=A0100&limit=${limit}${cursor}`)
          const { data, meta } = await bodyOf(response)
          found.push(...data.map((one) => one["decision_id"]))
          if (!meta.pagination.has_more) return found
          cursor = `&cursor=${encodeURIComponent(meta.pagination.cursor ?? "")}`
        }
      }
      const whole = await read(100)
      expect(new Set(whole).size).toBe(12)
      for (const limit of [1, 5, 11, 12]) expect(await read(limit)).toEqual(whole)
      const [first, again] = [
        await steady(await ask("code=A0100&limit=5")),
        await steady(await ask("code=A0100&limit=5"))
      ]
      expect(again).toBe(first)
    })

    it("§4.6.1 a cursor is good for this release, these filters and this organization alone", async () => {
      const { meta } = await bodyOf(await ask("code=A0100&limit=5"))
      const cursor = `cursor=${encodeURIComponent(meta.pagination.cursor ?? "")}`
      const wrong = [
        ask(`code=E0601&limit=5&${cursor}`),
        ask(`code=A0100&payer_code=medicare&${cursor}`),
        ask(`code=A0100&${cursor}x`)
      ]
      for (const response of await Promise.all(wrong))
        expect(await codeOf(response)).toBe("REQUEST_INVALID_CURSOR")
      expect((await ask(`code=A0100&limit=7&${cursor}`)).status).toBe(200)
    })

    it("contract §1 carries a weak ETag, and answers the same tag with 304", async () => {
      const first = await ask("code=E0601")
      const etag = first.headers.get("etag") ?? ""
      expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
      const same = await ask("code=E0601", { headers: { "if-none-match": etag } })
      expect([
        same.status,
        same.headers.get("etag"),
        same.headers.get("cache-control"),
        await same.text()
      ]).toEqual([304, etag, "private", ""])
      expect((await ask("code=A0100", { headers: { "if-none-match": etag } })).status).toBe(200)
    })

    it.each([[["read"]], [["write"]], [["admin"]], [["read", "write", "admin"]]] as ReadonlyArray<
      [ReadonlyArray<Scope>]
    >)("§5.8 a key with %j gets AUTHZ_SCOPE_REQUIRED, assigned or not", async (scopes) => {
      for (const releaseId of [null, release.releaseId]) {
        const response = await ask("code=E0601", { key: await keyWith(scopes, releaseId) })
        const { error } = (await response.json()) as ErrorBody
        expect([response.status, error.code, error.details]).toEqual([
          403,
          "AUTHZ_SCOPE_REQUIRED",
          { required_scopes: [certifiedScope] }
        ])
      }
    })

    it("§5.8 a certified key works on nothing else", async () => {
      const response = await fetch(`${serving.url}/api/v1/jurisdictions`, {
        headers: { authorization: `Bearer ${key}` }
      })
      expect(await codeOf(response)).toBe("AUTHZ_SCOPE_REQUIRED")
    })

    it("contract §2 every release that is not available is one and the same 404", async () => {
      const other = await endedRelease("expired", "2026-01-01")
      const revoked = await endedRelease("revoked", "2026-01-02")
      const short = await shortLived("2026-01-03")
      const answers = await Promise.all([
        ask("code=E0601", { id: "nothing" }),
        ask("code=E0601", { id: "rel_%00" }),
        ask("code=E0601", { id: "x".repeat(300) }),
        ask("code=E0601", { id: `rel_${"0".repeat(64)}`, key: await assignedTo(`rel_${"0".repeat(64)}`) }),
        ask("code=E0601", { id: other, key: await assignedTo(other) }),
        ask("code=E0601", { id: revoked, key: await assignedTo(revoked) }),
        ask("code=E0601", { id: short, key: await assignedTo(short) }),
        ask("code=E0601", { key: await assignedTo(null) }),
        ask("code=E0601", { key: await assignedTo(other) }),
        ask("code=E0601", { headers: { "if-none-match": "*" }, key: await assignedTo(null) })
      ])
      const texts = await Promise.all(
        answers.map(async (response) => {
          expect([response.status, response.headers.get("cache-control")]).toEqual([404, "private, no-store"])
          return steady(response)
        })
      )
      expect(new Set(texts).size).toBe(1)
      expect(texts[0]).toContain('"code":"RESOURCE_RELEASE_NOT_AVAILABLE"')
    })

    /** A release of that day's policies, which are the same: what was certified stays. */
    const ofDay = async (text: string, expiresAt = "2099-01-01T00:00:00.000Z") => {
      const input = { sourceAsOf: day(text), expiresAt: expiresAt as IsoTime }
      return (await serving.run(certifyLibrary(input))).release
    }
    const endedRelease = async (kind: "expired" | "revoked", text: string): Promise<string> => {
      const { certifiedAt: at, releaseId } = await ofDay(text)
      await serving.run(
        Effect.flatMap(Releases, (releases) =>
          releases.end({ releaseId, ending: { kind, reason: null, at } })
        )
      )
      return releaseId
    }
    const shortLived = async (text: string): Promise<string> =>
      (await ofDay(text, new Date(Date.now() - 1).toISOString())).releaseId

    it.each([
      [{ accept: "text/csv" }, "", 406],
      [{ accept: "text/html;q=1, application/json;q=0" }, "", 406],
      [{}, "&format=csv", 406],
      [{ accept: "text/csv, */*;q=0.1" }, "", 200],
      [{ accept: "application/*" }, "&format=json", 200]
    ])("§4.6.3 answers JSON only: %j %s is %i", async (headers, query, status) => {
      const response = await ask(`code=E0601${query}`, { headers })
      expect(response.status).toBe(status)
      if (status === 406) expect(await codeOf(response)).toBe("REQUEST_FORMAT_NOT_ACCEPTABLE")
    })

    it.each([
      ["", "VALIDATION_REQUIRED_FIELD"],
      ["code=", "VALIDATION_OUT_OF_RANGE"],
      [`code=${"9".repeat(21)}`, "VALIDATION_OUT_OF_RANGE"],
      ["code=E0601&limit=101", "VALIDATION_OUT_OF_RANGE"],
      ["code=E0601&code_system=ICD9", "VALIDATION_INVALID_FORMAT"],
      ["code=E0601&code=E0602", "VALIDATION_ERROR"]
    ])("contract §2 the query %j is %s", async (query, code) => {
      expect(await codeOf(await ask(query))).toBe(code)
    })

    it("no other release is a key's once it is assigned anew", async () => {
      const { releaseId } = await ofDay("2026-01-04")
      const moved = await serving.run(keyFor(owner.organizationId, { record: { scopes: [certifiedScope] } }))
      expect((await ask("code=E0601", { key: moved.key })).status).toBe(404)
      const assign = (id: Release["releaseId"]) =>
        serving.run(Effect.flatMap(Keys, (keys) => keys.assign({ keyId: moved.keyId, releaseId: id })))
      await assign(release.releaseId)
      expect((await ask("code=E0601", { key: moved.key })).status).toBe(200)
      await assign(releaseId)
      expect((await ask("code=E0601", { key: moved.key })).status).toBe(404)
      expect((await ask("code=E0601", { key: moved.key, id: releaseId })).status).toBe(200)
    })

    it("importing newer data and retiring every policy changes no byte of an answer", async () => {
      const queries = ["code=E0601", "code=A0100&limit=5", "code=Z9999"]
      const read = () => Promise.all(queries.map(async (query) => steady(await ask(query))))
      const before = await read()
      const retired = documents.map(
        (one) => ({ ...one, status: "retired", retireDate: day("2026-03-01") }) as const
      )
      await serving.run(imports(retired, { snapshotId: "c".repeat(64), sourceAsOf: day("2026-06-01") }))
      expect(await read()).toEqual(before)
    })

    it("RFC 7517 the service publishes the key that an export verifies by, to anybody", async () => {
      const response = await fetch(`${serving.url}/.well-known/jwks.json`)
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "application/jwk-set+json"
      ])
      const { keys } = (await response.json()) as { readonly keys: ReadonlyArray<PublicKey> }
      expect(keys).toEqual([
        {
          crv: "Ed25519",
          kty: "OKP",
          x: expect.any(String),
          kid: expect.any(String),
          use: "sig",
          alg: "EdDSA"
        }
      ])
      const text = await serving.run(exportText({ release, isNew: false }))
      const lines = linesOf(new Blob([text]).stream())
      const verified = await verifyLines(lines, { text: sha256Hex, bytes: sha256 }, keys)
      expect(verified).toMatchObject({ success: { records: 19 } })
    })
  })
}
