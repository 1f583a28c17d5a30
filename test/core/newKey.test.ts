import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { NewKey } from "../../core/key/NewKey.ts"
import { parseOrigin, parseScopes, newKeyFault } from "../../core/key/NewKey.ts"
import { scopes } from "../../core/operation/scope.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"

const now = "2026-06-01T00:00:00.000Z" as IsoTime
const input: NewKey = {
  organizationId: "org_1" as OrganizationId,
  name: "n",
  scopes: ["read"],
  expiresAt: null,
  allowedCidrs: [],
  allowedOrigins: [],
  releaseId: null
}

describe("contract §1, Keys: what a key may be", () => {
  it("the certified scope stands alone, every other set of scopes is fine, and none is none", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...scopes)), (held) => {
        const mixed = held.length > 1 && held.includes("certified:derived_decision:read")
        const expected = held.length === 0 ? "no_scope" : mixed ? "scopes_mixed" : undefined
        expect(newKeyFault({ ...input, scopes: held }, now)?.code).toBe(expected)
      })
    )
  })

  it("a key that is over at the very instant it is made is not made", () => {
    const expiring = (expiresAt: string) =>
      newKeyFault({ ...input, expiresAt: expiresAt as IsoTime }, now)?.code
    expect(expiring("2026-05-31T23:59:59.999Z")).toBe("already_expired")
    expect(expiring(now)).toBe("already_expired")
    expect(expiring("2026-06-01T00:00:00.001Z")).toBe(undefined)
  })

  it("phi.md a name with a patient identifier is rejected with its kinds, and other names pass", () => {
    const named = (name: string) => newKeyFault({ ...input, name }, now)
    expect(named("MRN: 0012 of jane%40example.com")).toEqual({
      code: "patient_identifier",
      kinds: ["mrn", "email"]
    })
    expect(named("123456789")).toEqual({ code: "patient_identifier", kinds: ["ssn"] })
    for (const name of ["nightly import 2026-01-31", "L33831", "1234567893", "Mr. Spirometer"])
      expect([name, named(name)]).toEqual([name, undefined])
  })

  it("§2.5 scopes are known words, each once, in the order given", () => {
    expect(parseScopes(["write", "read", "write"])).toEqual(["write", "read"])
    expect(parseScopes(["read", "toString"])).toBe(undefined)
    expect(parseScopes([])).toEqual([])
  })

  it("an origin is read as browsers send it", () => {
    const read: ReadonlyArray<readonly [string, string | undefined]> = [
      ["https://app.example.com", "https://app.example.com"],
      ["HTTPS://App.Example.COM:443", "https://app.example.com"],
      ["http://localhost:80", "http://localhost"],
      ["http://localhost:443", "http://localhost:443"],
      ["http://[::1]:5173", "http://[::1]:5173"],
      ["https://a.example:0", undefined],
      ["https://a.example:65536", undefined],
      ["https://a.example/", undefined],
      ["https://user@a.example", undefined],
      ["https://", undefined],
      ["a.example", undefined],
      ["*", undefined],
      ["null", undefined]
    ]
    for (const [text, origin] of read) expect(parseOrigin(text), text).toBe(origin)
  })
})
