import { connect } from "node:net"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inMemory } from "./stores.ts"

/** Found by reading the service as an enemy would; each stays here. */
describe("what a hostile client sends", () => {
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<typeof ports>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(ports)
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  /** The bytes as they are, and all that comes back until the server ends the connection. */
  const raw = (text: string) =>
    new Promise<{ readonly status: number; readonly head: string; readonly code: string }>(
      (resolve, reject) => {
        const socket = connect(Number(new URL(serving.url).port), "127.0.0.1", () => socket.write(text))
        let seen = ""
        socket.on("data", (chunk: Buffer) => (seen += chunk.toString()))
        socket.on("error", reject)
        socket.on("close", () => {
          const [head = "", body = "{}"] = seen.split("\r\n\r\n")
          const parsed = JSON.parse(body || "{}") as Partial<ErrorBody>
          resolve({ status: Number(head.slice(9, 12)), head, code: parsed.error?.code ?? "" })
        })
      }
    )
  const lines = (...headers: ReadonlyArray<string>) => `${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`
  const read = "GET /api/v1/jurisdictions/JH HTTP/1.1"

  it.each([
    [
      "two Authorization headers",
      () => lines(read, "Host: x", `Authorization: Bearer ${key}`, "Authorization: x"),
      401
    ],
    [
      "the same key twice",
      () => lines(read, "Host: x", `Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`),
      401
    ],
    ["no Host", () => lines("GET /api/v1/health HTTP/1.1"), 400],
    ["an unknown expectation", () => lines(read, "Host: x", "Expect: wonders"), 400],
    ["CONNECT", () => lines("CONNECT example.com:443 HTTP/1.1", "Host: x"), 404],
    ["a method nobody knows", () => lines("FOO /api/v1/health HTTP/1.1", "Host: x"), 404],
    ["no HTTP at all", () => "GARBAGE\r\n\r\n", 404],
    ["an HTTP nobody speaks", () => lines("GET /api/v1/health HTTP/9.9", "Host: x"), 400]
  ])("%s gets an envelope with a request id", async (_, text, status) => {
    const answer = await raw(text())
    expect(answer.status).toBe(status)
    expect(answer.head.toLowerCase()).toContain("x-request-id: req_")
    expect(answer.code).not.toBe("")
  })

  const get = (path: string) =>
    fetch(`${serving.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  const codeOf = async (path: string) => {
    const response = await get(path)
    return response.status === 200 ? "200" : ((await response.json()) as ErrorBody).error.code
  }

  it.each([
    ["/health;x=1", "RESOURCE_NOT_FOUND"],
    ["/policies;limit=1", "RESOURCE_NOT_FOUND"],
    ["/policies/L33831;x", "RESOURCE_NOT_FOUND"],
    ["/policies?q=a;b", "200"],
    ["/policies/", "RESOURCE_NOT_FOUND"],
    [`/policies/${"x".repeat(9_000)}`, "VALIDATION_OUT_OF_RANGE"],
    [`/nothing/${"x".repeat(9_000)}`, "VALIDATION_OUT_OF_RANGE"],
    ["/policies?zz=%00", "200"],
    ["/policies?q=%00", "VALIDATION_INVALID_FORMAT"],
    ["/policies?cursor=%00", "REQUEST_INVALID_CURSOR"],
    ["/jurisdictions/J", "RESOURCE_JURISDICTION_NOT_FOUND"],
    ["/jurisdictions/dme-jc", "200"],
    ["/policies?q='%25%5C%22%20OR%20%F0%9F%98%80%20%3A*%20%26%20!(", "200"]
  ])("%s is %s", async (path, code) => expect(await codeOf(path)).toBe(code))

  it("an ETag does not depend on how the address is written", async () => {
    const tag = async (path: string) => (await get(path)).headers.get("etag")
    const own = await tag("/policies/L33831")
    expect([await tag("/policies/l33831"), await tag("/policies/L33831?include=")]).toEqual([own, own])
    expect(await tag("/policies/L33831?include=codes,criteria")).toBe(
      await tag("/policies/L33831?include=criteria,codes")
    )
    expect(await tag("/policies/L33831?include=codes")).not.toBe(own)
  })

  it("a CSV holds what its include asks for", async () => {
    const text = await (await get("/policies?format=csv&q=wheelchair&include=codes,criteria")).text()
    const [names = "", ...rows] = text.split("\r\n")
    expect(names).toMatch(/,code_count,codes,criteria$/)
    expect(rows.join("\n")).toContain("HCPCS:E0601:conditional")
    expect(rows.join("\n")).toContain(
      '"indications: The wheelchair is covered when mobility is limited, ""in the home"".'
    )
  })

  it.each([
    ["application/json; profile=x", { codes: ["E0601"] }, "200"],
    ['application/json; charset="utf-8"; a=b', { codes: ["E0601"] }, "200"],
    ["application/json; charset=utf-16", { codes: ["E0601"] }, "REQUEST_UNSUPPORTED_CONTENT_TYPE"],
    ["application/json", { codes: ["E0601"], include: "codes" }, "VALIDATION_INVALID_FORMAT /body/include"],
    ["application/json", { codes: ["E0601"], include: ["x"] }, "VALIDATION_INVALID_FORMAT /body/include/0"],
    ["application/json", { codes: ["E0601"], include: 7 }, "VALIDATION_ERROR /body/include"]
  ])("POST /codes/batch of %s %j is %s", async (type, body, expected) => {
    const response = await fetch(`${serving.url}/api/v1/codes/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": type },
      body: JSON.stringify(body)
    })
    const { error } = (await response.json()) as Partial<ErrorBody>
    const fields = (error?.details?.["fields"] ?? []) as ReadonlyArray<{ readonly path: string }>
    expect([error?.code ?? "200", ...fields.map((field) => field.path)].join(" ")).toBe(expected)
  })
})
