/**
 * What a sentence of a document does to coverage (coverage-domain §2.1, L1). `none` states no condition: a
 * billing instruction, a definition, a reference, a note. `affirms` says outright that the service is
 * covered. `pointer` sends the reader to the related LCD, whose own text then counts. Whatever is none of
 * these is a condition, also where nobody can class it: a condition taken for a note would make a false
 * `covered`.
 */
export type Statement = "none" | "affirms" | "pointer" | "condition"

/** The sentences of a text, in order; each is a verbatim part of one of its lines. */
export const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line) => line.split(/(?<=[.;!?])\s+(?=["“(]?[A-Z§])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")

/** The first row that matches decides. */
export const statementOf = (sentence: string): Statement =>
  statements.find(({ matches }) => matches(sentence))?.statement ?? "condition"

/**
 * The sentences of a group's paragraph that state a condition. A paragraph introduces codes, so that, other
 * than in a document's text, a sentence without a word of condition is no condition.
 */
export const conditionsIn = (paragraph: string): ReadonlyArray<string> =>
  sentencesOf(paragraph).filter(
    (sentence) =>
      conditional.test(sentence.replaceAll(codeOnly, " ")) &&
      !/^[^a-z]*$/.test(sentence) &&
      !isNeutral(sentence)
  )

/** Whether a text sends the reader to the related LCD for what coverage asks. */
export const pointsElsewhere = (text: string): boolean =>
  sentencesOf(text).some((sentence) => statementOf(sentence) === "pointer")

/** `for CPT code 27447 only` restricts the codes and is no condition. */
const codeOnly = /\b(?:\d{4}[0-9A-Z]|[A-Z]\d{4})\s+only\b(?!\s+(?:if|when|for|after))/gi

/** What a paragraph says of codes that it does not list is the other side of its list. */
const isNeutral = (sentence: string): boolean => {
  const statement = statementOf(sentence)
  return statement === "none" || statement === "pointer" || unlisted.test(sentence)
}

const anyOf = (...writings: ReadonlyArray<string>): RegExp => new RegExp(`(?:${writings.join("|")})`, "i")

/** Words by which a sentence restricts; one that has any is no mere definition. */
const conditional = anyOf(
  String.raw`\b(?:must|only|unless|if|provided that|requires?|required|requirements?|shall)\b`,
  String.raw`\b(?:when|after|before|prior|at least|no more than|not more than|maximum of|limited to)\b`,
  String.raw`\b(?:criteria|criterion|contraindicat\w*|in addition to|accompanied by|one of the following)\b`,
  String.raw`\b(?:not|non)-? ?(?:be )?(?:covered|payable)\b`
)

/** Words of care: what has one of them is more than the filling in of a claim. */
const clinical = anyOf(
  String.raw`\b(?:covered|coverage|medical(?:ly)? (?:necess\w+|record\w*)|reasonable|indicated|indications?)\b`,
  String.raw`\b(?:documentation|documented|patients?|beneficiar(?:y|ies)|criteria|only|prior|failed|failure)\b`,
  String.raw`\b(?:primary|secondary|orders?|suppliers?|delivery)\b`,
  String.raw`\b(?:physicians?|practitioners?|test(?:s|ed|ing)?|treatments?|therap\w+)\b`,
  String.raw`\b(?:den(?:y|ied|ial)|not (?:be )?(?:paid|payable|allowed|reimbursed)|frequency|every|per)\b`
)

const unlisted = anyOf(
  String.raw`\bnot (?:otherwise )?(?:listed|included|shown|found|specified)\b`,
  String.raw`\b(?:all|any) other\b`,
  String.raw`\bother than (?:those|the (?:codes|diagnoses)) (?:listed|above|below)`
)

const claimWords = anyOf(
  String.raw`\b(?:claims?|bill(?:s|ed|ing)?|submit(?:s|ted)?|append(?:ed)?|modifiers?|line item|revenue codes?)\b`,
  String.raw`\b(?:cms-?1500|ub-?04|837[ip]?|bill types?|type of bill|units? of service|coded?|coding|report(?:ed)?)\b`
)

const reference = new RegExp(
  "^(?:- )?(?:title xviii|social security act|code of federal regulations|42 (?:cfr|code)|federal register" +
    String.raw`|cms (?:internet|iom|pub|manual|publication|transmittal|change request)|section 18\d\d` +
    String.raw`|pub(?:lication)?\.? 100|medicare (?:national coverage determinations?|benefit policy|claims` +
    String.raw` processing|program integrity) manual|§ ?18\d\d|change request \d|transmittal \d|cim \d)`,
  "i"
)

const note = anyOf(
  String.raw`^\(?this (?:ncd|lcd|article|policy|determination) (?:was )?last (?:reviewed|updated|revised)`,
  String.raw`^(?:n\/?a|none|not applicable)\.?$`,
  // The modifiers that a paragraph explains: `GA - Waiver of liability statement …`.
  String.raw`^[A-Z][A-Z0-9] ?[-–—] `,
  String.raw`^\(?rev(?:ision)?s?[. ]\s?\d+.{0,120}$`,
  String.raw`\bcopyright\b|\bregistered trademark|\ball rights reserved`,
  String.raw`\b(?:coinsurance|deductible)\b.{0,80}\b(?:waived|appl(?:y|ies))\b`,
  String.raw`\bcodes?(?:\(s\))? must (?:best describe|be (?:present|reported) (?:on|with))`,
  String.raw`\bhighest level of (?:specificity|accuracy)\b`,
  "^the information in this article contains billing, coding or other guidelines",
  "^this (?:billing and coding )?article (?:contains|gives|provides|lists|includes|complements)"
)

const own = "(?:related|associated|applicable|companion|corresponding)"
const lcd = "(?:lcds?|(?:local coverage )?determination|policy)"

const pointer = anyOf(
  String.raw`\b(?:meet|met|satisf(?:y|ies|ied)|follow\w*)\b.{0,120}\b${own}\b.{0,60}\b${lcd}\b`,
  String.raw`\bnot\b.{0,40}\b(?:assure|guarantee|sufficient)\b.{0,40}\bcoverage\b`,
  String.raw`\b(?:refer to|see|(?:found|outlined|specified|described|listed|stated) in)\b.{0,60}\b${lcd}\b`
)

const headingWords = [
  ...["nationally", "non-?covered", "covered", "general", "other", "background", "definitions?", "sources?"],
  ...["bibliography", "references?", "revision history", "indications?", "limitations?", "documentation"],
  ...["requirements?", "coverage", "guidelines?", "coding", "billing", "information", "summary", "analysis"],
  ...["evidence", "and", "or", "of", "for", "group \\d+", "paragraph", "codes?", "icd-10(?:-cm)?", "cpt"],
  ...["hcpcs", "&", "/", ",", "-"]
].join("|")
const headingLine = new RegExp(`^(?:[a-z0-9]{1,4}[.)]\\s+)?(?:(?:${headingWords})[\\s:]*)+$`, "i")

/** `B. Nationally Covered Indications`, `Group 1:`; a heading has no verb of its own. */
const heading = (sentence: string): boolean =>
  sentence.length <= headingCharactersMax && !/[.;,]$/.test(sentence) && headingLine.test(sentence)

/** Longer lines are sentences. */
const headingCharactersMax = 90

const definition = /\b(?:(?:is|are) defined as|refers? to|the term\b.{0,60}\bmeans)\b/i

const thing = "(?:procedures?|services?|test(?:s|ing)?|items?|devices?)"
const covered = "(?:is|are) (?:a )?covered(?: (?:under|by) medicare)?"
const affirmation = new RegExp(String.raw`^(?:(?:this|the|these) )?(?:[a-z-]+ )?${thing} ${covered}\.?$`, "i")

const statements: ReadonlyArray<{
  readonly statement: Statement
  readonly matches: (sentence: string) => boolean
}> = [
  { statement: "none", matches: heading },
  { statement: "none", matches: (sentence) => note.test(sentence) },
  { statement: "none", matches: (sentence) => reference.test(sentence) },
  { statement: "affirms", matches: (sentence) => affirmation.test(sentence) },
  {
    statement: "pointer",
    matches: (sentence) => pointer.test(sentence) && !/\b(?:only if|unless)\b/i.test(sentence)
  },
  { statement: "none", matches: (sentence) => claimWords.test(sentence) && !clinical.test(sentence) },
  {
    statement: "none",
    matches: (sentence) =>
      definition.test(sentence) && !conditional.test(sentence) && !/\bcover/i.test(sentence)
  }
]
