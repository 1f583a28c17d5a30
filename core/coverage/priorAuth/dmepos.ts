import type { IsoDate } from "../date.ts"
import { medicare } from "../Payer.ts"
import type { PriorAuthRule } from "../PriorAuthRule.ts"

type States = PriorAuthRule["states"]

/** A group of codes whose requirement came into force state by state. */
interface Group {
  readonly id: string
  readonly category: string
  readonly codes: ReadonlyArray<string>
  /** First day, last day (null: it stands) and states of each phase. */
  readonly phases: ReadonlyArray<readonly [from: string, until: string | null, states: States]>
  readonly suspendedFrom?: string
  readonly documentation: ReadonlyArray<string>
}

const order: ReadonlyArray<string> = [
  "Record of the face-to-face encounter with the treating practitioner",
  "Written order prior to delivery",
  "Medical records that show why the item is needed"
]

const wheelchair: ReadonlyArray<string> = [
  ...order,
  "Mobility limitation at home, and why a cane, walker or manual wheelchair does not suffice",
  "Specialty evaluation by a clinician without ties to the supplier, where the group asks for it",
  "Record of the supplier's assistive technology professional, where the group asks for it"
]

const brace: ReadonlyArray<string> = [
  ...order,
  "Examination that shows the instability, weakness or need for support that the brace answers",
  "For a custom fitted item, who fitted it and how"
]

const firstOrthoses: Group["phases"] = [
  ["2022-04-13", "2022-07-11", ["CA", "FL", "IL", "NY"]],
  [
    "2022-07-12",
    "2022-10-09",
    ["CA", "FL", "IL", "NY", "AZ", "GA", "KY", "MD", "MI", "MO", "NC", "NJ", "OH", "PA", "TX", "WA"]
  ],
  ["2022-10-10", null, "all"]
]

/** L1833 left the list on 2024-08-12. */
const untilAugust2024: Group["phases"] = firstOrthoses.map(([from, until, states]) => [
  from,
  until ?? "2024-08-11",
  states
])

/**
 * The list of 42 CFR 414.234 by group, with the phases that the Federal Register's notices give (83 FR 25947,
 * 87 FR 2051, 89 FR 41324 and others).
 */
const groups: ReadonlyArray<Group> = [
  {
    id: "pmd-2017",
    category: "Power mobility devices",
    codes: ["K0856", "K0861"],
    phases: [
      ["2017-03-20", "2017-07-16", ["IL", "MO", "NY", "WV"]],
      ["2017-07-17", null, "all"]
    ],
    documentation: wheelchair
  },
  {
    id: "pmd-2018",
    category: "Power mobility devices",
    codes: [
      ...["K0813", "K0814", "K0815", "K0816", "K0820", "K0821", "K0822", "K0823", "K0824", "K0825"],
      ...["K0826", "K0827", "K0828", "K0829", "K0835", "K0836", "K0837", "K0838", "K0839", "K0840"],
      ...["K0841", "K0842", "K0843", "K0848", "K0849", "K0850", "K0851", "K0852", "K0853", "K0854"],
      "K0855"
    ],
    phases: [["2018-09-01", null, "all"]],
    documentation: wheelchair
  },
  {
    id: "pmd-2019",
    category: "Power mobility devices",
    codes: ["K0857", "K0858", "K0859", "K0860", "K0862", "K0863", "K0864"],
    phases: [["2019-07-22", null, "all"]],
    documentation: wheelchair
  },
  {
    id: "prss",
    category: "Pressure reducing support surfaces",
    codes: ["E0193", "E0277", "E0371", "E0372", "E0373"],
    phases: [
      ["2019-07-22", "2019-10-20", ["CA", "IN", "NC", "NJ"]],
      ["2019-10-21", null, "all"]
    ],
    documentation: [
      ...order,
      "Stage, size and place of each pressure ulcer, with its course",
      "The ulcer treatment program that was tried for at least a month, where it applies"
    ]
  },
  {
    id: "llp",
    category: "Lower limb prostheses",
    codes: ["L5856", "L5857", "L5858", "L5973", "L5980", "L5987"],
    phases: [
      ["2020-09-01", "2020-11-30", ["CA", "MI", "PA", "TX"]],
      ["2020-12-01", null, "all"]
    ],
    documentation: [
      ...order,
      "The patient's present and expected functional level, with history and motivation to walk",
      "Why the component is needed for that level"
    ]
  },
  {
    id: "orthoses-2022",
    category: "Lumbar-sacral and knee orthoses",
    codes: ["L0648", "L0650", "L1832", "L1851"],
    phases: firstOrthoses,
    documentation: brace
  },
  {
    id: "orthoses-2022-removed",
    category: "Lumbar-sacral and knee orthoses",
    codes: ["L1833"],
    phases: untilAugust2024,
    documentation: brace
  },
  {
    id: "orthoses-2024",
    category: "Lumbar-sacral and lower limb orthoses",
    codes: ["L0631", "L0637", "L0639", "L1843", "L1845", "L1951"],
    phases: [["2024-08-12", null, "all"]],
    documentation: brace
  },
  {
    id: "osteogenesis",
    category: "Osteogenesis stimulators",
    codes: ["E0747", "E0748", "E0760"],
    phases: [
      ["2024-08-12", "2024-11-11", ["CA", "FL", "OH", "PA"]],
      ["2024-11-12", null, "all"]
    ],
    suspendedFrom: "2024-08-28",
    documentation: [...order, "Imaging that shows the fracture or fusion and its failure to heal"]
  }
]

const ruleOf = (group: Group, phase: number): PriorAuthRule | undefined => {
  const row = group.phases[phase]
  if (row === undefined) return undefined
  const [from, until, states] = row
  return {
    ruleId: `dmepos-${group.id}-${phase + 1}`,
    payerCode: medicare.code,
    program: "DMEPOS",
    category: group.category,
    codes: group.codes,
    states,
    sites: "all",
    effectiveDate: from as IsoDate,
    endDate: until as IsoDate | null,
    suspended:
      group.suspendedFrom === undefined ? [] : [{ from: group.suspendedFrom as IsoDate, until: null }],
    documentation: group.documentation,
    sourceUrl: "https://www.ecfr.gov/current/title-42/section-414.234"
  }
}

/** The groups as rules, one per phase. */
export const dmeposRules: ReadonlyArray<PriorAuthRule> = groups.flatMap((group) =>
  group.phases.flatMap((_, phase) => ruleOf(group, phase) ?? [])
)
