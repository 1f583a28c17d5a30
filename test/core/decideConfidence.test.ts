import { describe, expect, it } from "vitest"
import type { Condition } from "../../core/coverage/CoverageDecision.ts"
import { leastConfident, needsReview } from "../../core/coverage/decide/confidence.ts"

const condition = (kind: string) => ({ kind }) as Condition
const conditional = { status: "conditional", conditions: [condition("age")], gaps: [] } as const

describe("coverage-domain §2.1 rule 12: when a person has to look", () => {
  it.each(["narrative", "role", "frequency"])("text of the kind %s is left to read", (kind) => {
    expect(needsReview({ ...conditional, conditions: [condition("age"), condition(kind)] })).toBe(true)
  })

  it.each([
    ["nothing is known", { ...conditional, status: "unknown" }, true],
    ["something is missing", { ...conditional, gaps: ["no payer"] }, true],
    ["it depends on nothing that is named", { ...conditional, conditions: [] }, true],
    ["all conditions can be checked", conditional, false],
    ["it is covered", { status: "covered", conditions: [], gaps: [] }, false]
  ] as const)("%s", (_, verdict, expected) => expect(needsReview(verdict)).toBe(expected))

  it("several codes are as sure as the least sure of them, and none are not", () => {
    expect(leastConfident(["high", "low", "medium"])).toBe("low")
    expect(leastConfident(["high", "medium"])).toBe("medium")
    expect(leastConfident([])).toBe("low")
  })
})
