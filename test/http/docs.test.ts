import { hash } from "node:crypto"
import { get } from "node:http"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scalar, scriptPaths } from "../../adapters/http/docs/assets.ts"
import { documents } from "../../adapters/http/docs/documents.ts"
import { navigation, statusPath } from "../../adapters/http/docs/navigation.ts"
import { securityPage } from "../../adapters/http/docs/securityPage.ts"
import { securityText } from "../../adapters/http/docs/securityText.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { retryWaitsSeconds } from "../../core/error/retry.ts"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { baseUrl, healthy, serve, supportUrl } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

const linksOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map((match) => match[1] ?? "")
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? ""))

describe("the documentation that the service shows", () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  const pages = new Map<string, string>()
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(serving.url + path, { headers })
  beforeAll(async () => {
    serving = await serve(ports)
    for (const path of [...documents.map((document) => document.path), statusPath, `${statusPath}.json`])
      pages.set(path, await (await ask(path)).text())
  })
  afterAll(() => serving.close())
  const pageAt = (path: string): string => pages.get(path) ?? ""

  /** The links of a page that lead to no path that is served, or to no anchor there. */
  const deadLinks = (path: string, links: ReadonlyArray<string>): ReadonlyArray<string> =>
    links
      .filter((link) => link.startsWith("/") || link.startsWith("#"))
      .filter((link) => {
        const [target = "", anchor] = link.split("#")
        const page = pages.get(target === "" ? path : target)
        return page === undefined || (anchor !== undefined && anchor !== "" && !anchorsOf(page).has(anchor))
      })

  it.each(documents.map(({ path }) => path))(
    "%s answers, may be kept for a while, and is packed",
    async (path) => {
      const response = await ask(path)
      expect([response.status, response.headers.get("content-encoding")]).toEqual([200, "gzip"])
      expect(response.headers.get("cache-control")).toBe("public, max-age=300")
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    }
  )

  it("sends plain bytes to a caller that refuses gzip", async () => {
    const encodingFor = async (path: string, header: string) =>
      (await ask(path, { "accept-encoding": header })).headers.get("content-encoding")
    const script = (await scriptPaths()).scalar
    for (const path of [...documents.map((document) => document.path), script]) {
      for (const header of ["gzip;q=0", "gzip;q=0, *", "GZIP; Q=0.0", "br", "identity", "x-notgzip", "*;q=0"])
        expect([path, header, await encodingFor(path, header)]).toEqual([path, header, null])
      for (const header of ["gzip", "br, gzip;q=0.1", "*", "*;q=0.5, br;q=0"])
        expect([path, header, await encodingFor(path, header)]).toEqual([path, header, "gzip"])
    }
  })

  it("links only to what is there, from page to page and to anchors", () => {
    const all = navigation.flatMap(({ path }) => linksOf(pageAt(path)))
    expect(all.length).toBeGreaterThan(500)
    expect(navigation.flatMap(({ path }) => deadLinks(path, linksOf(pageAt(path))))).toEqual([])
    const planted = ["/docs/nowhere", "/docs/errors#no-such-code", "#nothing"]
    expect(deadLinks("/docs", planted)).toEqual(planted)
  })

  it("links every page from every other", () => {
    for (const { path } of navigation) {
      const links = linksOf(pageAt(path))
      expect(navigation.filter((other) => !links.includes(other.path))).toEqual([])
    }
  })

  it.each(errorCodes)("§7.1 says of %s what happened, how to fix it, and whether to retry", (code) => {
    const [, section] =
      new RegExp(`<h2 id="${errorAnchor(code)}">([\\s\\S]*?)</ul>`).exec(pageAt("/docs/errors")) ?? []
    expect(section).toMatch(/<strong>What happened<\/strong>: [^<]+/)
    expect(section).toMatch(/<strong>How to fix<\/strong>: [^<]*\S/)
    const row = errorRow(code)
    expect(section).toContain(`<strong>Retry</strong>: ${row.retryable ? "Yes" : "No"}`)
    if (row.retryable && row.status !== 429)
      expect(section).toContain(retryWaitsSeconds.slice(0, -1).join(", "))
  })

  it("says its own addresses where the generated pages have stand-ins", () => {
    expect(pageAt("/docs/errors")).toContain(`Contact support with the request_id: ${supportUrl}`)
    expect(pageAt("/docs/sandbox")).toContain(`${baseUrl}/api/sandbox/v1/keys`)
    expect(pageAt("/docs/mcp").split(`${baseUrl}/mcp`).length - 1).toBe(9)
    for (const path of ["/docs/errors", "/docs/sandbox", "/docs/mcp"])
      expect(pageAt(path)).not.toMatch(/SUPPORT_URL|127\.0\.0\.1:3000/)
  })

  it("shows the interactive reference from this service alone; a table where no script runs", async () => {
    const response = await ask("/docs")
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    const page = pageAt("/docs")
    expect(page).not.toMatch(/<script(?![^>]* src="\/docs\/assets\/)/)
    for (const id of operationIds) expect(page.replaceAll("<wbr>", "")).toContain(operationRow(id).path)
    const others = navigation.filter(({ path }) => path !== "/docs")
    for (const { path } of others) {
      expect((await ask(path)).headers.get("content-security-policy")).not.toMatch(/script-src|unsafe/)
      expect(pageAt(path)).not.toContain("<script")
    }
  })

  it("sends both scripts under a path of their content, to be kept for good", async () => {
    const paths = await scriptPaths()
    for (const path of Object.values(paths)) {
      const response = await ask(path)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toMatch(/^text\/javascript/)
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    }
    const unknown = await ask("/docs/assets/scalar-0000000000000000.js")
    expect([unknown.status, ((await unknown.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
  })

  it("sends the reference as it was published, to those too who take nothing packed", async () => {
    const { scalar: path } = await scriptPaths()
    const plain = await new Promise<Buffer>((resolve, reject) => {
      const chunks: Array<Buffer> = []
      get(serving.url + path, (response) => {
        expect(response.headers["content-encoding"]).toBeUndefined()
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => resolve(Buffer.concat(chunks)))
      }).on("error", reject)
    })
    expect(hash("sha256", plain)).toBe(scalar.sha256)
    expect(plain.includes(`"${scalar.version}"`) || plain.includes(`\`${scalar.version}\``)).toBe(true)
  })

  it("RFC 9116 /.well-known/security.txt names a contact and expires in less than a year", () => {
    const fields = Object.fromEntries(
      pageAt("/.well-known/security.txt")
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("#"))
        .map((line) => line.split(/: (.*)/).slice(0, 2))
    )
    expect(fields).toMatchObject({
      Contact: supportUrl,
      Canonical: `${baseUrl}/.well-known/security.txt`
    })
    const days = (Date.parse(fields["Expires"]) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(300)
    expect(days).toBeLessThan(365)
    expect(pageAt("/.well-known/security.txt")).toContain(`# Found an API key? POST it`)
    expect(pageAt("/docs/security")).toContain(`<a href="${supportUrl}">`)
  })

  it("RFC 9116 §2.5.3 names a page with what to do where there is no contact, or one without TLS", () => {
    const contactOf = (support: string) =>
      /^Contact: (.*)$/m.exec(String(securityText({ baseUrl, supportUrl: support, startedMs: 0 }).body))?.[1]
    expect(contactOf(`${baseUrl}/docs/errors`)).toBe(`${baseUrl}/docs/security`)
    expect(contactOf("http://coverage.example/support")).toBe(`${baseUrl}/docs/security`)
    expect(contactOf("mailto:security@coverage.example")).toBe("mailto:security@coverage.example")
    const unnamed = securityPage({ baseUrl, supportUrl: `${baseUrl}/docs/errors`, startedMs: 0 })
    expect(unnamed.body).toContain("has not published where to be reached")
    expect(unnamed.body).toContain(`${baseUrl}/security/leaked-key`)
  })

  it("/llms.txt names every operation and page, and links only to what is there", () => {
    const text = pageAt("/llms.txt")
    expect(text.length).toBeLessThan(10_000)
    for (const id of operationIds)
      expect(text).toContain(`${operationRow(id).path}: ${operationRow(id).summary}`)
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => (match[1] ?? "").replace(baseUrl, ""))
    expect(links).toEqual([...navigation.map(({ path }) => path), "/openapi.json"])
    expect(deadLinks("/llms.txt", links)).toEqual([])
  })

  it("the changelog is a feed, whose entries lead to what is there", () => {
    const feed = pageAt("/docs/changelog.atom")
    const links = [...feed.matchAll(/<entry>[\s\S]*?<link [^>]*href="([^"]+)"/g)].map((match) =>
      (match[1] ?? "").replace(baseUrl, "")
    )
    expect(links.length).toBeGreaterThan(1)
    expect(deadLinks("", links)).toEqual([])
  })

  it("openapi.json is the same document with the addresses of this service", async () => {
    const document = JSON.parse(pageAt("/openapi.json"))
    expect(document.servers[0].url).toBe(`${baseUrl}/api/v1`)
    const links = [...String(document.info.description).matchAll(/\]\((\/[^)]+)\)/g)].map(
      (match) => match[1] ?? ""
    )
    expect(links.length).toBeGreaterThan(2)
    expect(deadLinks("/openapi.json", links)).toEqual([])
  })
})
