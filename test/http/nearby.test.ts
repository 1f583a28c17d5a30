import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { documents } from "../../adapters/http/docs/documents.ts"
import { navigation } from "../../adapters/http/docs/navigation.ts"
import { prefersHtml } from "../../adapters/http/docs/prefersHtml.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

/** Headers that are another for each answer, or for each connection. */
const ofOneAnswer: ReadonlySet<string> = new Set(["date", "x-request-id", "connection", "keep-alive"])

describe("who lands beside a page", () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
  })
  afterAll(() => serving.close())
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(serving.url + path, { redirect: "manual", ...init })
  const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code

  it.each(navigation.map(({ path }) => path))("%s/ leads to the page, with the same query", async (path) => {
    for (const query of ["", "?a=1&b=//elsewhere.example/%20"]) {
      const response = await ask(`${path}/${query}`)
      expect([response.status, response.headers.get("location")]).toEqual([308, path + query])
    }
    expect((await ask(`${path}/`, { method: "POST" })).status).toBe(404)
  })

  it.each(["/nope", "/docs/nope", "/docs/assets/nope.js", "/status/nope", "/apis"])(
    "a browser at %s is shown a page of its own, which leads on",
    async (path) => {
      const response = await ask(path, { headers: { accept: browser } })
      expect(response.status).toBe(404)
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(response.headers.get("x-request-id")).toMatch(/^req_/)
      const text = await response.text()
      expect(text).toContain("<h1>Page not found</h1>")
      for (const link of ["/docs", "/status", "/"]) expect(text).toContain(`href="${link}"`)
    }
  )

  it.each([
    ["/api/v1/nope", browser],
    ["/api/sandbox/v1/nope?q=1", "text/html"],
    ["/api", browser],
    ["/API/v1/health", browser],
    ["/nope", "*/*"],
    ["/nope", "application/json, text/html"],
    ["/docs/nope", "application/json, text/html;q=0.9"]
  ])("contract §1 %s is the envelope for a caller that accepts %s", async (path, accept) => {
    const response = await ask(path, { headers: { accept } })
    expect([response.status, await codeOf(response)]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("contract §1 what is no question for a page, and the closed surface, stay in the envelope", async () => {
    const headers = { accept: browser }
    expect(await codeOf(await ask("/nope", { method: "POST", headers }))).toBe("RESOURCE_NOT_FOUND")
    expect(await codeOf(await ask("/api/public/v1", { headers }))).toBe("COMMERCIAL_SURFACE_UNAVAILABLE")
    expect((await ask(`/nope?${"x".repeat(9_000)}`, { headers })).status).toBe(400)
  })

  it.each([
    [undefined, false],
    ["", false],
    ["text/*", true],
    ["text/html;q=0", false],
    ["TEXT/HTML;q=0.5, application/*;q=0.4", true],
    ["text/html;q=0.3, */*;q=0.4", false]
  ])("RFC 9110 §12.5.1 Accept: %s wants HTML more than JSON: %s", (accept, wanted) => {
    expect(prefersHtml(accept)).toBe(wanted)
  })

  it("a browser that asks for an icon unbidden is told that there is none", async () => {
    const response = await ask("/favicon.ico")
    expect([response.status, await response.text()]).toEqual([204, ""])
  })

  it("RFC 9309 /robots.txt closes the API and what is behind sign-in, and nothing else", async () => {
    const rules = await (await ask("/robots.txt")).text()
    const closed = [...rules.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = ""]) => path)
    const isOpen = (path: string) => !closed.some((prefix) => path.startsWith(prefix))
    expect(rules).toMatch(/^User-agent: \*\n/)
    expect(["/api/v1/policies", "/dashboard/org_1/keys", "/invitations/1"].filter(isOpen)).toEqual([])
    const open = ["/", "/signup", ...navigation.map(({ path }) => path)]
    expect(open.filter((path) => !isOpen(path))).toEqual([])
  })

  it.each([
    ...documents.map(({ path }) => path),
    "/status",
    "/status.json",
    "/docs/",
    "/favicon.ico",
    "/.well-known/jwks.json",
    "/api/v1/health",
    "/nope"
  ])("contract §1 HEAD %s is GET without a body", async (path) => {
    const answer = async (method: string) => {
      const response = await ask(path, { method, headers: { accept: browser } })
      const headers = [...response.headers].filter(([name]) => !ofOneAnswer.has(name))
      return { status: response.status, headers, text: await response.text() }
    }
    const [get, head] = [await answer("GET"), await answer("HEAD")]
    expect(head).toEqual({ ...get, text: "" })
  })
})
