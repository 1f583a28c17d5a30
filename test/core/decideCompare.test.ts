import { describe, expect, it } from "vitest"
import { compare } from "../../core/coverage/decide/compare.ts"
import type { Criterion } from "../../core/coverage/Criterion.ts"

type Comparison = Extract<Criterion, { readonly op: "cmp" }>["comparison"]
const judged = (comparison: Comparison, value: string | number | ReadonlyArray<string>) =>
  [14, 15, 16].map((given) => compare({ op: "cmp", param: "ahi", comparison, value } as never, given))

describe("coverage-domain §2.1: a value beside the value of a rule", () => {
  it.each<[Comparison, ReadonlyArray<boolean>]>([
    ["lt", [true, false, false]],
    ["le", [true, true, false]],
    ["eq", [false, true, false]],
    ["ne", [true, false, true]],
    ["ge", [false, true, true]],
    ["gt", [false, false, true]]
  ])("14, 15 and 16 are %s 15: %s", (comparison, expected) => {
    expect(judged(comparison, 15)).toEqual(expected)
    expect(judged(comparison, "15")).toEqual(expected)
  })

  it("words are equal by their letters, and no word is more than another", () => {
    const of = (comparison: Comparison, value: unknown, given: string | number | null) =>
      compare({ op: "cmp", param: "stage", comparison, value } as never, given)
    expect(of("eq", "Severe", " severe")).toBe(true)
    expect(of("in", ["mild", "Severe"], "SEVERE")).toBe(true)
    expect(of("in", ["mild"], "severe")).toBe(false)
    expect(of("ge", "mild", "severe")).toBe("unknown")
    expect(of("ge", 3, "three")).toBe("unknown")
    expect(of("le", 3, " ")).toBe("unknown")
    expect(of("eq", 3, null)).toBe("unknown")
  })
})
