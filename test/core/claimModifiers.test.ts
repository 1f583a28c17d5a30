import { describe, expect, it } from "vitest"
import { adviseModifiers } from "../../core/coverage/claim/modifiers.ts"

describe("coverage-domain §2.1, rule 12: modifiers that announce a denial", () => {
  it.each(["GX", "GY", "GZ"])("%s is an issue by its name, and no note", (modifier) => {
    const { issues, notes } = adviseModifiers([modifier])
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatch(new RegExp(`^modifier_${modifier.toLowerCase()}: Modifier ${modifier}: `))
    expect(notes).toEqual([])
  })

  it("GA and KX are notes, and other modifiers neither", () => {
    expect(adviseModifiers(["KX", "59", "GA"])).toEqual({
      issues: [],
      notes: [
        "Modifier GA: a waiver of liability is on file, since a denial as not reasonable and necessary is " +
          "expected.",
        "Modifier KX: the submitter states that the requirements of the medical policy are met."
      ]
    })
  })
})
