import type { CodeGroup } from "../Policy.ts"
import { anyOf } from "./anyOf.ts"
import { isHarmless } from "./harmless.ts"
import { readOnce } from "./readOnce.ts"
import { codeOnly, introductionWords, people, referralWords, unreadWords } from "./vocabulary.ts"

/**
 * What a sentence of a document does to coverage (coverage-domain §2.1, L1). `none` states no condition: a
 * billing instruction, a definition, a citation, a note. `affirms` states outright that the service is
 * covered. `pointer` refers to the related LCD, whose own text then counts. Every other sentence is a
 * condition, even one that no class recognizes: reading a condition as a note would make a false `covered`.
 */
export type Statement = "none" | "affirms" | "pointer" | "condition"

/** The sentences of a text, in order; each is a verbatim part of one of its lines. */
export const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line) => line.split(/(?<=[.;!?])\s+(?=["“(]?[A-Z§])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")

/** Returns the statement of the first row that matches, or `condition`. */
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

const own = "(?:related|associated|applicable|companion|corresponding)"
const lcd = "(?:lcds?|(?:local coverage )?determination|policy)"

/** Says that a list alone does not decide, so that the text of the LCD does. */
const disclaimer = anyOf(
  String.raw`\b(?:do(?:es)?|is|are|will|can|may)? ?not (?:necessarily |by itself |alone |be )*` +
    String.raw`(?:assure|ensure|guarantee|sufficient|indicate|imply|mean|constitute)\b`
)

const pointer = anyOf(
  String.raw`\b(?:meet|met|satisf(?:y|ies|ied)|follows?|followed)\b.{0,120}\b${own}\b.{0,60}\b${lcd}\b`,
  String.raw`${disclaimer.source}.{0,60}\b(?:coverage|covered|reimbursement|payment)\b`,
  String.raw`\b(?:refer to|see|(?:found|outlined|specified|described|listed|stated) in)\b.{0,60}\b${lcd}\b`
)

/** Whether the sentence refers to the related LCD and says nothing else (L1). */
const isPointer = (sentence: string): boolean =>
  pointer.test(sentence) && unreadWords(sentence.replace(disclaimer, " "), referralWords).length === 0

const headingWords = [
  ...["nationally", "non-?covered", "covered", "general", "other", "background", "definitions?", "sources?"],
  ...["bibliography", "references?", "revision history", "indications?", "limitations?", "documentation"],
  ...["requirements?", "coverage", "guidelines?", "coding", "billing", "information", "summary", "analysis"],
  ...["evidence", "and", "or", "of", "for", "group \\d+", "paragraph", "codes?", "icd-10(?:-cm)?", "cpt"],
  ...["hcpcs", "modifiers?", "&", "/", ",", "-"]
].join("|")
const headingLine = new RegExp(`^(?:[a-z0-9]{1,4}[.)]\\s+)?(?:(?:${headingWords})[\\s:]*)+$`, "i")

/** `B. Nationally Covered Indications`, `Group 1:`; a heading has no verb of its own. */
const heading = (sentence: string): boolean =>
  sentence.length <= headingCharactersMax && !/[.;,]$/.test(sentence) && headingLine.test(sentence)

/** Longer lines are sentences. */
const headingCharactersMax = 90

const thing = "(?:procedures?|services?|test(?:s|ing)?|items?|devices?)"
const covered = "(?:is|are) (?:a )?covered(?: (?:under|by) medicare)?"
const affirmation = new RegExp(String.raw`^(?:(?:this|the|these) )?(?:[a-z-]+ )?${thing} ${covered}\.?$`, "i")

const statements: ReadonlyArray<{
  readonly statement: Statement
  readonly matches: (sentence: string) => boolean
}> = [
  { statement: "none", matches: heading },
  { statement: "affirms", matches: (sentence) => affirmation.test(sentence) },
  { statement: "pointer", matches: isPointer },
  { statement: "none", matches: isHarmless }
]
