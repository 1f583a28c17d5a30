import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientNameCharactersMax, shownName } from "../../core/oauth/client.ts"
import { accountText, readAccount } from "../../core/oauth/OAuthGrant.ts"
import { oauthLimits, oauthSubject, registrationUses } from "../../core/oauth/limits.ts"
import { authorizationServerMetadata, protectedResourceMetadata } from "../../core/oauth/metadata.ts"
import { calledBaseUrl, readResource } from "../../core/oauth/resource.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PersonId } from "../../core/person/Person.ts"
import { runs } from "../kit/runs.ts"

describe("§5 the account of a token", () => {
  it("is read as it was written, whatever a person's id holds", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (person) => {
        const organizationId = "org_00000000000000000000000001" as OrganizationId
        const account = { organizationId, personId: person as PersonId }
        expect(readAccount(accountText(account))).toEqual(account)
      }),
      { numRuns: runs(100) }
    )
  })

  it("is nobody's where a part is missing", () => {
    for (const text of ["", ".", "org_1", "org_1.", ".person"]) expect(readAccount(text)).toBeUndefined()
  })
})

describe("the name that a client gives itself", () => {
  it("stands on one line, within its length, and hides and turns nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const name = shownName(text)
        if (name === undefined) return
        expect(Array.from(name).length).toBeLessThanOrEqual(clientNameCharactersMax)
        expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|^\s|\s$|\s\s/u)
      }),
      { numRuns: runs(300) }
    )
    expect(shownName("Claude Code")).toBe("Claude Code")
    expect(shownName("Prüf-App 日本")).toBe("Prüf-App 日本")
    expect(shownName("a\u202eb\nc\u200b")).toBe("a b c")
    expect(shownName(" \u2066\n")).toBeUndefined()
  })
})

describe("what an address may do unknown", () => {
  it("each thing is counted by itself, however the address is written", () => {
    const subjects = new Set(
      (Object.keys(oauthLimits) as Array<keyof typeof oauthLimits>).flatMap((limit) => [
        oauthSubject({ limit }, "203.0.113.9"),
        oauthSubject({ limit }, "::ffff:203.0.113.9")
      ])
    )
    expect(subjects.size).toBe(Object.keys(oauthLimits).length)
  })
})

describe("what a registration counts against", () => {
  const hosted = (host: string) => [{ limit: "hostRegistration", host }, { limit: "hostedRegistration" }]
  const other = [{ limit: "registration" }]

  it("only a client whose addresses all lead to one hosted client counts as that one", () => {
    const claude = "https://claude.ai/api/mcp/auth_callback"
    expect(registrationUses([claude])).toEqual(hosted("claude.ai"))
    expect(registrationUses([claude, "https://claude.ai/other"])).toEqual(hosted("claude.ai"))
    for (const uris of [
      [],
      [7],
      [claude, "http://localhost/cb"],
      [claude, "https://chatgpt.com/cb"],
      ["https://claude.ai.evil.example/cb"],
      ["https://claude.ai:8443/cb"],
      ["https://user@claude.ai/cb"],
      ["http://claude.ai/cb"],
      ["https://evil.example/claude.ai"],
      [claude, "https://evil.example/cb"]
    ])
      expect([uris, registrationUses(uris)]).toEqual([uris, other])
  })
})

describe("RFC 8414 and RFC 9728 metadata", () => {
  it("the resource's server is the issuer, and every endpoint stands beneath it", () => {
    const base = "https://api.coverage.example"
    const server = authorizationServerMetadata(base)
    expect(protectedResourceMetadata(base).authorization_servers).toEqual([server.issuer])
    for (const [name, value] of Object.entries(server))
      if (name.endsWith("_endpoint")) expect(String(value).startsWith(`${base}/oauth/`)).toBe(true)
  })
})

describe("contract §3: the resource under each of the server's names", () => {
  const bases = ["http://127.0.0.1:3000", "http://localhost:3000", "http://[::1]:3000"]

  it("in development a client finds the resource under the loopback name that it called", () => {
    for (const baseUrl of bases) {
      const place = { baseUrl, loopbackPorts: [3_000] }
      for (const called of bases) {
        const found = calledBaseUrl(place, called.replace("http://", "").toUpperCase())
        expect([baseUrl, called, found]).toEqual([baseUrl, called, called])
        const metadata = protectedResourceMetadata(baseUrl, found)
        expect([metadata.resource, metadata.authorization_servers]).toEqual([`${called}/mcp`, [baseUrl]])
        for (const writing of ["/mcp", "/mcp/", "", "/"])
          expect(readResource(place, called + writing)).toBe(`${baseUrl}/mcp`)
      }
      for (const host of ["localhost:3001", "localhost", "evil.example", "evil.example:3000", "", undefined])
        expect(calledBaseUrl(place, host)).toBe(baseUrl)
      for (const other of [
        "http://localhost:3001/mcp",
        "https://localhost:3000/mcp",
        "http://evil.example/mcp"
      ])
        expect(readResource(place, other)).toBeUndefined()
    }
    expect(calledBaseUrl({ baseUrl: "http://localhost", loopbackPorts: [80] }, "127.0.0.1")).toBe(
      "http://127.0.0.1"
    )
    const behindTls = { baseUrl: "https://localhost:3000", loopbackPorts: [3_000] }
    expect(calledBaseUrl(behindTls, "localhost:3000")).toBe("https://localhost:3000")
  })

  it("in production only BASE_URL names the server", () => {
    const place = { baseUrl: "https://api.coverage.example", loopbackPorts: [] }
    expect(calledBaseUrl(place, "localhost:3000")).toBe(place.baseUrl)
    expect(readResource(place, "http://localhost:3000/mcp")).toBeUndefined()
    expect(readResource(place, "https://api.coverage.example/")).toBe("https://api.coverage.example/mcp")
  })
})
