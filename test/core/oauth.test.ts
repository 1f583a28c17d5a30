import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  clientNameCharactersMax,
  formOriginOf,
  hostOf,
  isRedirectUri,
  shownName
} from "../../core/oauth/client.ts"
import { accountText, readAccount } from "../../core/oauth/OAuthGrant.ts"
import { oauthLimits, oauthSubject } from "../../core/oauth/limits.ts"
import { authorizationServerMetadata, protectedResourceMetadata } from "../../core/oauth/metadata.ts"
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

describe("RFC 8252 where a client's answers may go", () => {
  it("an address whose host is not the caller's own machine is https, as WHATWG reads it too", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom(...hostile)), (text) => {
        if (!isRedirectUri(text)) return
        const url = new URL(text)
        const isOwn = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
        expect([text, url.protocol, url.username, url.hash]).toEqual([
          text,
          isOwn ? "http:" : "https:",
          "",
          ""
        ])
      }),
      { numRuns: runs(300) }
    )
  })

  it("takes the usual ones", () => {
    for (const text of [
      "https://claude.ai/api/mcp/auth_callback",
      "http://localhost/",
      "http://127.0.0.1:33418",
      "http://[::1]:1/x?y",
      "https://xn--bcher-kva.example/cb",
      "https://App.Example:8443/cb",
      "https://intranet/cb",
      "https://192.0.2.7/cb",
      "https://[2001:db8::7]:8443/cb"
    ])
      expect([text, isRedirectUri(text)]).toEqual([text, true])
  })

  it("refuses a host that is none", () => {
    for (const host of noHosts) expect([host, isRedirectUri(`https://${host}/cb`)]).toEqual([host, false])
  })

  it("refuses what some reader could take for another host", () => {
    for (const text of hostile) expect([text, isRedirectUri(text)]).toEqual([text, false])
  })

  it("the policy of the page names the origin, or the scheme where it has no word for the host", () => {
    expect(formOriginOf("http://127.0.0.1:6274/x?y")).toBe("http://127.0.0.1:6274")
    expect(formOriginOf("https://app.example/x")).toBe("https://app.example")
    expect(formOriginOf("http://[::1]:80/x")).toBe("http:")
    expect(hostOf("https://app.example:8443/x")).toBe("app.example:8443")
    expect(hostOf("a-client-id")).toBe("")
  })
})

const noHosts = [
  "*",
  "*.example",
  "app.*",
  ".",
  ".example",
  "app..example",
  "app.example.",
  "-app.example",
  "app-.example",
  "app_1.example",
  "a%2eb.example",
  `${"x".repeat(64)}.example`,
  `${"x.".repeat(127)}example`,
  "app.example:",
  "app.example:65536",
  "app.example:1:2",
  ":443",
  "[]",
  "[::g]",
  "[2001:db8::7%25eth0]",
  "[192.0.2.7]",
  "127.1",
  "0x7f000001",
  "2130706433",
  "192.0.2.256"
]

const hostile = [
  "https://[0:0:0:0:0:0:0:1]/",
  "http://app.example/",
  "https://localhost/",
  "https://127.0.0.1/",
  "http://localhost.evil.example/",
  "http://localhost@evil.example/",
  "http://localhost\\@evil.example/",
  "http://localhost%00.evil.example/",
  "https://user:pass@app.example/",
  "https://app.example/#x",
  "https://app.example/ x",
  "https://app.example/\u202e",
  "https://",
  "HTTPS://app.example/",
  "javascript:alert(1)",
  "data:text/html,x",
  "cursor://anysphere/callback",
  `https://app.example/${"x".repeat(2_048)}`
]

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
        oauthSubject(limit, "203.0.113.9"),
        oauthSubject(limit, "::ffff:203.0.113.9")
      ])
    )
    expect(subjects.size).toBe(Object.keys(oauthLimits).length)
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
