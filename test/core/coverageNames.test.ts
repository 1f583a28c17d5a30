import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalCode, codeSystemsLike, displayCode } from "../../core/coverage/codeText.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { canonicalJurisdiction, foldState, resolvePlace } from "../../core/coverage/place.ts"
import { parsePolicyId } from "../../core/coverage/policyId.ts"

describe("policy ids in any usual writing (contract §2, GET /policies/{id})", () => {
  const writings: ReadonlyArray<readonly [string, string]> = [
    ["L33831", "L33831"],
    ["l33831", "L33831"],
    [" L33831 ", "L33831"],
    ["LCD L33831", "L33831"],
    ["lcd 33831", "L33831"],
    ["DL39000", "DL39000"],
    ["dl39000", "DL39000"],
    ["A52423", "A52423"],
    ["Article A52423", "A52423"],
    ["da52423", "DA52423"],
    ["NCD 220.6", "NCD 220.6"],
    ["ncd 220.6", "NCD 220.6"],
    ["NCD220.6", "NCD 220.6"],
    ["220.6", "NCD 220.6"],
    ["ncd-220.6", "NCD 220.6"],
    ["NCD20.29", "NCD 20.29"],
    ["NCD-20.29", "NCD 20.29"],
    ["NCD_20.29", "NCD 20.29"],
    ["NCD § 20.29", "NCD 20.29"],
    ["20.29", "NCD 20.29"],
    ["20.8.1.1", "NCD 20.8.1.1"],
    ["1.2.3.4.5.6", "NCD 1.2.3.4.5.6"],
    ["220.60", "NCD 220.60"],
    ["33831", "33831"],
    ["ACME-Policy 7", "ACME-Policy 7"],
    ["  acme.7a ", "acme.7a"]
  ]
  for (const [text, id] of writings) {
    it(`reads ${JSON.stringify(text)} as ${id}`, () => expect(parsePolicyId(text)).toBe(id))
  }

  it("are no id when empty, too long, or with control characters", () => {
    expect(["", "  ", "x".repeat(101), "L33831\u0000"].map(parsePolicyId)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("are canonical once read: reading again changes nothing", () => {
    const some = fc.oneof(fc.string(), fc.constantFrom(...writings.map(([text]) => text)))
    fc.assert(
      fc.property(some, (text) => {
        const id = parsePolicyId(text)
        if (id !== undefined) expect(parsePolicyId(id)).toBe(id)
      })
    )
  })

  it("keep sections apart as text: 220.6 is not 220.60", () => {
    const section = fc
      .array(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 5 })
      .map((parts) => parts.join("."))
    fc.assert(
      fc.property(section, section, (a, b) => {
        expect(parsePolicyId(a) === parsePolicyId(b)).toBe(a === b)
      })
    )
  })
})

describe("codes as text (contract §2, GET /codes/lookup)", () => {
  it("are upper case, and ICD-10 codes lose their dot", () => {
    expect([" m54.16 ", "M5416", "e0650", "0627t", "99.213", "I10"].map(canonicalCode)).toEqual([
      "M5416",
      "M5416",
      "E0650",
      "0627T",
      "99.213",
      "I10"
    ])
  })

  it("written for people and read again are themselves", () => {
    const icd = fc.stringMatching(/^[A-Z][0-9][0-9AB][0-9A-NP-Z]{0,4}$/)
    fc.assert(
      fc.property(icd, (code) => {
        expect(canonicalCode(displayCode({ codeSystem: "ICD10CM", code }).toLowerCase())).toBe(code)
      })
    )
    expect(displayCode({ codeSystem: "ICD10CM", code: "M48061" })).toBe("M48.061")
    expect(displayCode({ codeSystem: "HCPCS", code: "E0650" })).toBe("E0650")
  })

  it("tell their system by their shape, most likely first", () => {
    expect(
      ["62323", "0627T", "E0650", "M54.16", "U07.1", "0DTJ4ZZ", "0002-7597-01", "?"].map(codeSystemsLike)
    ).toEqual([["CPT"], ["CPT"], ["HCPCS", "ICD10CM"], ["ICD10CM"], ["ICD10CM"], ["ICD10PCS"], ["NDC"], []])
  })
})

const jurisdiction = (jurisdictionCode: string, macCode: string): Jurisdiction => ({
  jurisdictionCode,
  jurisdictionName: jurisdictionCode,
  macName: "M",
  macCode,
  macType: "A/B MAC",
  states: [],
  websiteUrl: null
})
const known = [
  jurisdiction("J5", "05101/05901"),
  jurisdiction("JH", "04411/04412"),
  jurisdiction("DME JA", "16013")
]

describe("places (coverage-domain §1.5, traps 4 and 5)", () => {
  it("fold the states that CMS splits", () => {
    expect(["CA", "nf", "SF", "UN", "DN", "QN", "EM", "WM", "CNMI", "TX", "ZZ"].map(foldState)).toEqual([
      "CA",
      "CA",
      "CA",
      "NY",
      "NY",
      "NY",
      "MO",
      "MO",
      "MP",
      "TX",
      undefined
    ])
  })

  it("know a jurisdiction in its usual writings", () => {
    expect(
      ["J05", "j5", "5", "jh", "J-H", "Jurisdiction H", "J15", "JA", "DME JA", "dme a", "DME MAC J-D"].map(
        canonicalJurisdiction
      )
    ).toEqual(["J5", "J5", "J5", "JH", "JH", "JH", "J15", "DME JA", "DME JA", "DME JA", "DME JD"])
  })

  it("are known jurisdictions, contractors by number, or states by any name, and else unknown", () => {
    const of = (text: string) => resolvePlace(text, known)
    expect([of("J05"), of("05901"), of("jh"), of("JA")].map((place) => place?.jurisdictions)).toEqual([
      ["J5"],
      ["J5"],
      ["JH"],
      ["DME JA"]
    ])
    expect([of("tx"), of("NF"), of("Texas"), of("CNMI")].map((place) => place?.states)).toEqual([
      ["TX"],
      ["CA"],
      ["TX"],
      ["MP"]
    ])
    expect([of("JZ"), of("ZZ"), of(""), of("J99"), of("constructor")]).toEqual(Array(5).fill(undefined))
  })
})
