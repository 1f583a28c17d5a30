/** What the service knows of a program beside its list; one without a row is served by its list alone. */
interface Program {
  /** What people call the list. */
  readonly listName: string
  /** Where the program stands in law; null: nothing shorter than the list's own source says it. */
  readonly section: string | null
  /** What to send where no family of codes says more. */
  readonly documentation: ReadonlyArray<string>
  /** The first family with a prefix of the code says what its group is called and what to send. */
  readonly families: ReadonlyArray<Family>
}

interface Family {
  readonly category: string
  readonly prefixes: ReadonlyArray<string>
  readonly documentation: ReadonlyArray<string>
}

/** A program's name in sentences, and its section. */
export const programNamed = (name: string): Pick<Program, "listName" | "section"> =>
  programs[name] ?? { listName: `the ${name} list`, section: null }

/** What the group of a listed code is called, and what to send with the request. */
export const familyOf = (program: string, code: string): Omit<Family, "prefixes"> => {
  const known = programs[program]
  const family = known?.families.find(({ prefixes }) => prefixes.some((prefix) => code.startsWith(prefix)))
  return family ?? { category: program, documentation: known?.documentation ?? [] }
}

const order: ReadonlyArray<string> = [
  "Record of the face-to-face encounter with the treating practitioner",
  "Written order prior to delivery",
  "Medical records that show why the item is needed"
]

const equipment: ReadonlyArray<Family> = [
  {
    category: "Power mobility devices",
    prefixes: ["K08"],
    documentation: [
      ...order,
      "Mobility limitation at home, and why a cane, walker or manual wheelchair does not suffice",
      "Specialty evaluation by a clinician without ties to the supplier, where the group asks for it",
      "Record of the supplier's assistive technology professional, where the group asks for it"
    ]
  },
  {
    category: "Pressure reducing support surfaces",
    prefixes: ["E0193", "E0277", "E037"],
    documentation: [
      ...order,
      "Stage, size and place of each pressure ulcer, with its course",
      "The ulcer treatment program that was tried for at least a month, where it applies"
    ]
  },
  {
    category: "Lower limb prostheses",
    prefixes: ["L5"],
    documentation: [
      ...order,
      "The patient's present and expected functional level, with history and motivation to walk",
      "Why the component is needed for that level"
    ]
  },
  {
    category: "Lumbar-sacral and lower limb orthoses",
    prefixes: ["L06", "L18", "L19"],
    documentation: [
      ...order,
      "Examination that shows the instability, weakness or need for support that the brace answers",
      "For a custom fitted item, who fitted it and how"
    ]
  },
  {
    category: "Osteogenesis stimulators",
    prefixes: ["E074", "E0760"],
    documentation: [...order, "Imaging that shows the fracture or fusion and its failure to heal"]
  },
  {
    category: "Pneumatic compression devices",
    prefixes: ["E065"],
    documentation: [
      ...order,
      "The cause of the lymphedema or the venous insufficiency, with measurements of the limb over time",
      "Conservative treatment that was tried, for how long, and why a simpler device does not suffice"
    ]
  }
]

const cosmeticRisk: ReadonlyArray<Family> = [
  {
    category: "Blepharoplasty, eyelid surgery and brow lift",
    prefixes: ["1582", "679"],
    documentation: [
      "The patient's complaints that call for functional surgery, such as obstructed vision",
      "Notes of excess lid skin and of a decrease of the peripheral or upper visual field",
      "Visual field examination, where one applies",
      "Photographs taken before the operation, where they apply",
      "The practitioner's signed record of the impairment and of the recommendation"
    ]
  },
  {
    category: "Botulinum toxin injections",
    prefixes: ["6461", "J058"],
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
    category: "Panniculectomy, excision of excess skin, and liposuction",
    prefixes: ["1583", "1584", "1587"],
    documentation: [
      "Stable weight with its history, and the time since bariatric surgery where there was one",
      "Description of the panniculus, and photographs",
      "Chronic infection, necrosis or impairment, with the treatment that was tried",
      "The medical necessity of each additional procedure"
    ]
  },
  {
    category: "Rhinoplasty and related services",
    prefixes: ["209", "212", "304", "305"],
    documentation: [
      "Medical history of the nasal obstruction or deformity, with its cause",
      "Radiologic findings or nasal endoscopy, where they apply",
      "Photographs of the nose, where they apply",
      "Conservative treatment that was tried and did not help"
    ]
  },
  {
    category: "Vein ablation and related services",
    prefixes: ["364"],
    documentation: [
      "Doppler ultrasound of the incompetent veins, with reflux time and vein diameter",
      "The symptoms and findings that call for treatment",
      "Conservative treatment that was tried, and for how long",
      "The planned veins and sides, with earlier treatment of them"
    ]
  }
]

const fusion: Family = {
  category: "Cervical fusion with disc removal",
  prefixes: ["225"],
  documentation: [
    "The condition that calls for the procedure, with examination findings",
    "The duration and character of the pain or the neurologic deficit",
    "Imaging that supports the diagnosis",
    "Conservative treatment that was tried, or why it does not apply",
    "The planned levels"
  ]
}

const stimulator: Family = {
  category: "Implanted spinal neurostimulators",
  prefixes: ["636"],
  documentation: [
    "Whether this is the trial or the permanent implantation",
    "The chronic pain and its cause",
    "Treatment that was tried and did not help",
    "Psychological and physical screening by a multidisciplinary team",
    "The relief shown by the trial, for a permanent implantation"
  ]
}

const facets: Family = {
  category: "Facet joint interventions",
  prefixes: ["6449", "6463"],
  documentation: [
    "History of the axial pain, with its duration and a pain or disability scale",
    "Conservative treatment that was tried, and for how long",
    "Results of earlier diagnostic blocks or injections, with the relief in percent and its duration",
    "Imaging and notes that exclude radiculopathy and other causes, where they apply",
    "The planned levels and sides"
  ]
}

const records: ReadonlyArray<string> = [
  "Medical records that show that the service meets the national or local coverage determination",
  "The diagnosis, with examination and imaging where they apply",
  "Conservative treatment that was tried, and for how long, where it applies"
]

const programs: Readonly<Record<string, Program>> = {
  ASC: {
    listName: "CMS's list for ambulatory surgical centers",
    section: null,
    documentation: records,
    families: cosmeticRisk
  },
  DMEPOS: {
    listName: "CMS's required list for medical equipment",
    section: "42 CFR 414.234",
    documentation: order,
    families: equipment
  },
  OPD: {
    listName: "CMS's hospital outpatient list",
    section: "42 CFR 419.83",
    documentation: records,
    families: [...cosmeticRisk, fusion, stimulator, facets]
  },
  RSNAT: {
    listName: "CMS's list for repetitive ambulance transport",
    section: "86 FR 48149",
    documentation: [
      "The physician's certification of medical necessity, at most 60 days old at the transport",
      "Medical records that show why other means of transport would endanger the patient",
      "The origin and destination of the transports, and how many are requested"
    ],
    families: []
  },
  WISeR: {
    listName: "CMS's list of the WISeR model",
    section: "90 FR 28749",
    documentation: records,
    families: [
      { ...fusion, prefixes: ["22554"] },
      { ...stimulator, prefixes: ["63655"] }
    ]
  }
}
