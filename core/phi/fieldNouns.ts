import { words } from "./pieces.ts"

const listed = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => line.split(" "))

/**
 * Words of health coverage that follow a title or a cue without being a name: "Mr. Spirometer",
 * "Member: Medicare Advantage". No common surname or given name is among them: "Mr. Walker" is a person.
 */
const nouns: ReadonlySet<string> = new Set(
  listed(
    "medicare medicaid medigap tricare advantage supplement commercial marketplace exchange original",
    "traditional dual part plan plans payer payers hmo ppo epo hdhp health healthcare insurance insurer",
    "coverage benefit benefits premium deductible copay copayment coinsurance eligible eligibility",
    "enrollment aetna cigna humana anthem unitedhealthcare bluecross medicareadvantage member members",
    "patient patients beneficiary beneficiaries subscriber subscribers enrollee enrollees active inactive",
    "enrolled disenrolled pending approved denied covered uninsured pediatric adult geriatric male female",
    "inpatient outpatient established ambulatory hospital hospice homebound claim claims code codes",
    "modifier modifiers criteria criterion policy policies article determination authorization",
    "preauthorization documentation guideline guidelines procedure procedures diagnosis diagnoses",
    "treatment treatments evaluation screening therapy therapies rehabilitation surgery surgical imaging",
    "resonance spectroscopy ultrasound mri ct pet scan scans biopsy laboratory radiology radiation",
    "injection injections infusion vaccine vaccination immunization dialysis transplant transfusion",
    "anemia wheelchair wheelchairs nebulizer nebulizers ventilator ventilators defibrillator",
    "defibrillators pacemaker pacemakers prosthesis prostheses prosthetic prosthetics orthosis orthoses",
    "orthotic orthotics stent stents catheter catheters oxygen concentrator concentrators cpap bipap",
    "implant implants stimulator stimulators neurostimulator neurostimulators scooter commode mattress",
    "crutches device devices equipment supplies bandage bandages dressing dressings lancets insulin",
    "syringe syringes monitor monitors electrode electrodes pump pumps sensor sensors transmitter",
    "respirator respirators humidifier suction"
  )
)

/** Endings of procedures and instruments that no common surname has. */
const endings = words(
  "[io]meters?",
  "oscop(?:es?|y|ies)",
  "ogra(?:ms?|phs?|phy|phic)",
  "(?:ec|o|os)tom(?:y|ies)",
  "oplast(?:y|ies)",
  "otherap(?:y|ies)",
  "opath(?:y|ic)",
  "olog(?:y|ists?|ic|ical)"
)
const technical = new RegExp(`${endings}$`)

/** Whether a word in lower case is a known noun of health coverage, its instruments or its procedures. */
export const isFieldNoun = (word: string): boolean => nouns.has(word) || technical.test(word)
