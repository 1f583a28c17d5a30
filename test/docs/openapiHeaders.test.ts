import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { ApiKey } from "../../core/key/Key.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { Deprecation } from "../../core/operation/deprecation.ts"
import { customer, healthy, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { inMemory } from "../http/stores.ts"

/** Of HTTP, of browsers and of the connection, and no operation's own. */
const everyones = new Set([
  ...["date", "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"],
  ...["content-type", "x-content-type-options"],
  ...["access-control-allow-origin", "access-control-expose-headers"]
])

const origin = "https://app.clinic.example"
const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
type Node = Readonly<Record<string, unknown>>
const at = (node: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((inner, name) => (inner as Node | undefined)?.[name], node)

/** What is named, or what it refers to. */
const followed = (document: unknown, node: unknown): unknown => {
  const reference = at(node, "$ref")
  return typeof reference === "string" ? at(document, ...reference.split("/").slice(1)) : node
}

/** The names that a schema of the document tells of an object, in whatever parts. */
const membersOf = (document: unknown, schema: unknown): ReadonlyArray<string> => {
  const found = followed(document, schema)
  const parts = (at(found, "allOf") ?? at(found, "anyOf") ?? []) as ReadonlyArray<unknown>
  return [
    ...Object.keys(at(found, "properties") ?? {}),
    ...parts.flatMap((part) => membersOf(document, part))
  ]
}

describe("openapi.json tells of every header", () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  let key: ApiKey
  /** What was sent, for the document as it is while the row is deprecated. */
  let document: unknown
  const row: { deprecated?: Deprecation } = operationRow("validateClaimTwin")
  beforeAll(async () => {
    row.deprecated = { since: "2027-01-01" as IsoDate, sunset: "2028-01-01" as IsoDate }
    document = openApi("", kept as SandboxAnswers)
    serving = await serve(ports)
    await serving.run(seedLibrary)
    const record = { scopes: ["read", "write"], allowedOrigins: [origin] } as const
    key = (await serving.run(customer({ pack: "scale", record }))).key
  })
  afterAll(async () => {
    delete row.deprecated
    await serving.close()
  })

  const declared = (id: OperationId, status: number) => {
    const { method, path } = operationRow(id)
    return followed(document, at(document, "paths", path, method.toLowerCase(), "responses", String(status)))
  }

  /** Calls, and answers which headers are undeclared; none of those that are awaited may be absent. */
  const call = async (
    id: OperationId,
    path: string,
    { body, headers, surface = "/api/v1" }: { body?: unknown; headers?: object; surface?: string } = {}
  ) => {
    const { method } = operationRow(id)
    const response = await fetch(serving.url + surface + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = declared(id, response.status)
    const names = Object.keys(at(answer, "headers") ?? {}).map((name) => name.toLowerCase())
    const sent = [...response.headers.keys()].filter((name) => !everyones.has(name))
    expect([id, response.status, sent.filter((name) => !names.includes(name))]).toEqual([
      id,
      response.status,
      []
    ])
    return { status: response.status, sent, response, answer }
  }

  it("of a read, of what has not changed, of a page of another origin and of a refusal", async () => {
    const first = await call("getPolicy", "/policies/L33831", { headers: { origin } })
    expect([first.status, first.sent]).toMatchObject([200, expect.arrayContaining(["ratelimit", "vary"])])
    const etag = first.response.headers.get("etag") ?? ""
    const same = await call("getPolicy", "/policies/L33831", { headers: { origin, "if-none-match": etag } })
    const told = ["etag", "cache-control", "vary", "x-request-id", "ratelimit-policy", "x-credits-cost"]
    expect([same.status, same.sent]).toMatchObject([304, expect.arrayContaining(told)])
    expect((await call("getPolicy", "/policies/L99999")).status).toBe(404)
    expect((await call("listPolicies", "/policies?limit=0")).status).toBe(400)
    const stranger = { origin, authorization: "Bearer svc_test_x" }
    expect((await call("getPolicy", "/policies/L33831", { headers: stranger })).status).toBe(401)
    expect((await call("health", "/health")).status).toBe(200)
    expect((await call("createTestKey", "/keys", { surface: "/api/sandbox/v1" })).status).toBe(200)
  })

  it("of CSV", async () => {
    const csv = await call("listPolicies", "/policies?format=csv&limit=1")
    expect([csv.status, csv.sent]).toMatchObject([200, expect.arrayContaining(["x-next-cursor"])])
  })

  it.each<readonly [OperationId, string, unknown, number]>([
    ["acknowledgeChange", "/compliance/ack", { diff_id: 999_999 }, 404],
    ["createWebhook", "/webhooks", { url: "https://ok.example.com/in", events: ["*"] }, 200]
  ])("of a replay of %s, and what its meta says more", async (id, path, body, status) => {
    const sending = { body, headers: { "x-idempotency-key": id } }
    const first = await call(id, path, sending)
    const again = await call(id, path, sending)
    expect([first.status, again.status]).toEqual([status, status])
    expect(again.sent).toContain("idempotent-replayed")
    const { meta } = (await again.response.json()) as { readonly meta: Node }
    const schema = at(again.answer, "content", "application/json", "schema")
    const shapes = status === 200 ? [schema] : ((at(schema, "anyOf") ?? [schema]) as ReadonlyArray<unknown>)
    for (const shape of shapes) {
      const names = membersOf(document, at(followed(document, shape), "properties", "meta"))
      expect(Object.keys(meta).filter((name) => !names.includes(name))).toEqual([])
    }
    expect(meta).toMatchObject({ cached: true, idempotency_key: id })
  })

  it("of an operation that will go, refusals included", async () => {
    const going = ["deprecation", "sunset", "link"]
    const refused = await call("validateClaimTwin", "/claim-validation", { body: {} })
    expect([refused.status, refused.sent]).toMatchObject([400, expect.arrayContaining(going)])
  })

  it("of a limit that is used up", async () => {
    const poor = (await serving.run(customer())).key
    const headers = { authorization: `Bearer ${poor}` }
    const asked = () => call("listPolicies", "/policies", { headers })
    const answers = await Promise.all(Array.from({ length: 61 }, asked))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ sent }) => sent)).toMatchObject([
      expect.arrayContaining(["retry-after", "ratelimit"])
    ])
  })
})
