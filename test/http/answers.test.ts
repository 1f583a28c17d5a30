import type { ScryptOptions } from "node:crypto"
import { scrypt } from "node:crypto"
import { promisify } from "node:util"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { request } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SchemaParser from "effect/SchemaParser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { catalogue } from "../../core/operation/catalogue.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { services } from "./stores.ts"
import { documentOf, importedAt, snapshotOf } from "../kit/library.ts"
import { customer, healthy, keyFor, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"

interface Success {
  readonly data: Record<string, unknown> & ReadonlyArray<Record<string, unknown>>
  readonly meta: Record<string, unknown> & {
    readonly pagination: {
      readonly cursor: string | null
      readonly has_more: boolean
      readonly limit: number
    }
  }
}

describe.each(services)("what the built operations answer, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (
    path: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {}
  ) =>
    fetch(`${serving.url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers }
    })
  const get = async (path: string) => {
    const response = await send(path)
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as Success
  }

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("§2.1 a success has its envelope, a coverage answer its snapshot's date and disclaimer", async () => {
    const { meta } = await get("/policies/L33831")
    expect(meta["request_id"]).toMatch(/^req_/)
    expect(meta["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(meta["data_as_of"]).toBe("2026-03-05")
    expect(meta["disclaimer"]).toContain("not medical or legal advice")
  })

  it("contract §1 without an ETag no answer may be stored, with one it is revalidated", async () => {
    const json = { "content-type": "application/json", "x-idempotency-key": "stored-nowhere" }
    const batch = { method: "POST", body: '{"codes":["E0601"]}', headers: json }
    const read = "/policies/L33831"
    const etag = (await send(read)).headers.get("etag") ?? ""
    const calls: ReadonlyArray<
      readonly [string, number, RequestInit & { headers?: Record<string, string> }]
    > = [
      ["/policies", 200, {}],
      ["/policies?format=csv", 200, {}],
      ["/policies?limit=0", 400, {}],
      ["/policies/L99999", 404, {}],
      ["/nowhere", 404, {}],
      ["/policies", 401, { headers: { authorization: "Bearer none" } }],
      ["/codes/batch", 200, batch],
      ["/codes/batch", 200, batch],
      ["/health", 200, {}],
      ["/policies", 204, { method: "OPTIONS", headers: { origin: "https://app.example" } }]
    ]
    for (const [path, status, init] of calls) {
      const { headers, status: answered } = await send(path, init)
      const stored = headers.get("cache-control")
      expect([path, answered, stored]).toEqual([path, status, "private, no-store"])
    }
    for (const [status, ifNoneMatch] of [
      [200, "none"],
      [304, etag]
    ] as const) {
      const answer = await send(read, { headers: { "if-none-match": ifNoneMatch } })
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "private, no-cache"])
    }
  })

  it("contract §2 every answer has the shape its row declares", async () => {
    const asked = {
      lookupCode: "/codes/lookup?code=E0601&include=rvu,policies",
      listPolicies: "/policies?include=summary,criteria,codes&status=all&q=wheelchair",
      getPolicy: "/policies/L33831?include=criteria,codes,versions",
      listJurisdictions: "/jurisdictions",
      getJurisdiction: "/jurisdictions/jh",
      listPayers: "/payers",
      getPayer: "/payers/medicare",
      listPolicyChanges: "/policies/changes",
      searchCriteria: "/coverage/criteria?q=mobility"
    } as const
    for (const [id, path] of Object.entries(asked)) {
      const row = catalogue[id as keyof typeof asked]
      const parse = SchemaParser.decodeUnknownSync(row.success as never, { onExcessProperty: "error" })
      expect(() => parse(undefined as never)).toThrow()
      const { data } = await get(path)
      expect(() => parse(data), path).not.toThrow()
    }
  })

  it.each(["L33831", "l33831", "LCD%20L33831", "lcd33831", "%20L33831%20"])(
    "contract §2 GET /policies/%s is L33831",
    async (id) => {
      expect((await get(`/policies/${id}`)).data["policy_id"]).toBe("L33831")
    }
  )

  it.each(["NCD%20220.6", "ncd220.6", "ncd%20220.6", "220.6"])(
    "contract §2 GET /policies/%s is NCD 220.6, long retired",
    async (id) => {
      expect((await get(`/policies/${id}`)).data).toMatchObject({ policy_id: "NCD 220.6", status: "retired" })
      expect((await send("/policies/220.60")).status).toBe(404)
    }
  )

  it("contract §2 as_of reads the policy as it stood on the day", async () => {
    expect((await get("/policies/220.6?as_of=2020-06-01")).data["status"]).toBe("active")
    expect((await get("/policies/220.6?as_of=2019-06-01")).data["status"]).toBe("future")
  })

  it("contract §2 jurisdictions are listed and found in any usual writing", async () => {
    expect((await get("/jurisdictions")).data.map((one) => one["jurisdiction_code"])).toEqual([
      "DME JC",
      "JH"
    ])
    expect((await get("/jurisdictions/dme%20jc")).data["mac_name"]).toBe("CGS")
  })

  it("contract §1 ETag: the same content is 304 at the same cost, another include another tag", async () => {
    const first = await send("/policies/L33831")
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const again = await send("/policies/L33831", { headers: { "if-none-match": `"other", ${etag}` } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe("")
    expect(again.headers.get("etag")).toBe(etag)
    expect(again.headers.get("x-credits-cost")).toBe("1")
    expect((await send("/policies/L33831?include=codes")).headers.get("etag")).not.toBe(etag)
    expect((await send("/policies/L33831?as_of=2024-01-01")).headers.get("etag")).not.toBe(etag)
  })

  it("contract §2 format=csv gives the same rows, quoted and harmless in a spreadsheet", async () => {
    const response = await send("/policies?status=all&format=csv")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const lines = (await response.text()).split("\r\n")
    expect(lines[0]).toMatch(/^policy_id,title,policy_type,/)
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain('"\'=Billing, wheelchair accessories"')
  })

  it("contract §1 HEAD is GET without a body", async () => {
    const response = await send("/policies/L33831", { method: "HEAD" })
    expect(response.status).toBe(200)
    expect(response.headers.get("x-credits-cost")).toBe("1")
    expect(await response.text()).toBe("")
  })

  it("contract §1 an answer above 1 KiB is packed for who accepts it", async () => {
    const path = "/policies/L33831?include=criteria,codes,versions"
    const plain = await raw(`${serving.url}/api/v1${path}`, key, "identity")
    expect(plain.encoding).toBeUndefined()
    expect(plain.bytes.length).toBeGreaterThan(1_024)
    const dataOf = (text: string) => (JSON.parse(text) as Success).data
    const gzip = await raw(`${serving.url}/api/v1${path}`, key, "gzip, deflate")
    expect([gzip.encoding, dataOf(gunzipSync(gzip.bytes).toString())]).toEqual([
      "gzip",
      dataOf(plain.bytes.toString())
    ])
    const brotli = await raw(`${serving.url}/api/v1${path}`, key, "gzip;q=0.5, br")
    expect([brotli.encoding, dataOf(brotliDecompressSync(brotli.bytes).toString())]).toEqual([
      "br",
      dataOf(plain.bytes.toString())
    ])
  })

  it("contract §1 compresses an answer of a few KiB while every thread of Node's pool is busy", async () => {
    const path = "/policies/L33831?include=criteria,codes,versions"
    let finished = 0
    const cost = { N: 2 ** 15, r: 8, p: 4, maxmem: 2 ** 27 }
    const hashes = Array.from({ length: 8 }, () => promisify(scryptWith)(cost).then(() => (finished += 1)))
    for (const encoding of ["gzip", "br"]) {
      expect((await raw(`${serving.url}/api/v1${path}`, key, encoding)).encoding).toBe(encoding)
      expect(finished).toBe(0)
    }
    await Promise.all(hashes)
  })

  it("contract §1 CORS: only a key that lists the origin lets a page read the answer", async () => {
    const { organizationId } = await serving.run(customer())
    const listed = await serving.run(
      keyFor(organizationId, { record: { allowedOrigins: ["https://app.example"] } })
    )
    const ask = (bearer: string, origin?: string) =>
      fetch(`${serving.url}/api/v1/policies/nothing`, {
        headers: { authorization: `Bearer ${bearer}`, ...(origin === undefined ? {} : { origin }) }
      })
    const reflected = await ask(listed.key, "https://app.example")
    expect(reflected.status).toBe(404)
    expect(reflected.headers.get("access-control-allow-origin")).toBe("https://app.example")
    expect(reflected.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Remaining")
    expect((await ask(listed.key)).headers.has("access-control-allow-origin")).toBe(false)
    expect((await ask(key, "https://app.example")).headers.has("access-control-allow-origin")).toBe(false)
  })

  it("contract §1 pages neither skip nor repeat amid writes, and a cursor is for its own use", async () => {
    const snapshot = snapshotOf({ snapshotId: "3".repeat(64) })
    const save = (policyId: string) =>
      serving.run(
        Effect.flatMap(Snapshots, (snapshots) =>
          snapshots.saveHistory({
            snapshot,
            documents: [documentOf({ policyId, title: "Paged knee brace" })],
            at: importedAt
          })
        )
      )
    for (let number = 40_010; number < 40_035; number++) await save(`L${number}`)
    const seen: Array<unknown> = []
    let cursor: string | null = ""
    for (let page = 0; cursor !== null; page++) {
      const { data, meta }: Success = await get(
        `/policies?q=knee%20brace&limit=4&cursor=${cursor}`.replace(/&cursor=$/, "")
      )
      seen.push(...data.map((item) => item["policy_id"]))
      expect(meta.pagination).toMatchObject({ limit: 4, has_more: meta.pagination.cursor !== null })
      cursor = meta.pagination.cursor
      if (page === 2) {
        await save("L40001")
        const elsewhere = await send(`/policies?q=knee&limit=4&cursor=${cursor}`)
        expect(((await elsewhere.json()) as ErrorBody).error.code).toBe("REQUEST_INVALID_CURSOR")
        const other = await serving.run(customer())
        const stolen = await send(`/policies?q=knee%20brace&cursor=${cursor}`, {
          headers: { authorization: `Bearer ${other.key}` }
        })
        expect(((await stolen.json()) as ErrorBody).error.code).toBe("REQUEST_INVALID_CURSOR")
        expect((await send(`/policies?q=knee%20brace&limit=2&cursor=${cursor}`)).status).toBe(200)
      }
    }
    expect(new Set(seen).size).toBe(seen.length)
    for (let number = 40_010; number < 40_035; number++) expect(seen).toContain(`L${number}`)
  })
})

/** A request whose answer is not unpacked on the way. */
const raw = (url: string, key: string, encoding: string) =>
  new Promise<{ readonly encoding: string | undefined; readonly bytes: Buffer }>((resolve, reject) => {
    request(url, { headers: { authorization: `Bearer ${key}`, "accept-encoding": encoding } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ encoding: response.headers["content-encoding"], bytes: Buffer.concat(chunks) })
      )
    })
      .on("error", reject)
      .end()
  })

const scryptWith = (cost: ScryptOptions, done: (error: Error | null) => void) =>
  scrypt("a password", "a salt", 64, cost, done)
