import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { coverageStatuses } from "../../core/coverage/CoverageDecision.ts"
import type { CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { checkPriorAuth } from "../../core/coverage/priorAuth/check.ts"
import { decidePriorAuth } from "../../core/coverage/priorAuth/priorAuth.ts"
import {
  coverageQueryOf,
  decidedAll,
  decidedCode,
  factsOf,
  inState,
  payerVersionOf,
  versionOf
} from "../kit/coverageQueryOf.ts"
import { day, procedure } from "../kit/library.ts"
import { listedFacts } from "../kit/shippedRules.ts"

const lcd = versionOf({ policyId: "L33831", codeGroups: [procedure("E0193")] })
const acme: Payer = { code: "acme", name: "Acme Health", type: "commercial", linesOfBusiness: ["commercial"] }
const acmePolicy = payerVersionOf({
  policyId: "ACME-1",
  payerCode: "acme",
  lineOfBusiness: "commercial",
  codeGroups: [procedure("E0193")],
  priorAuth: [
    {
      ruleId: "acme-beds",
      payerCode: "acme",
      program: "payer",
      category: "Support surfaces",
      codes: ["E0193"],
      states: ["TX"],
      sites: ["home"],
      effectiveDate: day("2025-01-01"),
      endDate: null,
      suspended: [],
      documentation: ["Plan of care"],
      sourceUrl: null
    }
  ]
})

const required = (code: string, query: CoverageQuery, ...policies: ReadonlyArray<PolicyVersion>) =>
  decidePriorAuth(decidedCode(code, "conditional", policies), query, listedFacts(...policies))

describe("prior authorization of one code (coverage-domain §2.1, rule 11)", () => {
  it("is true where a rule asks, with its checklist, its first day and its citation", () => {
    const found = required("E0193", coverageQueryOf())
    expect(found).toMatchObject({ required: true, effectiveDate: "2019-10-21", knownGaps: [] })
    expect(found.programsChecked.map((list) => list.program)).toContain("DMEPOS")
    expect(found.documentation).toContain("Written order prior to delivery")
    expect(found.reason).toContain("E0193 needs prior authorization")
    expect(found.trace.at(-1)).toMatchObject({ rule: "prior_auth.dmepos", section: "42 CFR 414.234" })
  })

  it("is null where the missing site or state decides, and names it", () => {
    expect(required("64490", coverageQueryOf())).toMatchObject({
      required: null,
      knownGaps: ["prior_authorization", "site_of_service"]
    })
    expect(required("E0193", coverageQueryOf({ dateOfService: day("2019-08-01") }))).toMatchObject({
      required: null,
      knownGaps: ["prior_authorization", "state"]
    })
  })

  it("says when none is needed after all, in the list's words", () => {
    const hospital = coverageQueryOf({ siteOfService: "outpatient_hospital" })
    expect(required("64490", hospital).reason).toContain("none needed by a hospital that CMS exempted")
  })

  it("is false where the rule asks elsewhere, or its days are over", () => {
    const office = coverageQueryOf({ siteOfService: "office" })
    expect(required("15823", office)).toMatchObject({ required: false, documentation: [] })
    const ended = required(
      "E0747",
      coverageQueryOf({ dateOfService: day("2024-08-28"), place: inState("CA") })
    )
    expect(ended).toMatchObject({ required: false, knownGaps: [] })
    expect(ended.reason).toContain("it counted from 2024-08-12 to 2024-08-27")
  })

  const hospital = "on CMS's hospital outpatient list (Blepharoplasty, eyelid surgery and brow lift), but "
  const surgical =
    "on CMS's list for ambulatory surgical centers (Blepharoplasty, eyelid surgery and brow lift), but "
  const [site, state] = ["at this site of service.", "in this state on the date of service"]
  it.each([
    ["TX", "office", "2026-03-15", `it does not ask ${site}`],
    ["TX", "asc", "2026-02-15", "not on the date of service: it counts from 2026-02-16."],
    [
      "TX",
      "office",
      "2026-02-15",
      `not on the date of service: it counts from 2026-02-16, and it does not ask ${site}`
    ],
    ["WY", "asc", "2026-03-15", `it does not ask ${state}.`],
    ["WY", "office", "2026-03-15", `it does not ask ${state}, and it does not ask ${site}`]
  ])("names what fails in the nearest rule of each list: in %s, %s, on %s", (where, at, date, says) => {
    const query = coverageQueryOf({ place: inState(where), siteOfService: at, dateOfService: day(date) })
    const found = required("15823", query)
    expect(found.required).toBe(false)
    expect(found.reason).toBe(`15823 is ${surgical}${says} 15823 is ${hospital}it does not ask ${site}`)
  })

  it("is false where no list names the code, with the lists that were looked at", () => {
    const found = required("K0001", coverageQueryOf())
    expect(found).toMatchObject({ required: false, knownGaps: [] })
    expect(found.reason).toContain("(ASC, DMEPOS, OPD, RSNAT, WISeR)")
    expect(found.programsChecked).toHaveLength(5)
    expect(found.programsChecked[1]).toMatchObject({ program: "DMEPOS", listAsOf: "2026-04-13" })
  })

  it("is null where no list is known, whatever the policies say of the code", () => {
    const wheels = versionOf({ policyId: "L1", codeGroups: [procedure("K0001")] })
    const found = decidePriorAuth(
      decidedCode("K0001", "conditional", [wheels]),
      coverageQueryOf(),
      factsOf(wheels)
    )
    expect(found).toMatchObject({ required: null, knownGaps: ["prior_authorization"], programsChecked: [] })
  })

  it("a false becomes null a year after a list was checked; a rule in force does not", () => {
    const on = (date: string) => coverageQueryOf({ dateOfService: day(date), siteOfService: "office" })
    for (const code of ["K0001", "15823", "L1833"]) {
      expect([code, required(code, on("2027-04-01")).required]).toEqual([code, false])
      expect([code, required(code, on("2027-04-02")).required]).toEqual([code, null])
    }
    const late = required("K0001", on("2027-04-02"))
    expect(late).toMatchObject({ knownGaps: ["prior_authorization"] })
    expect(late.reason).toContain("was last checked on 2026-04-01")
    expect(required("E0193", on("2040-01-01")).required).toBe(true)
  })

  it("is a payer's own: the federal lists bind neither Medicare Advantage nor another payer", () => {
    const advantage = coverageQueryOf({ scope: { _tag: "MedicareAdvantage", payer: null } })
    expect(required("E0193", advantage, lcd)).toMatchObject({
      required: null,
      knownGaps: ["payer", "prior_authorization"],
      programsChecked: []
    })
    const named = coverageQueryOf({ scope: { _tag: "MedicareAdvantage", payer: acme } })
    expect(required("E0193", named, lcd)).toMatchObject({
      required: null,
      knownGaps: ["prior_authorization"]
    })
    const scope = { _tag: "Payer", payer: acme, lineOfBusiness: null } as const
    expect(required("K0857", coverageQueryOf({ scope }))).toMatchObject({ required: null })
    expect(required("E0193", coverageQueryOf({ scope: { _tag: "Unknown" } })).knownGaps).toEqual([
      "payer",
      "prior_authorization"
    ])
    const home = { scope, place: inState("TX"), siteOfService: "home" }
    expect(required("E0193", coverageQueryOf(home), acmePolicy)).toMatchObject({
      required: true,
      documentation: ["Plan of care"]
    })
    expect(required("E0193", coverageQueryOf({ ...home, place: inState("CA") }), acmePolicy).required).toBe(
      false
    )
    expect(required("E0193", coverageQueryOf({ scope }), acmePolicy).knownGaps).toEqual([
      "prior_authorization",
      "site_of_service",
      "state"
    ])
    expect(
      required(
        "E0193",
        coverageQueryOf({ ...home, scope: { ...scope, lineOfBusiness: "medicaid" } }),
        acmePolicy
      )
    ).toMatchObject({ required: false })
  })

  it("waits while a payer's rule is suspended, from its first day to its last", () => {
    const [rule] = acmePolicy.priorAuth ?? []
    const suspended = [{ from: day("2026-01-10"), until: day("2026-01-20") }]
    const policy = { ...acmePolicy, priorAuth: rule === undefined ? [] : [{ ...rule, suspended }] }
    const scope = { _tag: "Payer", payer: acme, lineOfBusiness: null } as const
    const on = (date: string) =>
      required(
        "E0193",
        coverageQueryOf({ scope, place: inState("TX"), siteOfService: "home", dateOfService: day(date) }),
        policy
      ).required
    expect(["2026-01-09", "2026-01-10", "2026-01-20", "2026-01-21"].map(on)).toEqual([
      true,
      false,
      false,
      true
    ])
  })

  it("is open where a jurisdiction of several states has one in which the rule asks", () => {
    const scope = { _tag: "Payer", payer: acme, lineOfBusiness: null } as const
    const place = { jurisdictions: ["JH"], states: ["TX", "CO"] }
    const found = required("E0193", coverageQueryOf({ scope, place, siteOfService: "home" }), acmePolicy)
    expect(found).toMatchObject({ required: null, knownGaps: ["prior_authorization", "state"] })
  })

  it("never reads a rule that names another payer than its policy does", () => {
    const [rule] = acmePolicy.priorAuth ?? []
    const priorAuth = rule === undefined ? [] : [{ ...rule, payerCode: "other" }]
    const scope = { _tag: "Payer", payer: acme, lineOfBusiness: null } as const
    const query = coverageQueryOf({ scope, place: inState("TX"), siteOfService: "home" })
    expect(required("E0193", query, { ...acmePolicy, priorAuth }).required).not.toBe(true)
  })

  it("is true where the policy that bears on the code says so of its list", () => {
    const codeGroups = [{ ...procedure("K0001"), disposition: "requires_pa" as const }]
    expect(required("K0001", coverageQueryOf(), versionOf({ policyId: "L2", codeGroups }))).toMatchObject({
      required: true,
      effectiveDate: "2020-01-01"
    })
  })
})

const statuses = fc.constantFrom(...coverageStatuses)
const queries = fc
  .record({
    dateOfService: fc.constantFrom("2019-07-22", "2024-08-27", "2026-01-15").map(day),
    place: fc.constantFrom(null, inState("CA"), inState("TX")),
    siteOfService: fc.constantFrom(null, "office", "outpatient_hospital")
  })
  .map(coverageQueryOf)
const codes = fc.uniqueArray(fc.constantFrom("E0193", "E0747", "64615", "15823", "K0001", "A9999"), {
  minLength: 1
})

describe("a check of prior authorization (contract §2, POST /prior-auth/check)", () => {
  const decisions = codes.chain((given) =>
    fc.tuple(...given.map((code) => statuses.map((status) => decidedCode(code, status))))
  )

  it("never needs it where coverage is denied, for a code or for the whole", () => {
    fc.assert(
      fc.property(decisions, queries, (given, query) => {
        for (const one of given)
          if (one.status === "not_covered")
            expect(decidePriorAuth(one, query, listedFacts()).required).toBe(false)
        const whole = checkPriorAuth(query, listedFacts(), decidedAll(given))
        if (whole.status === "not_covered") expect(whole.required).not.toBe(true)
      })
    )
  })

  it("does not depend on the order of the codes", () => {
    fc.assert(
      fc.property(
        decisions.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))
        ),
        queries,
        ([given, turned], query) => {
          const of = (all: typeof given) => checkPriorAuth(query, listedFacts(), decidedAll(all))
          expect({ ...of(turned), policies: [] }).toEqual({ ...of(given), policies: [] })
        }
      )
    )
  })

  it("leaves the whole open and names each code where one is denied and another needs it", () => {
    const given = [decidedCode("E0193", "conditional"), decidedCode("K0001", "not_covered")]
    const whole = checkPriorAuth(coverageQueryOf(), listedFacts(), decidedAll(given))
    expect(whole).toMatchObject({ status: "not_covered", required: null, denialRisk: "high" })
    expect(whole).toMatchObject({ requiresManualReview: true, knownGaps: ["prior_authorization"] })
    expect(whole.reason).toContain("E0193 needs prior authorization")
    expect(whole.reason).toContain("K0001 is not covered")
  })

  it("is a high risk where it is needed; where that is unknown a medium one, with low confidence", () => {
    expect(
      checkPriorAuth(coverageQueryOf(), listedFacts(), decidedAll([decidedCode("E0193", "covered")]))
    ).toMatchObject({
      denialRisk: "high",
      confidence: "high"
    })
    expect(
      checkPriorAuth(coverageQueryOf(), listedFacts(), decidedAll([decidedCode("15823", "covered")]))
    ).toMatchObject({
      denialRisk: "medium",
      confidence: "low"
    })
  })
})
