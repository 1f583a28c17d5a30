import type { Criterion } from "../../../core/coverage/Criterion.ts"
import type { CriteriaSection } from "../../../core/coverage/Policy.ts"
import type { BlockTruth } from "./Truth.ts"

/** Sentences in the manner of local coverage determinations and billing articles, by what they mean. */
const block = (
  meaning: BlockTruth["meaning"],
  section: CriteriaSection,
  text: string,
  logic: Criterion | null = null
): BlockTruth => ({ meaning, section, text, logic })

const conditionTexts: ReadonlyArray<readonly [CriteriaSection, string]> = [
  [
    "indications",
    "The device is covered only if the patient has completed a four-week trial of conservative therapy."
  ],
  [
    "indications",
    "The service is considered reasonable and necessary when all of the following are met:\n" +
      "a) symptoms have lasted for at least three months; and\nb) imaging excludes another cause."
  ],
  ["indications", "All of the following criteria must be met: onset after injury; failure of exercise."],
  ["indications", "Coverage is available if symptoms persist despite four weeks of exercise and elevation."],
  ["indications", "A prior trial of physical therapy is required before the device is ordered."],
  [
    "indications",
    "The treating practitioner must conduct a face-to-face encounter within six months before the order."
  ],
  ["limitations", "Repeat treatment is not reasonable and necessary in the absence of new symptoms."],
  ["limitations", "Services performed for screening are not covered."],
  ["limitations", "Treatment by unlicensed personnel will be denied as not reasonable and necessary."],
  [
    "documentation",
    "The medical record must document the severity of the swelling before and after treatment."
  ],
  ["documentation", "Documentation must support that less intensive treatment was tried and failed."],
  ["frequency", "Treatment is limited to two sessions per region in a rolling period of twelve months."],
  ["frequency", "No more than one device will be covered in five years."],
  [
    "other",
    "Report one unit for each treated region. Treatment is covered only when the practitioner has recorded " +
      "a plan of care."
  ],
  [
    "indications",
    "Lymphedema is the accumulation of fluid in the tissues. The device is eligible for coverage only " +
      "after a trial of compression bandages."
  ]
]

export const conditionBlocks = conditionTexts.map(([section, text]) => block("condition", section, text))

/** No condition can be read from them, nor that they state none: they count. */
export const unclassableBlocks = [
  block("unclassable", "indications", "Selected patients with persistent symptoms."),
  block("unclassable", "indications", "Severity, chronicity and earlier therapy are weighed case by case."),
  block("unclassable", "limitations", "Compression of the upper limb in late disease."),
  block("unclassable", "other", "As discussed above for the second stage.")
]

export const instructionBlocks = [
  block("instruction", "other", "Report the number of units on the claim line."),
  block("instruction", "other", "Use the appropriate place of service code when billing."),
  block("instruction", "other", "Bill bilateral procedures on one line with two units."),
  block("instruction", "other", "Definition: lymphedema is the accumulation of fluid in the tissues."),
  block("instruction", "other", "References: American Academy of Examples. Practice guideline. 2019."),
  block("instruction", "other", "10/01/2024: This article was revised to update the ICD-10-CM codes."),
  block("instruction", "other", "Codes may be subject to NCCI edits."),
  block("instruction", "other", "The NPI of the ordering provider must be reported on the claim."),
  block("instruction", "other", "Three randomized trials with 412 patients were reviewed.")
]

/** A beginning of every class of sentences that state no condition, and of pointers to the LCD. */
const harmlessBeginnings = [
  "42 CFR 410.37",
  "Section 1861(pp) of the Social Security Act",
  "Medicare Benefit Policy Manual, chapter 15, section 280.5",
  "Revision effective date: 01/01/2026",
  "This article was last reviewed January 2026",
  "Report the code with the appropriate modifier on the claim line",
  "The code must be reported on the same claim",
  "Append modifier KX to the line item",
  "Codes may be subject to NCCI edits",
  "Coinsurance applies",
  "The Part B deductible does not apply to this service",
  "ICD-10-CM codes must be reported to the highest level of specificity",
  "CPT codes and descriptions are copyright of the American Medical Association",
  "This article contains billing and coding guidelines",
  "Use the Internet address below",
  "KX - Requirements specified in the medical policy have been met",
  "CT - Computed tomography",
  "A monitor is defined as a device that shows a value",
  "Three randomized trials with 412 patients were reviewed",
  "The service must meet the criteria of the related LCD",
  "A listed code does not assure coverage of a service",
  "The presence of a code in this section does not necessarily indicate coverage"
] as const

const limits = [
  "limited to one test per year",
  "covered only after an inconclusive radiograph",
  "once every 24 months for an individual at high risk",
  "two units per day",
  "a second test is denied",
  "patients over 65",
  "not payable in the home",
  "unless conservative treatment failed",
  "for beneficiaries with an estrogen deficiency",
  "when the biopsy is positive"
] as const

const joints = ["; ", ", ", ": ", " – ", " and ", " (", " provided that it is "] as const

/** A harmless beginning never excuses the limit that follows it (L1). */
export const limitedBlocks = harmlessBeginnings.flatMap((beginning) =>
  limits.flatMap((limit) =>
    joints.map((joint) =>
      block("condition", "other", `${beginning}${joint}${limit}${joint === " (" ? ")" : ""}.`)
    )
  )
)

export const pointerTo = (lcd: string, wording: number): BlockTruth =>
  block(
    "pointer",
    "other",
    wording % 2 === 0
      ? `The service must meet the criteria of the related LCD ${lcd}.`
      : `The service must be reasonable and necessary and must meet the criteria of the related LCD ${lcd}.`
  )

const sex: Criterion = { op: "sex", any_of: ["female"] }
const site: Criterion = { op: "site", any_of: ["office", "outpatient_hospital"] }
const notAtHome: Criterion = { op: "not", criterion: { op: "site", any_of: ["home"] } }
const modifier: Criterion = { op: "modifier", any_of: ["KX"] }
const specialty: Criterion = { op: "specialty", any_of: ["vascular surgery"] }

export const structuredBlocks = [
  block("structured", "indications", "The test is for female patients.", sex),
  block("structured", "indications", "The service is for the office or the outpatient department.", site),
  block("structured", "indications", "The service is for any site but the home.", notAtHome),
  block("structured", "indications", "The KX modifier is on the line.", modifier),
  block("structured", "indications", "The service is by a vascular surgeon.", specialty),
  block("structured", "indications", "For female patients, in an office or the outpatient department.", {
    op: "all",
    criteria: [sex, site]
  }),
  block("structured", "indications", "For female patients, or with the KX modifier.", {
    op: "any",
    criteria: [sex, modifier]
  }),
  block("structured", "frequency", "One treatment in ninety days.", { op: "within", count: 1, days: 90 })
]

/** Conditions as they stand in a group's paragraph. */
export const groupConditions = [
  "These codes are covered only if conservative treatment for six weeks has failed.",
  "For these codes the practitioner must record a measurement of the limb.",
  "Coverage begins when prior treatment with compression garments has failed.",
  // Without any of the words by which texts usually restrict.
  "Reserved for patients refractory to medication.",
  "Females, 40 years of age and older.",
  "Performed once per lifetime by a vascular surgeon.",
  "Two or more of the diagnoses are on the claim."
]

/** What an asterisk means, as the note below a table says. */
export const asteriskNotes = [
  "*Codes marked with an asterisk are covered only when imaging has confirmed the finding.",
  "* For these codes the medical record must show that other causes were excluded."
]
