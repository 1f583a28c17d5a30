import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { FieldFault } from "../../core/error/details.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { documentOf, importedAt, snapshotOf } from "../kit/library.ts"
import { seedLibrary } from "./library.ts"
import { inMemory, services } from "./stores.ts"

describe("operations that other services have and this one does not", () => {
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
  })
  afterAll(() => serving.close())
  const hintAt = async (method: string, path: string) => {
    const response = await fetch(serving.url + path, { method })
    const { error } = (await response.json()) as ErrorBody
    expect([response.status, error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    return error.hint
  }

  it.each([
    ["GET", "/api/v1/rates?code=E0601", "/rates"],
    ["GET", "/api/v1/fee-schedules/2026/E0601", "/fee-schedules"],
    ["POST", "/api/v1/claims/submit", "/claims/submit"],
    ["POST", "/api/v1/graphql", "/graphql"],
    ["GET", "/api/sandbox/v1/npi/1", "/npi"],
    ["POST", "/api/v1/prior-auth/research", "/prior-auth/research"]
  ])("%s %s: the hint says that the service does not offer it", async (method, path, name) =>
    expect(await hintAt(method, path)).toBe(
      `This service does not offer ${name}; the operations that it offers are listed in /docs.`
    )
  )

  it.each(["POST", "GET"])("%s /api/v1/keys: the hint names the sandbox's path", async (method) =>
    expect(await hintAt(method, "/api/v1/keys")).toContain("POST /api/sandbox/v1/keys")
  )

  it.each([
    ["GET", "/api/v1/ratesx"],
    ["GET", "/api/v1/polices"],
    ["GET", "/rates"],
    ["GET", "/api/v1"]
  ])("%s %s: the ordinary hint", async (method, path) =>
    expect(await hintAt(method, path)).toBe(errorRow("RESOURCE_NOT_FOUND").hint)
  )
})

interface Answered {
  readonly data: Record<string, unknown> & ReadonlyArray<Record<string, unknown>>
  readonly meta: Record<string, unknown>
  readonly error: ErrorBody["error"] & { readonly details: { readonly fields: ReadonlyArray<FieldFault> } }
}

/** Two jurisdictions, and a document of which no main table tells. */
const seedUnknown = Effect.gen(function* () {
  yield* seedLibrary
  const snapshots = yield* Snapshots
  const contractor = (jurisdictionCode: string) => ({ contractorNumber: "1", name: "One", jurisdictionCode })
  const document = documentOf({
    policyId: "L90006",
    status: "unknown",
    effectiveDate: null,
    documentVersion: "52",
    sourceUrl: "https://www.cms.gov/medicare-coverage-database/view/lcd.aspx?lcdid=90006&ver=52",
    contractors: [contractor("JH"), contractor("DME JC"), contractor("JE")]
  })
  yield* snapshots.saveHistory({
    snapshot: snapshotOf({ snapshotId: "1".repeat(64) }),
    documents: [document],
    at: importedAt
  })
})

describe.each(services)("what clients of the public service meet, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedUnknown)
    key = (await serving.run(customer())).key
  })
  afterAll(() => serving.close())

  const ask = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const response = await fetch(`${serving.url}/api/v1${path}`, { headers, ...posted })
    return { status: response.status, ...((await response.json()) as Answered) }
  }

  it.each([
    ["/policies?include=rates,codes"],
    ["/policies/L33831?include=rates,codes"],
    ["/codes/lookup?code=E0601&include=policies,rates"],
    ["/codes/batch", { codes: ["E0601"], include: "rates,policies" }],
    ["/codes/batch", { codes: ["E0601"], include: ["policies", "rates"] }]
  ])("contract §1 %s %j names what cannot be included", async (path, body?: unknown) => {
    for (const _again of [1, 2]) {
      const { meta, status } = await ask(path, body)
      expect([status, meta["includes_unavailable"]]).toEqual([200, ["rates"]])
      expect(meta["includes"] ?? ["policies"]).toEqual(["policies"])
    }
  })

  it("contract §1 nothing is said of includes that are served, and an unknown one is refused", async () => {
    expect((await ask("/policies/L33831?include=codes")).meta).not.toHaveProperty("includes_unavailable")
    const { error, status } = await ask("/policies/L33831?include=codes,price")
    expect([status, error.code]).toEqual([400, "VALIDATION_INVALID_FORMAT"])
    expect(error.message).toBe("`include` takes a comma list of criteria, codes and versions.")
    expect(error.details.fields[0]?.allowed).toEqual(["criteria", "codes", "versions"])
  })

  it("contract §2 since takes a day as its first moment", async () => {
    const since = async (text: string) => (await ask(`/policies/changes?since=${text}`)).data.length
    expect(await since("2026-03-06")).toBe(4)
    expect(await since("2026-03-07")).toBe(0)
  })

  it("contract §2 a document of unknown status is listed with the active ones and says so", async () => {
    const statusIn = async (status: string): Promise<unknown> => {
      const { data } = await ask(`/policies?status=${status}`)
      return data.find((item) => item["policy_id"] === "L90006")?.["status"]
    }
    expect([await statusIn("active"), await statusIn("all"), await statusIn("retired")]).toEqual([
      "unknown",
      "unknown",
      undefined
    ])
    expect((await ask("/policies/L90006")).data).toMatchObject({ status: "unknown" })
  })

  it("contract §2 a policy names its own version, its page and every contractor", async () => {
    const page = "https://www.cms.gov/medicare-coverage-database/view/lcd.aspx?lcdid=90006&ver=52"
    const { data } = await ask("/policies/L90006")
    expect(data).toMatchObject({ document_version: "52", source_url: page, jurisdiction: "DME JC, JE, JH" })
    expect(data["mac"]).toEqual((data["macs"] as ReadonlyArray<unknown>)[0])
    expect(data["macs"]).toEqual([
      {
        name: "CGS",
        code: "18003",
        jurisdiction: "DME JC",
        jurisdiction_name: "DME Jurisdiction C",
        states: ["TX"]
      },
      {
        name: "Novitas Solutions",
        code: "04412",
        jurisdiction: "JH",
        jurisdiction_name: "Jurisdiction H",
        states: ["TX"]
      }
    ])
    const listed = (await ask("/policies")).data.find((item) => item["policy_id"] === "L90006")
    expect(listed).toMatchObject({ document_version: "52", source_url: page })
    expect((await ask("/policies/NCD-220.6")).data).toMatchObject({
      document_version: null,
      macs: [],
      mac: null
    })
  })

  it.each(["q=%ff", "%ff=1", "nonsense=%zz", "q=%C3%28"])(
    "contract §1 a query that is no percent-encoded UTF-8 is refused: %s",
    async (query) => {
      const { error } = await ask(`/policies?${query}`)
      expect([error.code, error.details.fields[0]?.path]).toEqual(["VALIDATION_INVALID_FORMAT", "/query"])
      expect((await ask("/jurisdictions?x=%e2%82%ac")).status).toBe(200)
    }
  )

  it("contract §1 a packed body is refused, and the hint names its header", async () => {
    const response = await fetch(`${serving.url}/api/v1/codes/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-encoding": "gzip"
      },
      body: "{}"
    })
    const { error } = (await response.json()) as Answered
    expect([error.code, error.hint]).toEqual([
      "REQUEST_UNSUPPORTED_CONTENT_TYPE",
      "Send the body as it is, without the header Content-Encoding."
    ])
  })

  it("contract §1 401 names its scheme, and HTTP/1.0 needs no Host", async () => {
    const refused = await fetch(`${serving.url}/api/v1/policies`)
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    const { hostname, port } = new URL(serving.url)
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () =>
        socket.end("GET /api/v1/health HTTP/1.0\r\n\r\n")
      )
      let text = ""
      socket
        .on("data", (chunk) => (text += String(chunk)))
        .on("end", () => resolve(text))
        .on("error", reject)
    })
    expect(said).toMatch(/^HTTP\/1\.[01] 200 /)
  })

  it("contract §1 the message names the first faulty field, how many more, and no value", async () => {
    const { error } = await ask("/policies?status=zq81&limit=zq82&as_of=zq83")
    expect(error.message).toBe("`limit` is an integer from 1 to 100. 2 more fields are faulty.")
    expect(JSON.stringify(error)).not.toMatch(/zq8/)
  })
})
