import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { baseUrl, healthy } from "../http/harness.ts"
import { inMemory } from "../http/stores.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

/** The Accept headers of Chromium and Firefox. */
const chromium =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"
const firefox = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("contract §3 /mcp in a browser", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  beforeAll(async () => {
    site = await serveMcp(ports)
  })
  afterAll(() => site.close())

  const call = (path: string, init: RequestInit) => fetch(site.url + path, init)

  it.each([
    ["/mcp", chromium],
    ["/mcp/", firefox],
    ["/mcp", "text/html"]
  ])("shows the page of /docs/mcp at %s for Accept: %s", async (path, accept) => {
    const response = await call(path, { headers: { accept } })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(response.headers.get("www-authenticate")).toBeNull()
    const text = await response.text()
    expect(text).toContain("<h1>Connect an AI assistant</h1>")
    expect(text).toContain(`claude mcp add --transport http coverage-policy ${baseUrl}/mcp`)
    expect(text).toBe(await (await call("/docs/mcp", {})).text())
  })

  it("keeps the page out of every cache, with the content policy of the documentation", async () => {
    const { headers } = await call("/mcp", { headers: { accept: chromium } })
    expect(headers.get("cache-control")).toBe("private, no-store")
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding, Authorization")
    const docs = await call("/docs/mcp", {})
    expect(headers.get("content-security-policy")).toBe(docs.headers.get("content-security-policy"))
  })

  it("answers HEAD with the headers of the page", async () => {
    const response = await call("/mcp", { method: "HEAD", headers: { accept: chromium } })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(await response.text()).toBe("")
  })

  it.each<readonly [string, RequestInit]>([
    ["a GET of an MCP client", { headers: { accept: "text/event-stream" } }],
    ["a GET that accepts both types", { headers: { accept: "application/json, text/event-stream" } }],
    ["a GET that accepts anything", { headers: { accept: "*/*" } }],
    ["a GET that excludes HTML", { headers: { accept: "text/html;q=0, application/json" } }],
    ["a GET with a credential", { headers: { accept: chromium, authorization: "Bearer none" } }],
    ["a POST that accepts HTML", { method: "POST", headers: { accept: chromium }, body: "{}" }]
  ])("challenges %s as before", async (_, init) => {
    for (const path of ["/mcp", "/mcp/"]) {
      const response = await call(path, init)
      expect(response.status).toBe(401)
      expect(response.headers.get("www-authenticate")).toContain("resource_metadata=")
      expect(await response.json()).toMatchObject({ success: false })
    }
  })
})
