import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareCoverage } from "../../core/coverage/compare.ts"
import type { Comparison, ComparisonFacts, ComparisonQuery } from "../../core/coverage/compare.ts"
import type { CodeGroup, PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { dispositions } from "../../core/coverage/Policy.ts"
import { documentOf, id, importedAt, jurisdictionOf, procedure, ncdCodeOf } from "../kit/library.ts"

const versionOf = (document: PolicyDocument): PolicyVersion => ({
  ...document,
  version: 1,
  fingerprintSha256: "f".repeat(64),
  recordedAt: importedAt
})

const issuedIn = (...codes: ReadonlyArray<string>) => ({
  contractors: codes.map((jurisdictionCode) => ({ contractorNumber: "04412", name: "N", jurisdictionCode }))
})

const lcd = (given: Parameters<typeof documentOf>[0]): PolicyVersion => versionOf(documentOf(given))

/** What a source states outright of the procedures it lists, in a document whose text is known. */
const stating = (disposition: CodeGroup["disposition"] & string, ...codes: ReadonlyArray<string>) => ({
  codeGroups: [{ ...procedure(...codes), disposition }],
  sourceShape: "criteria_backed" as const
})

const jurisdictions = ["DME JA", "J5", "JH", "JL"].map((jurisdictionCode) =>
  jurisdictionOf({ jurisdictionCode, states: jurisdictionCode === "JH" ? ["TX"] : ["PA"] })
)

const compared = (
  policies: ReadonlyArray<PolicyVersion>,
  query: Partial<ComparisonQuery> = {},
  ncdCodes: ComparisonFacts["ncdCodes"] = []
): Comparison =>
  compareCoverage(
    { policies, ncdCodes, jurisdictions },
    { procedureCodes: ["E0601"], policyType: null, jurisdictions: null, ...query }
  )

const names = (comparison: Comparison) => comparison.places.map((one) => one.jurisdiction)
const idsIn = (comparison: Comparison, jurisdiction: string) =>
  comparison.places
    .find((one) => one.jurisdiction === jurisdiction)
    ?.policies.map(({ version }) => version.policy.policyId as string)

describe("coverage-domain Comparison: who says what of procedure codes", () => {
  const inH = lcd({ policyId: "L1001", ...issuedIn("JH"), states: ["TX"], codeGroups: [procedure("E0601")] })
  const inL = lcd({ policyId: "L1002", ...issuedIn("JL"), states: ["PA"], codeGroups: [procedure("E0601")] })

  it("every jurisdiction that has a policy is compared when none was asked for", () => {
    const found = compared([inL, inH])
    expect(names(found)).toEqual(["JH", "JL"])
    expect(idsIn(found, "JH")).toEqual(["L1001"])
    expect(found.requested).toBeNull()
    expect(found.places[0]?.contractor?.jurisdictionCode).toBe("JH")
    expect(found.places[0]?.summary).toEqual({ covered: 0, not_covered: 0, requires_pa: 0, conditional: 1 })
  })

  it("a jurisdiction that was asked for is shown although no policy there lists the code", () => {
    const found = compared([inH], { jurisdictions: ["JH", "JL"] })
    expect(names(found)).toEqual(["JH", "JL"])
    expect(idsIn(found, "JL")).toEqual([])
    expect(found.hasVariation).toBe(true)
  })

  it("J05 is J5, and each place is compared once however it was written", () => {
    const found = compared([inH], { jurisdictions: ["J05", "j5", "Jurisdiction 5", "JH"] })
    expect(names(found)).toEqual(["J5", "JH"])
    expect(found.requested).toEqual(["J5", "JH"])
  })

  it("J01 is J1, and who is unknown is named and refuses nothing", () => {
    const found = compared([inH], { jurisdictions: ["J01", "JH", " Atlantis "] })
    expect(found.unresolved).toEqual(["J1", "Atlantis"])
    expect(found.requested).toEqual(["J1", "JH", "Atlantis"])
    expect(names(found)).toEqual(["JH"])
  })

  it("a state is a place of its own: what applies there, whoever issued it", () => {
    const found = compared([inH, inL], { jurisdictions: ["Texas"] })
    expect(names(found)).toEqual(["TX"])
    expect(idsIn(found, "TX")).toEqual(["L1001"])
    expect(found.places[0]?.contractor).toBeNull()
  })

  it("§1.5 trap 3: the national number 05901 puts a document into no jurisdiction", () => {
    const everywhere = lcd({
      policyId: "L1003",
      contractors: [{ contractorNumber: "05901", name: "WPS", jurisdictionCode: "J5" }],
      codeGroups: [procedure("E0601")]
    })
    expect(names(compared([everywhere]))).toEqual([])
  })

  it("places that say the same do not vary, and those that say another thing do", () => {
    const refused = lcd({ policyId: "L1004", ...issuedIn("JL"), ...stating("not_covered", "E0601") })
    expect(compared([inH, inL]).hasVariation).toBe(false)
    expect(compared([inH, refused]).hasVariation).toBe(true)
    expect(compared([inH]).hasVariation).toBe(false)
    expect(compared([]).hasVariation).toBe(false)
  })

  it("within a place the most restrictive policy counts, and each code once", () => {
    const open = lcd({ policyId: "L1005", ...issuedIn("JH"), ...stating("covered", "E0601", "E0470") })
    const asks = lcd({ policyId: "L1006", ...issuedIn("JH"), ...stating("requires_pa", "E0601") })
    const [place] = compared([open, asks], { procedureCodes: ["E0470", "E0601", "E0471"] }).places
    expect(place?.summary).toEqual({ covered: 1, not_covered: 0, requires_pa: 1, conditional: 0 })
    expect(place?.policies.map((one) => one.disposition)).toEqual(["covered", "requires_pa"])
  })

  it("§2.1 step 5: the LCD of an Article that lists the code is compared with it, as conditional", () => {
    const article = lcd({
      policyId: "A2001",
      ...issuedIn("JH"),
      codeGroups: [procedure("E0601")],
      related: [{ policyId: id("L1007"), policyType: "LCD" }]
    })
    const parent = lcd({ policyId: "L1007", ...issuedIn("JH"), codeGroups: [procedure("K0001")] })
    const found = compared([article, parent])
    expect(idsIn(found, "JH")).toEqual(["A2001", "L1007"])
    expect(found.places[0]?.policies.map((one) => one.reachedBy)).toEqual(["code_list", "related_policy"])
    expect(compared([inH, parent]).places.flatMap((one) => one.policies)).toHaveLength(1)
  })

  it("§2.1 step 4: a related NCD is national, and never more than conditional whatever its level", () => {
    const ncd = (coverageLevel: number) => lcd({ policyId: "NCD 240.4", coverageLevel })
    const local = lcd({
      policyId: "L1008",
      ...issuedIn("JH"),
      codeGroups: [procedure("E0601")],
      related: [{ policyId: id("NCD 240.4"), policyType: "NCD" }]
    })
    for (const level of [1, 2, 3, 4]) {
      const [national] = compared([local, ncd(level)]).national
      expect(national).toMatchObject({ disposition: "conditional", reachedBy: "related_policy" })
    }
    expect(compared([inH, ncd(1)]).national).toEqual([])
  })

  it("§2.1 step 4: the curated list leads to an NCD that no document names", () => {
    const [national] = compared(
      [lcd({ policyId: "NCD 190.20", coverageLevel: 2 })],
      { procedureCodes: ["82947"] },
      [ncdCodeOf({ policyId: id("NCD 190.20"), code: "82947" })]
    ).national
    expect(national).toMatchObject({
      reachedBy: "curated_list",
      codes: [{ code: "82947", codeSystem: "CPT", disposition: "conditional" }]
    })
  })

  it("policy_type narrows what is shown; payers' own policies show where their kind is asked for", () => {
    const { policy, ...payers } = lcd({ policyId: "NP-7", ...stating("covered", "E0601") })
    const own: PolicyVersion = {
      ...payers,
      policy: { ...policy, policyType: "Medical Policy", payerCode: "northern" },
      national: true
    }
    expect(compared([inH, own]).national).toEqual([])
    expect(compared([inH, own], { policyType: "Medical Policy" })).toMatchObject({
      places: [],
      national: [{ disposition: "covered" }]
    })
    expect(names(compared([inH, own], { policyType: "Article" }))).toEqual([])
  })
})

describe("coverage-domain §5: comparing is deterministic", () => {
  const codes = ["E0601", "E0470", "82947"]
  const marks = ["JH", "JL", "J5"]
  const ids = ["L1001", "L1002", "L1003", "A2001", "A2002", "NCD 190.20", "NCD 240.4"]
  const document = fc
    .record({
      policyId: fc.constantFrom(...ids),
      marks: fc.subarray(marks),
      states: fc.subarray(["TX", "PA"]),
      codes: fc.subarray(codes),
      disposition: fc.constantFrom(undefined, ...dispositions),
      related: fc.subarray(ids)
    })
    .map(({ codes: listed, disposition, marks: issued, related, ...given }) =>
      lcd({
        ...given,
        ...issuedIn(...issued),
        codeGroups: [{ ...procedure(...listed), ...(disposition === undefined ? {} : { disposition }) }],
        related: related.map((policyId) => ({ policyId: id(policyId), policyType: "LCD" })),
        sourceShape: "criteria_backed"
      })
    )
  const policies = fc.uniqueArray(document, { selector: (one) => one.policy.policyId, maxLength: 7 })
  const query: fc.Arbitrary<ComparisonQuery> = fc.record({
    procedureCodes: fc.subarray(codes, { minLength: 1 }),
    policyType: fc.constantFrom(null, "LCD", "Article", "NCD"),
    jurisdictions: fc.option(fc.subarray(["JH", "J05", "TX", "J1"]), { nil: null })
  })

  it("the order of policies never shows", () => {
    fc.assert(
      fc.property(policies, query, (all, asked) => {
        const facts: ComparisonFacts = { policies: all, ncdCodes: [], jurisdictions }
        expect(compareCoverage({ ...facts, policies: all.toReversed() }, asked)).toEqual(
          compareCoverage(facts, asked)
        )
      })
    )
  })

  it("a policy that neither lists the codes nor is related to one that does changes nothing", () => {
    const stranger = lcd({ policyId: "L9999", ...issuedIn("JH"), codeGroups: [procedure("A4253")] })
    fc.assert(
      fc.property(policies, query, (all, asked) => {
        const facts: ComparisonFacts = { policies: all, ncdCodes: [], jurisdictions }
        expect(compareCoverage({ ...facts, policies: [...all, stranger] }, asked)).toEqual(
          compareCoverage(facts, asked)
        )
      })
    )
  })

  it("a summary counts each code at most once, and only where a policy bears on it", () => {
    fc.assert(
      fc.property(policies, query, (all, asked) => {
        for (const place of compareCoverage({ policies: all, ncdCodes: [], jurisdictions }, asked).places) {
          const counted = dispositions.reduce((sum, one) => sum + place.summary[one], 0)
          const borne = new Set(place.policies.flatMap((one) => one.codes.map(({ code }) => code)))
          expect(counted).toBe(borne.size)
          expect(asked.procedureCodes).toEqual(expect.arrayContaining([...borne]))
        }
      })
    )
  })

  it("what was asked for is either compared or named as unresolved, and nothing else is", () => {
    fc.assert(
      fc.property(policies, query, (all, asked) => {
        const found = compareCoverage({ policies: all, ncdCodes: [], jurisdictions }, asked)
        if (found.requested === null) expect(found.unresolved).toEqual([])
        else expect([...names(found), ...found.unresolved].toSorted()).toEqual(found.requested.toSorted())
      })
    )
  })
})
