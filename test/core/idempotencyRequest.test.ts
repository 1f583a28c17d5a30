import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fingerprintText, scopeText } from "../../core/idempotency/fingerprint.ts"
import { canonicalJson } from "../../core/json/canonicalJson.ts"
import { keyIn, keyRefusal } from "../../core/idempotency/key.ts"

const request = {
  path: "/webhooks/{id}",
  params: { id: "7" },
  query: {},
  body: `{"status":"active","events":["*"]}`
}

describe("RFC 8785 canonical JSON", () => {
  it("§3.2.3 sorts names by their UTF-16 code units", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"]
    const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))
    expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`)
  })

  it("§3.2.2 writes numbers, texts and literals as ECMAScript does", () => {
    const value = JSON.parse(
      `{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0],` +
        `"string":"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}`
    )
    expect(canonicalJson(value)).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],` +
        `"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`
    )
  })

  it("is JSON of the same value, whatever the order of its members", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(text)
      })
    ))
})

describe("contract §1 the fingerprint of a request", () => {
  it("is the same for the same JSON however it is written", () => {
    const same = { ...request, body: ` { "events" : [ "\\u002a" ], "status":"active" } ` }
    expect(fingerprintText(same)).toBe(fingerprintText(request))
  })

  it("is another for another path, query or body", () => {
    const others = [
      { ...request, params: { id: "8" } },
      { ...request, path: "/webhooks/{id}/test" },
      { ...request, query: { a: "1" } },
      { ...request, body: `{"status":"paused","events":["*"]}` },
      { ...request, body: `{"status":"active","events":["*"],"more":null}` },
      { ...request, body: "" }
    ]
    const texts = [request, ...others].map(fingerprintText)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it("is one text for one scope: no two subjects, operations and keys run into each other", () => {
    const scopes = [
      ["org:1", "a", "b"],
      ["org:1", "a b", ""],
      ["org:1a", "", "b"],
      ["org:1", 'a","b', ""]
    ] as const
    const texts = scopes.map(([subject, operation, key]) => scopeText({ subject, operation, key }))
    expect(new Set(texts).size).toBe(scopes.length)
  })
})

describe.each([
  ["X-Idempotency-Key", (key: string) => ({ idempotencyKey: key, idempotencyAlias: undefined })],
  ["Idempotency-Key", (key: string) => ({ idempotencyKey: undefined, idempotencyAlias: key })]
] as const)("contract §1 %s", (header, headersOf) => {
  const refusalOf = (key: string) => keyRefusal(headersOf(key))
  const told = (key: string) => refusalOf(key)?.details
  const fault = (code: string) => ({ fields: [{ path: `/headers/${header.toLowerCase()}`, code }] })

  it("has 1 to 255 characters", () => {
    expect(["k", "k".repeat(255)].map(told)).toEqual([undefined, undefined])
    for (const key of ["", "k".repeat(256), "é".repeat(256)])
      expect(told(key)).toMatchObject(fault("out_of_range"))
    expect(refusalOf("")?.code).toBe("VALIDATION_OUT_OF_RANGE")
  })

  it("is printable ASCII, and its value is never repeated", () => {
    expect(told(' ~!"{}')).toBeUndefined()
    for (const key of ["secret é", "secret \u007f", "secret \t"]) {
      expect(told(key)).toMatchObject(fault("invalid_format"))
      expect(JSON.stringify(told(key))).not.toContain("secret")
    }
    expect(refusalOf("\u007f")?.code).toBe("VALIDATION_INVALID_FORMAT")
  })

  it("phi.md is rejected if it contains a patient identifier, and passes with bare digits", () => {
    const path = `/headers/${header.toLowerCase()}`
    for (const key of ["claim-123-45-6789", "claim_123_45_6789", "claim-123%2D45%252D6789"]) {
      expect(refusalOf(key)?.code).toBe("PHI_NOT_ALLOWED")
      expect(told(key)).toEqual({ findings: [{ path, kind: "ssn" }] })
    }
    expect(told(`${"k".repeat(300)} jane@example.com`)).toEqual({ findings: [{ path, kind: "email" }] })
    for (const key of ["123456789", "2125550100", "order:2125550100", "018f4e2a-7b1c-7def-8a12-123456789012"])
      expect([key, told(key)]).toEqual([key, undefined])
  })

  it("is the key of the request", () => expect(keyIn(headersOf("k"))).toBe("k"))
})

describe("contract §1 X-Idempotency-Key and Idempotency-Key together", () => {
  it("are one key if they have the same value", () => {
    const same = { idempotencyKey: "k", idempotencyAlias: "k" }
    expect(keyRefusal(same)).toBeUndefined()
    expect(keyIn(same)).toBe("k")
  })

  it("are rejected if they differ, and neither value is repeated", () => {
    const refusal = keyRefusal({ idempotencyKey: "secret one", idempotencyAlias: "secret two" })
    expect(refusal).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { fields: [{ path: "/headers/idempotency-key" }] }
    })
    expect(JSON.stringify(refusal)).not.toContain("secret")
  })
})

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)])
  )
}
