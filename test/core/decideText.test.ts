import { describe, expect, it } from "vitest"
import { namesIn, roleIn } from "../../core/coverage/decide/paragraph.ts"
import { readParagraph } from "../../core/coverage/decide/polarity.ts"
import { readProcedureParagraph, sentencesOf, statementOf } from "../../core/coverage/decide/sentence.ts"

describe("coverage-domain §2.1, rule 6: what the paragraph of a supporting list says of its codes", () => {
  const paragraphs = [
    [
      "listed",
      "The following ICD-10-CM codes support medical necessity and provide coverage for CPT code 93784."
    ],
    ["listed", "Group 1 Codes"],
    ["listed", "For HCPCS codes E0650 through E0652:"],
    ["listed", "ICD-10-CM codes not listed below will be denied as not medically necessary."],
    ["listed", "Any diagnosis other than those listed below is not covered."],
    ["listed", "The following diagnoses are covered. All other diagnoses will be denied."],
    ["listed", "Medicare is establishing the following limited coverage for CPT/HCPCS codes 76536:"],
    ["listed", "These are the only ICD-10-CM codes that support medical necessity:"],
    ["unreadable", "Not medically necessary diagnoses"],
    ["unreadable", "The following diagnoses fail to establish medical necessity of CPT code 93784."],
    ["unreadable", "Covered diagnoses include, but are not limited to:"],
    ["all_except", "All ICD-10-CM codes are covered except the following."],
    ["all_except", "Any diagnosis other than the following supports medical necessity."],
    ["all_except", "All diagnoses not listed below support medical necessity."],
    ["all_except", "The ICD-10-CM codes listed below are not covered."],
    ["all_except", "The following diagnosis codes do not support medical necessity."],
    ["unreadable", "The following codes support medical necessity. The codes listed below are not covered."],
    ["unreadable", "All diagnoses are covered except the following. Codes not listed will be denied."]
  ] as const
  it.each(paragraphs)("%s: %s", (polarity, paragraph) => {
    expect(readParagraph({ group: 1, kind: "dx_covered" }, paragraph).polarity).toBe(polarity)
  })

  it("a list of denials means what its table says, and nothing where its words exclude", () => {
    expect(denials("The following do not support medical necessity.")).toBe("listed")
    expect(denials(null)).toBe("listed")
    expect(denials("All codes except the following are covered.")).toBe("unreadable")
  })
})

const denials = (paragraph: string | null) =>
  readParagraph({ group: 1, kind: "dx_noncovered" }, paragraph).polarity

describe("coverage-domain §2.1, rule 6: which procedures a paragraph names", () => {
  const named = (paragraph: string, ...codes: ReadonlyArray<string>) => {
    const names = namesIn(paragraph)
    return typeof names === "function" ? codes.filter(names) : names
  }

  it.each([
    ["CPT/HCPCS codes 93784, 93786 and E0601", ["93784", "93786", "E0601"]],
    ["E0650 through E0652", ["E0651"]],
    ["E0650-E0652", ["E0652"]],
    ["for J0585 to J0588", ["J0587"]],
    ["0075T", ["0075T"]]
  ])("%s", (paragraph, codes) => {
    expect(named(paragraph, ...codes)).toEqual(codes)
  })

  it("names no diagnosis, article or number, and excludes what it excludes", () => {
    expect(namesIn("See article A52467 and L33718 for G47.33, 2024 and 100.")).toBeNull()
    expect(namesIn("All codes of this policy except CPT 93784")).toBe("unreadable")
    expect(named("All diagnoses except the following support CPT 93784.", "93784")).toEqual(["93784"])
  })

  it.each([
    ["secondary", "These codes must be reported as a secondary diagnosis."],
    ["primary", "The diagnosis must be reported as the primary diagnosis."],
    ["both_required", "One code from Group 1 and one code from Group 2 are required."],
    [undefined, "The following codes support medical necessity."]
  ])("%s: %s", (role, paragraph) => {
    expect(roleIn(paragraph)).toBe(role)
  })
})

describe("coverage-domain §2.1, L1: what the paragraph about procedures asks for", () => {
  it.each([
    ["Injection procedures", 0, false],
    ["Medicare covers the following codes:", 0, false],
    ["Cosmetic procedures", 1, true],
    ["Statutorily excluded", 1, true],
    ["Ages 40 and up", 1, false],
    ["Add-on codes, reported with 93786", 1, false]
  ])("%s", (paragraph, conditions, mayDeny) => {
    const found = readProcedureParagraph({ paragraph })
    expect([found.conditions.length, found.mayDeny]).toEqual([conditions, mayDeny])
  })
})

describe("coverage-domain §2.1, L1: whether a sentence states a condition", () => {
  it.each([
    ["condition", "It is covered only if the patient has failed conservative treatment."],
    [
      "condition",
      "Endoscopic procedures are covered when reasonable and necessary for the individual patient."
    ],
    ["condition", "A sentence that nobody can class counts."],
    ["pointer", "A listed code does not assure coverage."],
    ["condition", "Report the code only where the criteria of coverage are met."],
    ["pointer", "The service must meet the criteria of the related LCD."],
    ["affirms", "This procedure is covered under Medicare."],
    ["none", "B. Nationally Covered Indications"],
    ["none", "(This NCD last reviewed August 2019.)"],
    ["none", "Claims are submitted on form CMS-1500 with the modifier on the line item."],
    ["none", "ICD-10-CM codes must be reported to the highest level of specificity."],
    ["none", "Title XVIII of the Social Security Act, Section 1862(a)(1)(A)."],
    ["none", "Medicare coinsurance and Part B deductible are waived for this service."],
    ["none", "A monitor is defined as a device that shows a value."],
    [
      "none",
      "The CPT/HCPCS codes included in this article will be subjected to “procedure to diagnosis” editing."
    ],
    ["none", "This article contains billing and coding guidance for a local coverage determination."],
    ["condition", "This article contains coding guidelines for patients over 65."],
    ["condition", "Code 93784 is reported for persistent pain of 3 months."],
    ["none", "N/A"]
  ])("%s: %s", (statement, sentence) => {
    expect(statementOf(sentence)).toBe(statement)
  })

  it("of a paragraph only sentences with a word of condition count, and each stands verbatim in it", () => {
    const paragraph =
      "The following codes support medical necessity. Coverage is provided only after a failed trial. " +
      "Codes not listed are denied. Use the appropriate modifier when billing."
    const found = readParagraph({ group: 1, kind: "dx_covered" }, paragraph).conditions
    expect(found).toEqual(["Coverage is provided only after a failed trial."])
    expect(sentencesOf(paragraph).every((sentence) => paragraph.includes(sentence))).toBe(true)
  })
})
