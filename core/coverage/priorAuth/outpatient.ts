import type { IsoDate } from "../date.ts"
import { medicare } from "../Payer.ts"
import type { PriorAuthRule } from "../PriorAuthRule.ts"

/** The only site at which these rules ask: the list is about hospitals' outpatient departments. */
export const outpatientHospital = "outpatient_hospital"

interface Category {
  readonly id: string
  readonly category: string
  readonly codes: ReadonlyArray<string>
  readonly from: string
  readonly until?: string
  readonly documentation: ReadonlyArray<string>
}

const eyelids: ReadonlyArray<string> = [
  "The patient's complaints that call for functional surgery, such as obstructed vision",
  "Notes of excess lid skin and of a decrease of the peripheral or upper visual field",
  "Visual field examination, where one applies",
  "Photographs taken before the operation, where they apply",
  "The practitioner's signed record of the impairment and of the recommendation"
]

const facets: ReadonlyArray<string> = [
  "History of the axial pain, with its duration and a pain or disability scale",
  "Conservative treatment that was tried, and for how long",
  "Results of earlier diagnostic blocks or injections, with the relief in percent and its duration",
  "Imaging and notes that exclude radiculopathy and other causes, where they apply",
  "The planned levels and sides"
]

/**
 * One row per category and run of days. The dates of the categories are the regulation's, those of single
 * codes CMS's notices of technical updates. Botulinum toxins count where a listed toxin is billed with a
 * listed injection, which the checklist says: of one code alone the safe answer is to ask.
 */
const categories: ReadonlyArray<Category> = [
  {
    id: "blepharoplasty",
    category: "Blepharoplasty, eyelid surgery and brow lift",
    codes: [
      ...["15820", "15821", "15822", "15823", "67900", "67901", "67902"],
      ...["67903", "67904", "67906", "67908"]
    ],
    from: "2020-07-01",
    documentation: eyelids
  },
  {
    id: "blepharoplasty-lid-retraction",
    category: "Blepharoplasty, eyelid surgery and brow lift",
    codes: ["67911"],
    from: "2020-07-01",
    until: "2022-01-06",
    documentation: eyelids
  },
  {
    id: "botulinum-toxin",
    category: "Botulinum toxin injections",
    codes: ["64612", "64615", "J0585", "J0586", "J0587", "J0588"],
    from: "2020-07-01",
    documentation: [
      "The claim pairs a listed toxin (J0585 to J0588) with a listed injection (64612 or 64615): only then " +
        "prior authorization is asked for",
      "The diagnosis and how the condition affects the patient",
      "Conservative treatment that was tried and did not help, where it applies",
      "The planned dose, sites and frequency",
      "The clinical effect of earlier injections, when treatment continues"
    ]
  },
  {
    id: "panniculectomy",
    category: "Panniculectomy, excision of excess skin, and liposuction",
    codes: ["15830", "15847", "15877"],
    from: "2020-07-01",
    documentation: [
      "Stable weight with its history, and the time since bariatric surgery where there was one",
      "Description of the panniculus, and photographs",
      "Chronic infection, necrosis or impairment, with the treatment that was tried",
      "The medical necessity of each additional procedure"
    ]
  },
  {
    id: "rhinoplasty",
    category: "Rhinoplasty and related services",
    codes: [
      ...["20912", "21210", "30400", "30410", "30420", "30430", "30435"],
      ...["30450", "30460", "30462", "30465", "30520"]
    ],
    from: "2020-07-01",
    documentation: [
      "Medical history of the nasal obstruction or deformity, with its cause",
      "Radiologic findings or nasal endoscopy, where they apply",
      "Photographs of the nose, where they apply",
      "Conservative treatment that was tried and did not help"
    ]
  },
  {
    id: "vein-ablation",
    category: "Vein ablation and related services",
    codes: ["36473", "36474", "36475", "36476", "36478", "36479", "36482", "36483"],
    from: "2020-07-01",
    documentation: [
      "Doppler ultrasound of the incompetent veins, with reflux time and vein diameter",
      "The symptoms and findings that call for treatment",
      "Conservative treatment that was tried, and for how long",
      "The planned veins and sides, with earlier treatment of them"
    ]
  },
  {
    id: "cervical-fusion",
    category: "Cervical fusion with disc removal",
    codes: ["22551", "22552"],
    from: "2021-07-01",
    documentation: [
      "The condition that calls for the procedure, with examination findings",
      "The duration and character of the pain or the neurologic deficit",
      "Imaging that supports the diagnosis",
      "Conservative treatment that was tried, or why it does not apply",
      "The planned levels"
    ]
  },
  {
    id: "spinal-neurostimulator",
    category: "Implanted spinal neurostimulators",
    codes: ["63650"],
    from: "2021-07-01",
    documentation: [
      "Whether this is the trial or the permanent implantation",
      "The chronic pain and its cause",
      "Treatment that was tried and did not help",
      "Psychological and physical screening by a multidisciplinary team",
      "The relief shown by the trial, for a permanent implantation"
    ]
  },
  {
    id: "facet-joint",
    category: "Facet joint interventions",
    codes: ["64490", "64491", "64493", "64494", "64633", "64634", "64635", "64636"],
    from: "2023-07-01",
    documentation: facets
  },
  {
    id: "facet-joint-third-level",
    category: "Facet joint interventions",
    codes: ["64492", "64495"],
    from: "2023-07-01",
    until: "2024-08-04",
    documentation: facets
  }
]

/** The categories of 42 CFR 419.83 as rules. */
export const outpatientRules: ReadonlyArray<PriorAuthRule> = categories.map(
  ({ category, codes, documentation, from, id, until }) => ({
    ruleId: `opd-${id}`,
    payerCode: medicare.code,
    program: "OPD",
    category,
    codes,
    states: "all",
    sites: [outpatientHospital],
    effectiveDate: from as IsoDate,
    endDate: until === undefined ? null : (until as IsoDate),
    suspended: [],
    documentation,
    sourceUrl: "https://www.ecfr.gov/current/title-42/section-419.83"
  })
)
