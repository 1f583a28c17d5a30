import { describe, expect, it } from "vitest"
import type { CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { decidePriorAuth } from "../../core/coverage/priorAuth/priorAuth.ts"
import { coverageQueryOf, decidedCode, versionOf } from "../kit/coverageQueryOf.ts"
import { day, procedure } from "../kit/library.ts"
import { listedFacts } from "../kit/shippedRules.ts"

const acme = { code: "acme", name: "Acme Health", type: "commercial", linesOfBusiness: ["commercial"] }
const cptEdition = { codeSystem: "CPT", name: "2026" } as const

const required = (code: string, query: CoverageQuery, ...policies: ReadonlyArray<PolicyVersion>) =>
  decidePriorAuth(decidedCode(code, "conditional", policies), query, listedFacts(...policies))

describe("prior authorization of a code that may not exist (coverage-domain §2.1, rule 1)", () => {
  it("is null where neither a table of the code's system nor anything in force names it", () => {
    const unknown = { required: null, knownGaps: ["code_not_found", "prior_authorization"] }
    expect(required("K9999", coverageQueryOf())).toMatchObject(unknown)
    const named = versionOf({ policyId: "L1", codeGroups: [procedure("K9999")] })
    expect(required("K9999", coverageQueryOf(), named)).toMatchObject({ required: false, knownGaps: [] })
    // Nothing judges CDT codes, and only a fee schedule judges CPT codes.
    expect(required("D9999", coverageQueryOf()).required).toBe(false)
    expect(required("99999", coverageQueryOf()).required).toBe(false)
    const schedule = { ...cptEdition, from: day("2026-01-01"), until: day("2026-12-31") }
    const facts = { ...listedFacts(), codeTables: [schedule] }
    const on = (date: string) =>
      decidePriorAuth(decidedCode("99999", "unknown"), coverageQueryOf({ dateOfService: day(date) }), facts)
    expect(on("2026-01-01")).toMatchObject(unknown)
    expect(on("2025-12-31")).toMatchObject({ required: false, knownGaps: [] })
    const scope = { _tag: "Payer", payer: acme, lineOfBusiness: null } as const
    expect(required("K9999", coverageQueryOf({ scope }))).toMatchObject(unknown)
  })
})
