import { describe, expect, it } from "vitest"
import type { CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { decidePriorAuth } from "../../core/coverage/priorAuth/priorAuth.ts"
import { coverageQueryOf, decidedCode } from "../kit/coverageQueryOf.ts"
import { listedFacts } from "../kit/shippedRules.ts"

const required = (code: string, query: CoverageQuery) =>
  decidePriorAuth(decidedCode(code, "conditional"), query, listedFacts())

describe("a code that is listed only beside others (coverage-domain §2.1, rule 11)", () => {
  it.each([
    ["J0585", ["64615"], true, "needs prior authorization"],
    ["J0585", ["99213", "64612"], true, "needs prior authorization"],
    ["64612", ["J0588"], true, "needs prior authorization"],
    [
      "J0585",
      ["64616"],
      false,
      "it asks only beside 64612 or 64615, and the request names other procedure codes"
    ],
    ["64615", ["J0589"], false, "it asks only beside J0585, J0586, J0587 or J0588, and"],
    ["J0585", ["J0586"], false, "it asks only beside 64612 or 64615"],
    ["J0585", [], null, "it depends on whether 64612 or 64615 is billed with it"]
  ] as const)("judges %s at an outpatient hospital beside %j: %s", (code, others, expected, says) => {
    const procedureCodes = [code, ...others]
    const found = required(code, coverageQueryOf({ procedureCodes, siteOfService: "outpatient_hospital" }))
    expect(found.required).toBe(expected)
    expect(found.reason).toContain(says)
    expect(found.knownGaps).toEqual(expected === null ? ["prior_authorization", "procedure_codes"] : [])
  })

  it("names site and missing codes together, and only the site where the codes are settled", () => {
    const alone = required("J0585", coverageQueryOf({ procedureCodes: ["J0585"] }))
    expect(alone.knownGaps).toEqual(["prior_authorization", "procedure_codes", "site_of_service"])
    const office = { procedureCodes: ["J0585", "64616"], siteOfService: "office" }
    expect(required("J0585", coverageQueryOf(office))).toMatchObject({ required: false, knownGaps: [] })
  })
})
