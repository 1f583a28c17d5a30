import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { answerBytesMax, fitAnswer } from "../../core/handler/fitAnswer.ts"

const step = (quote: string) => ({
  rule: "criteria.open",
  policy_id: "L10001",
  version: 1,
  document_version: "1",
  group: null,
  result: "The condition is not known to be met.",
  condition_id: "cond_1",
  quote,
  citation: { source_url: null, section: null }
})

const condition = (id: number, text: string) => ({
  condition_id: `cond_${id}`,
  text,
  section: "indications (indications-1)",
  policy_id: "L10001",
  version: 1,
  document_version: "1",
  kind: "narrative" as const
})

const answer = (sizes: {
  readonly quotes: number
  readonly codes: number
  readonly texts: number
  readonly conditions: number
}) => ({
  known_gaps: ["state"],
  issues: ["code_not_found: x"],
  trace: Array.from({ length: sizes.quotes }, () => step("q".repeat(300))),
  matched_policies: [
    { policy_id: "L10001", codes: Array.from({ length: sizes.codes }, () => ({ code: "E0601".repeat(8) })) }
  ],
  criteria_details: {
    indications: Array.from({ length: sizes.texts }, () => ({ text: "é".repeat(1_200), tags: null })),
    limitations: []
  },
  conditions: Array.from({ length: sizes.conditions }, (_, id) => condition(id, "c".repeat(2_000)))
})

const omittedOf = (sizes: Parameters<typeof answer>[0]) => fitAnswer(answer(sizes)).meta?.omitted

describe("coverage-domain §2.1, rule 14: an answer stays under 64 KiB", () => {
  it("is left as it is where it fits", () => {
    const data = answer({ quotes: 20, codes: 20, texts: 5, conditions: 5 })
    expect(fitAnswer(data)).toEqual({ data })
  })

  it("loses quotes first, then codes, then the criteria's texts, and names each", () => {
    expect(omittedOf({ quotes: 200, codes: 0, texts: 0, conditions: 0 })).toEqual(["trace.quote"])
    expect(omittedOf({ quotes: 0, codes: 2_000, texts: 0, conditions: 0 })).toEqual([
      "matched_policies.codes"
    ])
    expect(omittedOf({ quotes: 0, codes: 0, texts: 40, conditions: 0 })).toEqual(["criteria_details.text"])
    expect(omittedOf({ quotes: 10, codes: 0, texts: 0, conditions: 60 })).toEqual([
      "trace.quote",
      "trace",
      "conditions.text"
    ])
  })

  it("never loses a condition_id, a gap or an issue", () => {
    const size = fc.integer({ min: 0, max: 90 })
    fc.assert(
      fc.property(fc.record({ quotes: size, codes: size, texts: size, conditions: size }), (sizes) => {
        const given = answer(sizes)
        const { data } = fitAnswer(given)
        expect(new TextEncoder().encode(JSON.stringify(data)).length).toBeLessThanOrEqual(answerBytesMax)
        expect(data.conditions.map((one) => one.condition_id)).toEqual(
          given.conditions.map((one) => one.condition_id)
        )
        expect([data.known_gaps, data.issues]).toEqual([given.known_gaps, given.issues])
      }),
      { numRuns: 50 }
    )
  })
})
