import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import type { CodeGroup } from "../../core/coverage/Policy.ts"
import { id } from "../kit/library.ts"
import { factsOf, group, queryOf, versionOf } from "./decideSituations.ts"

const decideBy = (groups: ReadonlyArray<CodeGroup>, ...diagnosisCodes: ReadonlyArray<string>) => {
  const article = versionOf({ policyId: "A10001", codeGroups: [group("procedure", ["E0601"]), ...groups] })
  return decide(factsOf(article), queryOf({ diagnosisCodes }))
}

const outcomeOf = ({ diagnosisSupport, knownGaps, status }: ReturnType<typeof decideBy>) => ({
  diagnosisSupport,
  status,
  hasScopeGap: knownGaps.includes("group_scope")
})

const unknown = { diagnosisSupport: "unknown", status: "conditional", hasScopeGap: true }

describe("coverage-domain §2.1, rule 15: a diagnosis inside a range in prose that no table lists", () => {
  it.each([
    "E11.00 through E11.9",
    "E11.00-E11.9",
    "E11.00 to E11.9",
    "E11 through E13",
    "all codes from category E11",
    "any code in categories E10, E11 and E13",
    "E11.*",
    "E11.-"
  ])("is unknown: %s", (range) => {
    const paragraph = `The following codes support medical necessity: ${range}.`
    expect(outcomeOf(decideBy([group("dx_covered", ["I10"], { paragraph })], "E1165"))).toEqual(unknown)
  })

  it.each([
    ["a list of denials", group("dx_noncovered", ["I10"], { paragraph: "E11.00 through E11.9 are denied." })],
    [
      "an exclusion list",
      group("dx_covered", ["I10"], { paragraph: "All codes are covered except category E11." })
    ]
  ])("is unknown in %s", (_, list) => {
    expect(outcomeOf(decideBy([list], "E1165"))).toEqual(unknown)
  })

  it("is judged by the table where that lists it", () => {
    const paragraph = "The following codes support medical necessity: E11.00 through E11.9."
    const found = decideBy([group("dx_covered", ["E1165"], { paragraph })], "E1165")
    expect(found.diagnosisSupport).toBe("supported")
  })

  it("does not hide another diagnosis that the table supports, nor deny one outside the range", () => {
    const paragraph = "The following codes support medical necessity: E11.00 through E11.9."
    const list = group("dx_covered", ["I10"], { paragraph })
    expect(decideBy([list], "E1165", "I10").diagnosisSupport).toBe("supported")
    expect(decideBy([list], "G4733").diagnosisSupport).toBe("not_supported")
  })
})

describe("coverage-domain §2.1, L2: an LCD whose articles are not at hand", () => {
  it("leaves the support of a diagnosis unknown, with the gap related_policy", () => {
    const related = [{ policyId: id("A52467"), policyType: "Article" as const }]
    const lcd = versionOf({ policyId: "L33718", related, codeGroups: [group("procedure", ["E0601"])] })
    const decision = decide(factsOf(lcd), queryOf({ diagnosisCodes: ["I10"] }))
    expect(decision).toMatchObject({
      diagnosisSupport: "unknown",
      status: "conditional",
      knownGaps: ["related_policy"]
    })
  })

  it("covers nothing by the LCD's own lists either", () => {
    const related = [{ policyId: id("A52467"), policyType: "Article" as const }]
    const codeGroups = [group("procedure", ["E0601"]), group("dx_covered", ["I10"])]
    const lcd = versionOf({ policyId: "L33718", related, codeGroups })
    const { knownGaps, status } = decide(factsOf(lcd), queryOf({ diagnosisCodes: ["I10"] }))
    expect({ knownGaps, status }).toEqual({ knownGaps: ["related_policy"], status: "conditional" })
  })
})
