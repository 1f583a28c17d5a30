/**
 * Returns whether the sentence only says how a claim is filled in (coverage-domain §2.1, L1), as does `Report
 * the code with the modifier on the claim line`. Every word is read as a part of speech from a closed list,
 * and the parts must follow one another as they do in an instruction. A list of allowed words alone would
 * also excuse limits, such as `The injection must be bilateral and billed`.
 */
export const isInstruction = (sentence: string): boolean => {
  if (sentence.length > instructionCharactersMax) return false
  const parts = partsOf(withoutNames(sentence))
  return parts !== undefined && sentenceForms.some((form) => form.test(parts))
}

/** Longer sentences say more than how a claim is filled in. */
const instructionCharactersMax = 600

/** One letter for each part of the sentence; undefined where it holds another word. */
const partsOf = (sentence: string): string | undefined => {
  const found = [...sentence.matchAll(part)]
  const length = found.reduce((sum, [text]) => sum + text.length, 0)
  if (length !== sentence.length) return undefined
  return found.map(({ groups }) => partNamed(groups)).join("")
}

const partNamed = (groups: Readonly<Record<string, string | undefined>> | undefined): string =>
  Object.entries(groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? ""

const modifierNames =
  "(?:[A-Z]{2}|[A-Z]\\d|\\d{2})(?:(?:, and |, or |, | and | or |/)(?:[A-Z]{2}|[A-Z]\\d|\\d{2}))*"
const actor = "(?:providers?|suppliers?|physicians?|practitioners?)"
const role = "(?:ordering|referring|rendering|treating|billing)"
const roles = `${role}(?:(?:/| or | and/or )${role})*`
const system = "(?:icd-?10(?:-?cm)?|cpt/hcpcs|hcpcs/cpt|cpt|hcpcs)"
const highestLevel = "highest level of specificity"
const forTheYear = "appropriate to the year in which the service is rendered"
const claimForm = "(?:(?:forms? )?(?:cms-?1500|ub-?04|837[ip]?)(?: claim)?(?: forms?)?)"

/**
 * Removes the names of modifiers and procedures: `modifiers KX, GA or GZ` becomes `modifier`, `HCPCS code
 * J7325` becomes `HCPCS code`. Modifiers are in capitals only, since `or` is not one. Diagnosis codes remain,
 * since a document may limit coverage to them.
 */
const withoutNames = (sentence: string): string =>
  sentence.replaceAll(namesAfter, "modifier").replaceAll(namesBefore, "").replaceAll(procedureNames, "$1")

const namesAfter = new RegExp(String.raw`\b[Mm]odifiers? ${modifierNames}(?!\w)`, "g")
const namesBefore = new RegExp(String.raw`\b${modifierNames} (?=[Mm]odifiers?\b)`, "g")

const procedureCode = String.raw`(?:[A-Z]\d{4}|\d{5})`
const procedureCodes = String.raw`${procedureCode}(?:(?:, and |, or |, | and | or )${procedureCode})*(?!\w|\.\w)`
const procedureNames = new RegExp(String.raw`\b((?:CPT|HCPCS|CPT/HCPCS) codes?) ${procedureCodes}`, "g")

/** Of two writings that begin alike the longer stands first. */
const writings = (...patterns: ReadonlyArray<string>): string => patterns.join("|")

/** The parts of an instruction, each under its letter, in the order in which they are tried. */
const lexicon: ReadonlyArray<readonly [letter: string, pattern: string]> = [
  // What is done with a code or with what is billed. `Code` is a verb only where a verb may stand.
  ["i", writings("bill|report|submit|(?:(?<=^|\\b(?:must|should|shall|may|to|and) )code(?= ))")],
  // When something is reported, and asides.
  [
    "w",
    writings(
      "(?:when|prior to|before) (?:billing|reporting|submitting|coding)(?: (?:to )?medicare)?",
      "when (?:billed|reported|submitted)(?: to medicare)?",
      "(?:if|when|where|as) (?:applicable|appropriate|available)",
      `for (?:services|items|codes) requiring (?:an? |the )?${roles} ${actor},?`,
      "separately|electronically|correctly|appropriately|please|also|note:?|to medicare"
    )
  ],
  // A person whose duty it is to report.
  ["b", writings(`it is the responsibility of the ${actor} to`, `it is the ${actor}['’]s responsibility to`)],
  ["a", writings(`(?:names?|npis?)(?: and (?:names?|npis?))? of (?:the |an? )?${roles} ${actor}`)],
  ["y", writings(`(?:the )?${actor}`)],
  // Edits of claims.
  [
    "e",
    writings(
      "ncci and opps requirements",
      "(?:the )?(?:national )?correct coding initiative(?: \\(ncci\\))?(?: edits?| requirements| policy manual)?",
      "(?:the )?ncci(?: policy manual| edits?| requirements)?",
      "opps packaging(?: edits?)?|opps requirements",
      "medically unlikely edits?(?: \\(mues?\\))?|mues?",
      "procedure to procedure(?: \\(ptp\\))? edits?",
      '[“"]procedure to (?:diagnosis|procedure)[”"] edit(?:s|ing)'
    )
  ],
  ["s", writings("subject(?:ed)? to")],
  ["f", writings("refer to")],
  // What stands on a claim.
  [
    "n",
    writings(
      `highest (?:level|degree) (?:of (?:specificity|accuracy|certainty)|specified in the ${system}(?: manual)?)`,
      "(?:number|quantity) of (?:units?|services)(?: of service)?|units? of service|units? fields?",
      "dates? of service|place of service(?: codes?)?|types? of bill|bill types?(?: codes?)?",
      `codes carried out to the ${highestLevel}(?: and selected from the ${system} code book(?: ${forTheYear})?)?`,
      "claim(?:s|\\(s\\))? submitted",
      `(?:item|box|block|field|loop|segment|fl|form locator)s? ?#?\\d{1,4}[a-z]?(?: (?:of|on) (?:the )?${claimForm})?`,
      `(?:electronic|paper) (?:claims?|${claimForm})|electronic equivalent|${claimForm}`,
      "claims?(?: forms?| lines?)|claims?|line items?|remittance advice",
      `(?:valid )?(?:${system} )?(?:diagnosis|procedure|revenue|condition|occurrence|value) codes?`,
      `${system} codes included in this article`,
      `${system}(?: codes?)?(?: descriptors?| descriptions?)?|codes?|modifiers?|descriptors?`,
      "npis?|national provider identifiers?(?: \\(npis?\\))?"
    )
  ],
  // What is billed.
  [
    "t",
    writings(
      "(?:drug )?administration|services?|procedures?|items?|tests?|drugs?|injections?|devices?|products?"
    )
  ],
  // What a code has undergone, or what is billed; and what only a code can undergo on a claim.
  ["v", writings("billed|reported|submitted|coded")],
  [
    "x",
    writings("used|included|listed|entered|selected|added|appended|attached|indicated|identified|present")
  ],
  // What is done with a code only.
  ["u", writings("use|include|contain|enter|select|add|append|attach|indicate")],
  ["m", writings("must|should|shall|may|can|will|is|are|be|being")],
  [
    "d",
    writings(
      "(?:an?|the|this|these|those|that|all|each|any|both|every|same|single|separate|most specific)",
      "(?:appropriate|correct|valid|applicable|proper|corresponding|following|listed)"
    )
  ],
  ["p", writings("for|of")],
  ["q", writings("on|in|with|to|from|under|as")],
  ["c", "and/or|and|or|,(?: (?:and|or))?"],
  ["z", "[.;:]$"]
]

const part = new RegExp(
  `(?:${lexicon.map(([letter, pattern]) => `(?<${letter}>(?:${pattern})(?![\\w’'-]))`).join("|")})\\s*`,
  "giy"
)

/** A noun that stands on a claim, and what it belongs to: `the modifiers for the drug`. */
const onClaim = "d*[na](?:pd*[nta]|cd*[na])*"
/** The same, or what is billed. */
const billed = "d*[nta](?:pd*[nta]|cd*[nta])*"
/** When and where: `separately`, `on the same claim`, `for the service`. */
const adverbs = `(?:p${billed})?(?:w(?:p${billed})?|q${onClaim})*`
const verbs = `(?:i(?:${billed})?|u${onClaim})${adverbs}`

/** The orders in which the parts of an instruction stand. */
const sentenceForms: ReadonlyArray<RegExp> = [
  // `The services should be billed separately`, `The code must be present on the claim`.
  `${billed}m+w*v${adverbs}(?:cm*v${adverbs})*`,
  `${onClaim}m+w*[vx]${adverbs}(?:cm*[vx]${adverbs})*`,
  // `Report the code and append the modifier`, `Providers should report the code`.
  `(?:ym+|b)?w*${verbs}(?:c${verbs})*`,
  // `Claims must include the modifier`.
  `${onClaim}m*u${onClaim}${adverbs}`,
  // `Codes may be subject to the edits`, `Refer to the edits before billing`.
  `(?:${billed}m+s|f)e(?:ce)*w*`
].map((order) => new RegExp(`^w*c?(?:${order})z?$`))
