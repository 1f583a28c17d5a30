import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import { sentencesOf, statementOf } from "../../core/coverage/decide/sentence.ts"
import { block, factsOf, group, queryOf, versionOf } from "./decideSituations.ts"

/** The decision about E0601 for I10 by an article that lists both and contains the text. */
const decideBy = (text: string, lcd?: { readonly text: string | null }) => {
  const related = lcd === undefined ? [] : [{ policyId: "L10001", policyType: "LCD" as const }]
  const article = versionOf({
    policyId: "A10001",
    related: related.map((one) => ({ ...one, policyId: versionOf({ policyId: "L10001" }).policy.policyId })),
    codeGroups: [group("procedure", ["E0601"]), group("dx_covered", ["I10"])],
    criteria: [block(null, { section: "other", text })]
  })
  const lcds =
    lcd === undefined
      ? []
      : [
          versionOf({
            policyId: "L10001",
            criteria: lcd.text === null ? [] : [block(null, { text: lcd.text })]
          })
        ]
  return decide(factsOf(article, ...lcds), queryOf({ diagnosisCodes: ["I10"] }))
}

describe("coverage-domain §2.1, L1: a harmless beginning never excuses a limit", () => {
  it.each([
    "42 CFR 410.37 limits screening colonoscopy to once every 24 months for an individual at high risk.",
    "Medicare Benefit Policy Manual, chapter 15, section 280.5 restricts the test to beneficiaries " +
      "with an estrogen deficiency.",
    "CT - covered only after an inconclusive radiograph.",
    "The code must be present on a claim that also bills a positive biopsy.",
    "Coinsurance applies when the beneficiary had the same test within 24 months, and a second test " +
      "is denied.",
    "Revision effective date: 01/01/2026: frequency limited to one per year.",
    "The presence of a code in this section does not necessarily indicate coverage unless the " +
      "criteria of L33718 are met.",
    "Section 1861(pp) of the Social Security Act restricts the screening to men over 50.",
    "Section 1862(a)(7) of the Act excludes payment for routine physical checkups.",
    "KX - covered only after a failed trial",
    "MR - once per lifetime",
    "This policy was last reviewed in 2025 and limits the test to adults.",
    "Transmittal 1234 restricts the device to hospitals.",
    "Codes may be subject to NCCI edits and to one unit per day.",
    "Two units of service may be billed on the same day.",
    "Report one unit for each treated region.",
    "A copyright notice applies and the test is covered once per lifetime.",
    "Response is defined as a 50% improvement.",
    "A candidate is defined as a person without renal disease.",
    "Use the Internet address below to enroll the patient in the registry.",
    "The KX modifier must be appended only if the criteria are met.",
    "Three trials with 412 patients were reviewed and support use in adults only.",
    "Please note section 220.6.3 has been removed from the NCD Manual.",
    "The physician must be present and bill the service.",
    "The provider must use the device and bill the code.",
    "Use the drug with the device and report the code.",
    "The practitioner must complete the procedure and report the code.",
    "Suppliers must include the device and submit claims.",
    "A monitor is defined as a device that shows a value, in the office of a rheumatologist.",
    "A monitor is defined as a device that shows a value in the home.",
    "A candidate is defined as a person with renal disease.",
    "The device refers to equipment (for severe disease).",
    "A monitor is defined as a device that shows a value and the pain is severe.",
    "The drug must be given together with an injection and coded.",
    "The injection must be bilateral and billed on the same claim.",
    "The procedure may be billed for the left side.",
    "Bill the code for a bilateral procedure.",
    "The device may be billed with the injection of the drug.",
    "Both services must be carried out and billed.",
    "The service must be carried out with a device and reported on the claim.",
    "The item must have a national identifier and be billed.",
    "A report must be included with the claim.",
    "Claims for devices must have a complete report.",
    "Claims for the drug must be for an injection.",
    "Bill devices of the specified level.",
    "Specified items may be billed.",
    "The device must be used and billed.",
    "The device must be present and coded.",
    "Bill the drug as a device.",
    "The device must be coded and used.",
    "Report the code and use the device.",
    "Bill equivalent drugs in place of the device.",
    "The claim must be for a specified diagnosis.",
    "GA - Item as required by payer policy to meet the definition of medical benefit.",
    "RT - Right side of the body as required by physician order.",
    "Patients enrolled in a trial were included.",
    "Adults and children in clinical trials were included.",
    "42 CFR 410.37 only.",
    "HCPCS code J7325 is billed for osteoarthritis of the knee.",
    "HCPCS code J7325 must be billed with ICD-10-CM code M17.0.",
    "HCPCS code J7325 must be billed with ICD-10-CM code M1711.",
    "CPT code 20610 may be billed for the third injection.",
    "Select codes carried out to the highest level of specificity in failed therapy."
  ])("is conditional on: %s", (text) => {
    const decision = decideBy(text)
    expect(decision.status).toBe("conditional")
    expect(decision.conditions.map((one) => one.text)).toEqual([text])
  })

  it.each([
    "42 CFR 410.37",
    "CMS Internet-Only Manual, Pub. 100-02, Medicare Benefit Policy Manual, Chapter 15, Section 280.5",
    "KX – Requirements specified in the medical policy have been met",
    "GZ - Item or service expected to be denied as not reasonable and necessary",
    "GA - Waiver of liability statement issued as required by payer policy, individual case",
    "RT - Right side (used to identify procedures performed on the right side of the body)",
    "Append modifier KX or GA to the line item.",
    "The correct diagnosis code must be reported in Item 21 of the CMS-1500 claim form or electronic equivalent.",
    "Claims must include the KX modifier.",
    "The services should be billed separately with the 59 modifier when appropriate.",
    "HCPCS MODIFIERS:",
    "Medicare coinsurance and Part B deductible are waived for this preventive service.",
    "Revised: Long descriptor for HCPCS code A4271 in Group 2 Codes",
    "(Rev. 11892; Issued: 03-09-23; Effective: 04-10-23; Implementation: 04-10-23)",
    "A monitor is defined as a device that shows a value.",
    "CPT codes, descriptions and other data only are copyright 2025 American Medical Association.",
    "A claim submitted without a valid ICD-10-CM diagnosis code will be returned to the provider as " +
      "an incomplete claim under Section 1833(e) of the Social Security Act."
  ])("is covered beside: %s", (text) => {
    expect(decideBy(text).status).toBe("covered")
  })
})

describe("coverage-domain §2.1, rule 14: boilerplate and reports of studies state no condition", () => {
  it.each([
    "Codes may be subject to NCCI edits.",
    "Procedure codes may be subject to National Correct Coding Initiative (NCCI) edits or OPPS " +
      "packaging edits.",
    "Refer to NCCI and OPPS requirements prior to billing Medicare.",
    "The NPI of the ordering provider must be reported on the claim.",
    "For services requiring a referring/ordering physician, the name and NPI of the " +
      "referring/ordering physician must be reported on the claim.",
    "Bill the drug and the injection on the same claim.",
    "Use the Internet address below.",
    "Please use the Internet address below: https://www.example.gov/codes",
    "Three randomized trials with 412 patients were reviewed.",
    "Several systematic reviews and two observational studies were identified.",
    "Providers should report the code with the modifier on the line item.",
    "The diagnosis code must be present on the claim.",
    "Use the appropriate place of service code when billing.",
    "It is the responsibility of the provider to code to the highest level specified in the ICD-10-CM.",
    "It is the provider's responsibility to select codes carried out to the highest level of specificity.",
    "It is the provider's responsibility to select codes carried out to the highest level of specificity " +
      "and selected from the ICD-10-CM code book appropriate to the year in which the service is rendered " +
      "for the claim(s) submitted.",
    "HCPCS code J7325 is billed on a separate claim.",
    "Report the injection with CPT code 20610.",
    "CPT codes 20610, 20611 and 76942 should be reported on the same claim.",
    "Append modifier RT to CPT/HCPCS code J7325 when billing."
  ])("is covered beside: %s", (text) => {
    expect(decideBy(text).status).toBe("covered")
  })
})

describe("coverage-domain §2.1, L1: a pointer makes the text of the LCD count", () => {
  const pointers = [
    "A listed code is not sufficient by itself to assure coverage.",
    "The correct use of an ICD-10-CM code does not assure coverage of a service.",
    "The presence of a code in this section does not necessarily indicate coverage.",
    "The service must meet the criteria of the related LCD."
  ]

  it.each(pointers)("names the gap related_policy without the LCD: %s", (text) => {
    const { knownGaps, status } = decideBy(text)
    expect({ status, knownGaps }).toEqual({ status: "conditional", knownGaps: ["related_policy"] })
  })

  it.each(pointers)("names the gap related_policy where the LCD has no text: %s", (text) => {
    const { knownGaps, status } = decideBy(text, { text: null })
    expect({ status, knownGaps }).toEqual({ status: "conditional", knownGaps: ["related_policy"] })
  })

  it.each(pointers)("adds only the conditions of an LCD that is there: %s", (text) => {
    expect(decideBy(text, { text: "N/A" }).status).toBe("covered")
    const { conditions, knownGaps } = decideBy(text, { text: "A trial of four weeks must have failed." })
    expect([conditions.length, knownGaps]).toEqual([1, []])
  })

  it.each([
    "The service must meet the criteria of the related LCD; one test a year.",
    "The service must meet the criteria of the related LCD and is limited to one test.",
    "A listed code does not assure coverage; the limb must be measured."
  ])("is a condition where it says more: %s", (text) => {
    expect(sentencesOf(text).map(statementOf)).toEqual(["condition"])
  })
})

describe("a hostile text", () => {
  it.each([
    ["letters of a title", (length: number) => `claims LCD for ${"A".repeat(length)}`],
    ["words of a title", (length: number) => `claims LCD for ${"Ab ".repeat(length / 3)}`],
    ["numbers of a section", (length: number) => `section ${"1-".repeat(length / 2)}`],
    ["modifiers", (length: number) => `Append modifier ${"KX, ".repeat(length / 4)}`],
    ["an instruction", (length: number) => `Report ${"the code and ".repeat(length / 13)}x`],
    ["a report of a study", (length: number) => `${"a and ".repeat(length / 6)}trials were`]
  ])("is read in time in proportion to its length: %s", (_, textOf) => {
    const before = performance.now()
    sentencesOf(textOf(20_000)).map(statementOf)
    // Backtracking over 20,000 characters takes hours; a busy machine reads them in milliseconds.
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
