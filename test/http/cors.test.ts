import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { movableClock } from "./clock.ts"
import { serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { sandboxClient, sandboxOver, sandboxStores } from "./sandboxCalls.ts"

const origin = "https://app.example"
const asked = { origin }

describe("contract §1 CORS", () => {
  const composed = () => sandboxOver(sandboxStores[0][1], movableClock(Date.UTC(2026, 2, 10, 12)))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const { ask, call, testKey } = sandboxClient(() => serving.url)
  beforeAll(async () => {
    serving = await serve(composed())
    key = (await testKey()).key
  })
  afterAll(() => serving.close())

  it.each<[string, () => Promise<Response>, number]>([
    ["an answer", () => call("/jurisdictions", key, { headers: asked }), 200],
    ["a 304", () => unchanged(), 304],
    ["health", () => ask("/health", { headers: asked }), 200],
    ["a new key", () => ask("/keys", { method: "POST", headers: asked }), 200],
    ["a missing key", () => ask("/jurisdictions", { headers: asked }), 401],
    ["a mistyped key", () => call("/jurisdictions", "svc_test_mistyped", { headers: asked }), 401],
    ["an invalid value", () => call("/policies?limit=0", key, { headers: asked }), 400],
    ["an unknown code", () => call("/codes/lookup?code=ZZZZZ", key, { headers: asked }), 404],
    ["an unknown path", () => ask("/nothing", { headers: asked }), 404],
    ["an operation that is not offered", () => ask("/rates", { headers: asked }), 404]
  ])("reflects every origin in the sandbox on %s", async (_name, answer, status) => {
    const { headers, status: answered } = await answer()
    expect(answered).toBe(status)
    expect(headers.get("access-control-allow-origin")).toBe(origin)
    expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id")
    expect(headers.get("vary")).toContain("Origin")
  })

  const unchanged = async () => {
    const whole = await call("/jurisdictions/JH", key, { headers: asked })
    const tag = whole.headers.get("etag") ?? ""
    return call("/jurisdictions/JH", key, { headers: { ...asked, "if-none-match": tag } })
  }

  it("lets caches keep the sandbox's answers for pages apart from those for others", async () => {
    const { headers } = await call("/jurisdictions", key)
    expect(headers.has("access-control-allow-origin")).toBe(false)
    expect(headers.get("vary")).toContain("Origin")
  })

  it.each(["/api/v1/health", "/api/v1/jurisdictions", "/api/v1/nothing"])(
    "reflects no origin on the live surface without a key that lists it: %s",
    async (path) => {
      const { headers } = await fetch(serving.url + path, { headers: asked })
      expect(headers.has("access-control-allow-origin")).toBe(false)
    }
  )

  it.each([
    ["/openapi.json", 200],
    ["/llms.txt", 200],
    ["/.well-known/jwks.json", 200],
    ["/.well-known/security.txt", 200],
    ["/.well-known/openid-configuration", 404],
    ["/.well-known/oauth-protected-resource/nothing", 404],
    ["/openapi.yaml", 404]
  ])("lets pages of every origin read %s (%i)", async (path, status) => {
    const response = await fetch(serving.url + path, { headers: asked })
    expect(response.status).toBe(status)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
  })

  it("answers a preflight for metadata that does not exist, so that a page sees the 404", async () => {
    const headers = { ...asked, "access-control-request-headers": "mcp-protocol-version" }
    const response = await fetch(`${serving.url}/.well-known/openid-configuration`, {
      method: "OPTIONS",
      headers
    })
    expect(response.status).toBe(204)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(response.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version")
  })
})
