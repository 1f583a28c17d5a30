import { describe, expect, it } from "vitest"
import { scopeOf } from "../../core/coverage/decide/scope.ts"
import type { CodeGroup } from "../../core/coverage/Policy.ts"
import { group, versionOf } from "./decideSituations.ts"

const listed = ["93303", "93304", "93308", "93320", "J0585"]
const among = (...groups: ReadonlyArray<CodeGroup>) => {
  const [first = group("dx_covered", [])] = groups
  const codeGroups = [group("procedure", listed), ...groups]
  return scopeOf(versionOf({ policyId: "A50001", codeGroups }), first)
}
const written = (paragraph: string) => group("dx_covered", ["I10"], { paragraph })
const second = group("dx_covered", ["I11"], { group: 2 })

describe("coverage-domain §2: what a group of diagnoses is about", () => {
  const paragraphs: ReadonlyArray<readonly [string, ReadonlyArray<string> | "all" | null]> = [
    ["The following ICD-10-CM codes support medical necessity for CPT code 93303:", ["93303"]],
    ["For CPT codes 93303, 93304 and J0585.", ["93303", "93304", "J0585"]],
    ["Transthoracic echocardiography (93303-93308)", ["93303", "93304", "93308"]],
    ["Codes 93303 through 93308 and 93320", ["93303", "93304", "93308", "93320"]],
    ["Codes 93303 – 93304", ["93303", "93304"]],
    ["J0580-J0590 when given with 93320", ["93320", "J0585"]],
    ["For HCPCS code j0585", ["J0585"]],
    ["All codes but the list excludes 93303", null],
    ["Codes for every procedure except 93303", null],
    ["Other codes such as 99213 are not listed here", null],
    ["Effective 01/01/2024, see CR 933031 and I10.93303", null],
    ["", null]
  ]
  it.each(paragraphs)("a paragraph beside another group: %s", (paragraph, scope) => {
    const found = among(written(paragraph), second)
    expect(found.scope).toEqual(scope)
    expect(found.scopeBasis).toBe(scope === null ? "none" : "paragraph_codes")
  })

  it("one group of procedures and one of its kind belong together", () => {
    const denied = group("dx_noncovered", ["I11"])
    expect(among(written("Supporting codes."), denied)).toMatchObject({
      scope: "all",
      scopeBasis: "single_group"
    })
    expect(among(denied, written("Supporting codes."))).toMatchObject({ scope: "all" })
  })

  it("two groups of either prove nothing, equal numbers neither", () => {
    expect(among(written("Supporting codes."), second)).toMatchObject({ scope: null, scopeBasis: "none" })
    const codeGroups = [
      group("procedure", ["93303"]),
      group("procedure", ["93304"], { group: 2 }),
      group("dx_covered", ["I10"])
    ]
    const [, , diagnoses = second] = codeGroups
    expect(scopeOf(versionOf({ policyId: "A50001", codeGroups }), diagnoses).scopeBasis).toBe("none")
  })

  it("what the source states wins over its paragraph", () => {
    const stated = group("dx_covered", ["I10"], {
      paragraph: "For 93303.",
      scope: ["93320"],
      role: "secondary"
    })
    expect(among(stated)).toEqual({
      scope: ["93320"],
      scopeBasis: "stated",
      role: "secondary",
      roleBasis: "stated"
    })
  })
})

describe("coverage-domain §2: what a second diagnosis means to a group", () => {
  const paragraphs: ReadonlyArray<readonly [string, string]> = [
    ["The following codes support medical necessity.", "any"],
    ["These codes must be reported with a primary diagnosis.", "secondary"],
    ["These ICD-10 codes must be reported as a secondary diagnosis.", "secondary"],
    ["These codes may not be reported as the primary diagnosis.", "secondary"],
    ["These codes should never be reported alone.", "secondary"],
    ["One of these must be listed as the primary diagnosis.", "primary"],
    ["One code from Group 1 and one code from Group 2 must be reported.", "both_required"],
    ["A dual diagnosis is required.", "both_required"],
    ["Report the primary diagnosis code first, as the primary, with a secondary diagnosis.", "both_required"]
  ]
  it.each(paragraphs)("%s", (paragraph, role) => {
    expect(among(written(paragraph)).role).toBe(role)
  })

  it("a group that another one asks for is required as well", () => {
    const asks = written("One code from Group 1 and one code from Group 2 must be reported.")
    expect(among(second, asks)).toMatchObject({ role: "both_required", roleBasis: "paragraph" })
    const third = group("dx_covered", ["I12"], { group: 3 })
    expect(among(third, asks)).toMatchObject({ role: "any", roleBasis: "none" })
  })
})
