import type { CodeGroup } from "../Policy.ts"
import { anyOf } from "./anyOf.ts"
import { readOnce } from "./readOnce.ts"
import {
  billingWords,
  codeOnly,
  introductionWords,
  people,
  referralWords,
  unreadWords
} from "./vocabulary.ts"

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

/** Whether a sentence restricts by a word that everybody knows for it. */
export const isConditional = (sentence: string): boolean =>
  conditional.test(sentence.replaceAll(codeOnly, " ")) && !unlisted.test(sentence)

/** What the paragraph of a group of procedures says beside its label. */
export interface ProcedureParagraph {
  readonly conditions: ReadonlyArray<string>
  /** It may deny what it lists, which no attestation can mend. */
  readonly mayDeny: boolean
}

/**
 * The paragraph of a group of procedures names the group or restricts it. A label (`Foot care`, `SEAT
 * CUSHIONS:`) states nothing; every other sentence that is not read whole counts (L1).
 */
export const readProcedureParagraph = readOnce(
  ({ paragraph }: Pick<CodeGroup, "paragraph">): ProcedureParagraph => {
    const conditions = sentencesOf(paragraph ?? "").filter((sentence) => {
      const statement = statementOf(sentence)
      if (statement === "none" && /\bnon-? ?covered\b/i.test(sentence)) return true
      if (statement === "none" || statement === "pointer" || unlisted.test(sentence)) return false
      if (isConditional(sentence) || denying.test(sentence)) return true
      return !label(sentence) && unreadWords(withoutGroups(sentence), introductionWords).length > 0
    })
    return { conditions, mayDeny: conditions.some((one) => denying.test(one)) }
  }
)

/** Whether a text sends the reader to the related LCD for what coverage asks. */
export const pointsElsewhere = (text: string): boolean =>
  sentencesOf(text).some((sentence) => pointer.test(sentence))

/** The documents whose criteria a text asks to be met, or that it sends to, by their ids. */
export const documentsPointedAt = (text: string): ReadonlyArray<string> =>
  sentencesOf(text)
    .filter((sentence) => sending.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(documentId)])
    .map(([id]) => (/^ncd/i.test(id) ? `NCD ${id.replace(/^\D*/, "")}` : id.toUpperCase()))

const sending =
  /\b(?:meets?|met|satisf(?:y|ies|ied)|follows?|followed|refer|see|criteria|requirements|per)\b/i
const documentId = /\b(?:D?[AL]\d{5}|NCD\s*(?:section\s*)?\d{1,3}(?:\.\d{1,2})+)\b/gi

/** `Group 1 codes` as `group codes`: the number of a group is no condition. */
export const withoutGroups = (sentence: string): string => sentence.replaceAll(/\bgroups?\s+\d+/gi, "group")

/** Words by which a sentence restricts; one that has any is no mere definition. */
const conditional = anyOf(
  String.raw`\b(?:must|only|unless|if|provided that|requires?|required|requirements?|shall)\b`,
  String.raw`\b(?:when|after|before|prior|at least|no more than|not more than|maximum of|limited to)\b`,
  String.raw`\b(?:criteria|criterion|contraindicat\w*|in addition to|accompanied by|one of the following)\b`,
  String.raw`\b(?:not|non)-? ?(?:be )?(?:covered|payable)\b`
)

/** A few words that name things: no number, no verb, nobody who is treated, no time, place or limit. */
const label = (sentence: string): boolean =>
  /^[\p{L}\s,:/&()'’-]+$/u.test(sentence) &&
  sentence.split(/\s+/).length <= labelWordsMax &&
  !unlabel.test(sentence) &&
  !people.test(sentence)

const labelWordsMax = 12

const unlabel = anyOf(
  String.raw`\b(?:is|are|be|was|were|has|have|had|may|can|will|do|does|use|used|report\w*|bill\w*)\b`,
  String.raw`^(?:for|in|when|with|by|to|if|as|during|without|at|per)\b`,
  String.raw`\b(?:inpatients?|outpatients?|self-? ?administered|screening|initial|repeat)\b`,
  String.raw`\b(?:once|twice|limits?|limited|subject to)\b`,
  String.raw`\b(?:add-? ?on|bundled|separately|second-? ?line|off-? ?label|trials?|years?|days?|weeks?|months?)\b`
)

/** Words by which a paragraph may deny the procedures that it lists. */
const denying = anyOf(
  String.raw`\b(?:no|not|never|none|cannot|neither|nor)\b|n['’]t\b|\bnon-? ?(?:cover|pay|reimburs)\w*`,
  String.raw`\b(?:exclu[ds]\w*|exclusions?|investigational|experimental|cosmetic|obsolete|retired)\b`,
  String.raw`\b(?:deleted|terminated|denied)\b`,
  String.raw`\b(?:un(?:proven|cover|support|payable|necess|reasonabl)\w*|expired|rejected|bundled|ineligible)\b`
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
  String.raw`^(?:n\/?a|none|(?:xx000\s+)?not applicable)\.?$`,
  // What contractors write above every list of diagnoses.
  String.raw`^(?:note: )?(?:the )?diagnosis codes are based on the current\b`,
  String.raw`^the cpt/hcpcs codes included in this (?:lcd|article|policy) will be subjected to\b`,
  "^the following lists include only those diagnoses for which the identified cpt/hcpcs procedures are covered",
  "^if a covered diagnosis is not on the claim, the edit will automatically deny the service",
  // The modifiers that a paragraph explains: `GA - Waiver of liability statement …`.
  String.raw`^[A-Z][A-Z0-9] ?[-–—] `,
  String.raw`^\(?rev(?:ision)?s?[. ]\s?\d+.{0,120}$`,
  String.raw`^the (?:appearance|presence|inclusion) of .{0,40}\bin this section does not\b` +
    String.raw`(?: necessarily)? (?:indicate|mean)`,
  String.raw`^(?:revision effective date|revised|revision history)\b[: ]`,
  String.raw`\bcopyright\b|\bregistered trademark|\ball rights reserved`,
  String.raw`\b(?:coinsurance|deductible)\b.{0,80}\b(?:waived|appl(?:y|ies))\b`,
  String.raw`\bcodes?(?:\(s\))? must (?:best describe|be (?:present|reported) (?:on|with))`,
  String.raw`\bhighest level of (?:specificity|accuracy)\b`,
  "^the information in this article contains billing, coding or other guidelines"
)

/** What an article says of itself, unless it says more. */
const selfNote = anyOf(
  "^this (?:billing and coding )?article (?:contains|gives|provides|lists|includes|complements)"
)
const saysMore = anyOf(
  String.raw`\b(?:limits?|limited|restrict\w*|not|no|except|covers?|covered|over|under|than|qualif\w*)\b`
)

const own = "(?:related|associated|applicable|companion|corresponding)"
const lcd = "(?:lcds?|(?:local coverage )?determination|policy)"

const pointer = anyOf(
  String.raw`\b(?:meet|met|satisf(?:y|ies|ied)|follows?|followed)\b.{0,120}\b${own}\b.{0,60}\b${lcd}\b`,
  String.raw`\bnot\b.{0,40}\b(?:assure|guarantee|sufficient)\b.{0,40}` +
    String.raw`\b(?:coverage|reimbursement|payment)\b`,
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
  {
    statement: "none",
    matches: (sentence) =>
      selfNote.test(sentence) &&
      !saysMore.test(sentence) &&
      !people.test(sentence) &&
      !conditional.test(sentence)
  },
  { statement: "none", matches: (sentence) => reference.test(sentence) },
  { statement: "affirms", matches: (sentence) => affirmation.test(sentence) },
  {
    statement: "pointer",
    matches: (sentence) => pointer.test(sentence) && unreadWords(sentence, referralWords).length === 0
  },
  {
    statement: "none",
    matches: (sentence) => claimWords.test(sentence) && unreadWords(sentence, billingWords).length === 0
  },
  {
    statement: "none",
    matches: (sentence) =>
      definition.test(sentence) && !conditional.test(sentence) && !/\bcover/i.test(sentence)
  }
]
