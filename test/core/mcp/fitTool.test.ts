import { describe, expect, it } from "vitest"
import { charactersOf, dataCharactersMax, fitTool, smallerPages } from "../../../core/mcp/fitTool.ts"
import { pageCodes, showPolicy } from "../../../core/mcp/showPolicy.ts"

const words = (characters: number) => 'a "quoted" word; '.repeat(characters / 17)
const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => item(i))

const condition = (index: number) => ({ condition_id: `cond_${index}`, text: words(2_000), kind: "clinical" })
const claim = {
  coverage_status: "conditional",
  known_gaps: many(30, (index) => `gap_${index}`),
  conditions: many(20, condition),
  matched_policies: many(40, (index) => ({ policy_id: `L${index}`, codes: many(60, (code) => ({ code })) })),
  codes: many(10, (index) => ({
    code: `9921${index}`,
    documentation_requirements: many(40, () => words(80))
  })),
  trace: many(100, () => ({ quote: words(300) }))
}
const policy = {
  policy_id: "L1",
  sections: { indications: words(60_000), limitations: null },
  criteria: { indications: many(8, () => ({ block_id: "b", text: words(9_000) })) }
}
const changed = (index: number) => ({
  diff_id: index,
  details: { added_codes: many(2_000, (code) => `C${code}`) }
})

const large: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
  ["a code in 900 policies", { code: { code: "97110", policies: many(900, () => ({ title: words(150) })) } }],
  ["a long policy and its changes", { policy, changes: many(10, changed) }],
  ["a claim of ten codes", { claim }],
  [
    "a prior authorization",
    { prior_auth: { ...claim, criteria_details: { indications: many(100, condition) } } }
  ],
  ["passages of long texts", { policies: [], criteria: many(10, () => ({ text: words(30_000) })) }],
  ["2,000 payers", { payers: many(2_000, (index) => ({ code: `payer_${index}`, name: words(80) })) }]
]

describe("contract §3 an answer of a tool stays under 100,000 characters", () => {
  it.each(large)("%s", (_, data) => {
    expect(charactersOf(data)).toBeGreaterThan(dataCharactersMax)
    const fitted = fitTool(data)
    expect(charactersOf(fitted.data)).toBeLessThanOrEqual(dataCharactersMax)
    expect(fitted.truncated.length).toBeGreaterThan(0)
    for (const { next, of, shown } of fitted.truncated) {
      expect(shown).toBeLessThan(of)
      expect(next).toMatch(/^[A-Z].*\.$/)
    }
  })

  it("keeps the status, the gaps and the ids of conditions", () => {
    const { data } = fitTool({ claim })
    expect(data["claim"]).toMatchObject({ coverage_status: "conditional", known_gaps: claim.known_gaps })
    const { conditions } = data["claim"] as typeof claim
    expect(conditions.map(({ condition_id: id }) => id)).toEqual(
      claim.conditions.map(({ condition_id: id }) => id)
    )
  })

  it("leaves an answer that fits as it is", () => {
    const data = { claim: { ...claim, conditions: [], matched_policies: [], codes: [], trace: [] } }
    expect(fitTool(data)).toEqual({ data, truncated: [] })
    expect(smallerPages(data, [{ name: "claim", items: [1, 2] }]).size).toBe(0)
  })

  it("gives each page its share: the smaller list stays whole, and the larger one fits beside it", () => {
    const policies = many(20, () => ({ title: words(200) }))
    const criteria = many(100, () => ({ text: words(2_000) }))
    const paged = [
      { name: "policies", items: policies },
      { name: "criteria", items: criteria }
    ]
    const limits = smallerPages({ policies, criteria }, paged)
    const shorter = { policies, criteria: criteria.slice(0, limits.get("criteria")) }
    expect(limits.has("policies")).toBe(false)
    expect(charactersOf(shorter)).toBeLessThanOrEqual(dataCharactersMax)
    expect(charactersOf(shorter)).toBeGreaterThan(dataCharactersMax * 0.8)
  })

  it("a page has one item at least", () => {
    const criteria = many(3, () => ({ text: words(200_000) }))
    expect(smallerPages({ criteria }, [{ name: "criteria", items: criteria }]).get("criteria")).toBe(1)
  })
})

describe("policy_research: what is shown of one policy", () => {
  const codes = {
    HCPCS: many(pageCodes + 20, (index) => ({ code: `H${index}` })),
    ICD10CM: many(pageCodes, (index) => ({ code: `I${index}` }))
  }
  const whole = {
    policy_id: "A1",
    code_count: 220,
    sections: { indications: "yes", limitations: null },
    criteria: { indications: [{ text: "yes" }], other: [{ text: "no" }] },
    codes
  }

  it("pages through every code once, over all systems in their order", () => {
    const pages = [1, 2, 3].map((codes_page) => showPolicy({ codes_page })(whole))
    const shown = pages.flatMap(({ data }) => Object.values(Object(Object(data).codes)).flat())
    expect(shown).toEqual([...codes.HCPCS, ...codes.ICD10CM])
    const totals = { pages: 3, per_page: pageCodes, total: 220 }
    expect(pages.map(({ meta }) => meta)).toEqual([
      { codes_page: { page: 1, next: 2, ...totals } },
      { codes_page: { page: 2, next: 3, ...totals } },
      { codes_page: { page: 3, next: null, ...totals } }
    ])
  })

  it("has the text on the first page only, and one section of it if one is named", () => {
    expect(showPolicy({})(whole).data).toMatchObject({ criteria: whole.criteria, sections: whole.sections })
    const later = showPolicy({ codes_page: 2 })(whole).data
    expect(Object.keys(Object(later))).toEqual(["policy_id", "code_count", "codes"])
    expect(showPolicy({ section: "indications" })(whole).data).toMatchObject({
      criteria: { indications: [{ text: "yes" }] },
      sections: { indications: "yes" }
    })
    expect(showPolicy({ section: "frequency" })(whole).data).toMatchObject({
      criteria: { frequency: [] },
      sections: {}
    })
  })

  it("is the policy itself without codes", () => {
    const { codes: _, ...without } = whole
    expect(showPolicy({})(without)).toEqual({ data: without, meta: {} })
  })
})
