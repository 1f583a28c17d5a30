import { describe, expect, it } from "vitest"
import type { Payer } from "../../core/coverage/Payer.ts"
import { payerScope } from "../../core/coverage/payerScope.ts"

const acme: Payer = { code: "acme", name: "Acme Health", type: "commercial", linesOfBusiness: ["commercial"] }

describe("who pays (coverage-domain §2.1, step 2)", () => {
  const scopeOf = (payer: string | null, planType: "medicare_advantage" | "commercial" | null = null) =>
    payerScope({ payer, planType, lineOfBusiness: null }, [acme])

  it("nobody, or Medicare by any name, is traditional Medicare", () => {
    for (const name of [null, "Medicare", "MEDICARE_FFS", "Original Medicare"])
      expect(scopeOf(name)).toEqual({ scope: { _tag: "Medicare" }, payerKnown: true })
  })

  it("Medicare Advantage keeps the payer where it is known", () => {
    expect(scopeOf(null, "medicare_advantage").scope).toEqual({ _tag: "MedicareAdvantage", payer: null })
    expect(scopeOf("Medicare Advantage").scope).toEqual({ _tag: "MedicareAdvantage", payer: null })
    expect(scopeOf("ACME", "medicare_advantage").scope).toEqual({ _tag: "MedicareAdvantage", payer: acme })
    expect(scopeOf("stranger", "medicare_advantage")).toEqual({
      scope: { _tag: "MedicareAdvantage", payer: null },
      payerKnown: false
    })
  })

  it("another payer decides by its own policies; one that nobody knows or names, by none", () => {
    expect(scopeOf("acme-health", "commercial").scope).toEqual({
      _tag: "Payer",
      payer: acme,
      lineOfBusiness: "commercial"
    })
    expect(scopeOf("stranger")).toEqual({ scope: { _tag: "Unknown" }, payerKnown: false })
    expect(scopeOf(null, "commercial")).toEqual({ scope: { _tag: "Unknown" }, payerKnown: true })
  })
})
