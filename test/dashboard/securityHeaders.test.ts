import { describe, expect, it } from "vitest"
import { securityHeaders } from "../../adapters/dashboard/response.ts"
import { formOriginOf } from "../../core/oauth/redirectUri.ts"

const policyFor = (formOrigins: ReadonlyArray<string>): string =>
  securityHeaders({}, formOrigins)["content-security-policy"] ?? ""

const closed =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'"

describe("contract §3 the security headers of a page", () => {
  it("allow scripts and styles of ours alone, no frame, no base address and no other form target", () => {
    expect(securityHeaders({ requestId: "req_1" })).toEqual({
      "x-request-id": "req_1",
      "content-security-policy": closed,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      "cross-origin-resource-policy": "same-origin"
    })
  })

  it.each([
    "https://app.example",
    "https://app.example:8443",
    "http://127.0.0.1:6274",
    "http://localhost",
    "cursor:",
    "com.example.app:"
  ])("let the form of a consent lead to %s", (origin) => {
    expect(policyFor([origin])).toBe(closed.replace("form-action 'self'", `form-action 'self' ${origin}`))
  })

  it.each([
    "https://app.example; script-src *",
    "https://app.example;script-src-elem https://evil.example",
    "https://app.example https://evil.example",
    "https://app.example\nx-injected: 1",
    "https://app.example\r\n",
    "https://app.example\t*",
    "https://app.example,default-src *",
    "https://*.example",
    "https://*",
    "*",
    "https://app.example/path",
    "https://app.example?query",
    "https://ada@app.example",
    "https://app.example'",
    'https://app.example"',
    "'unsafe-inline'",
    "'self'",
    "'none'",
    "HTTPS://app.example",
    "//app.example",
    "app.example",
    "https",
    ""
  ])("leave %j out of every directive", (origin) => {
    expect(policyFor([origin])).toBe(closed)
    expect(policyFor([origin, "https://app.example"])).toBe(
      closed.replace("form-action 'self'", "form-action 'self' https://app.example")
    )
  })

  it("contain an origin alone of a redirect URI, whatever follows it", () => {
    for (const [uri, origin] of [
      ["https://app.example/cb;script-src", "https://app.example"],
      ["https://app.example/a%20b?c=*", "https://app.example"],
      ["cursor://anysphere.cursor-mcp/cb;x", "cursor:"]
    ] as const)
      expect(policyFor([formOriginOf(uri)])).toBe(
        closed.replace("form-action 'self'", `form-action 'self' ${origin}`)
      )
  })
})
