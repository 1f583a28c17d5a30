import { otherNumbers, procedureMention } from "./paragraph.ts"

/**
 * The words of a text that nobody has classed (coverage-domain §2.1, L1: what nobody can class counts). A
 * paragraph or an instruction is read only where every word of it belongs to a closed list; one that holds
 * another word may state a condition, whatever that word is. Empty: the text is read whole.
 */
export const unreadWords = (text: string, vocabulary: ReadonlySet<string>): ReadonlyArray<string> =>
  wordsOf(text).filter((word) => !vocabulary.has(word))

/** Procedure codes, and the ranges that they open, are read by `namesIn`. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  withoutProcedureName(text)
    .replaceAll(codeOnly, (match) => match.replace(/only$/i, " "))
    .toUpperCase()
    .replaceAll(otherNumbers, " ")
    .replaceAll(procedureMention, " ")
    .toLowerCase()
    .replaceAll(/\([a-z0-9]\)|^\s*\(?[a-z0-9]{1,2}[.)]\s|\bcms-?1500\b|\bub-?04\b|\b837[ip]?\b/g, " ")
    .replaceAll(/\bicd[- ]?10(?:[- ]?cm)?\b|\bcpt\b|\bhcpcs\b|\blevel ii\b|\bn\/a\b/g, " code ")
    .replaceAll(/\blimited coverage\b|\bany one\b|\bone or more\b/g, " ")
    .replaceAll(/\([sS]\)|\(es\)/g, "")
    .split(/[^\p{L}\p{N}†‡§<>=≥≤%*'’]+/u)
    .map((word) => word.replaceAll("’", "'").replace(/'s$/, ""))
    .filter((word) => word !== "")

/** `for CPT code 27447 only` restricts the codes and is no condition. */
export const codeOnly = /\b(?:\d{4}[0-9A-Z]|[A-Z]\d{4})\s+only\b(?!\s+(?:if|when|for|after))/gi

/** `for the Total Knee Arthroplasty CPT codes: 27447`: the name of the procedure that the code stands for. */
const withoutProcedureName = (text: string): string =>
  text.replaceAll(
    /\b((?:for|of)(?: the)?) (?:[A-Z][a-z-]+ ){1,6}(?=(?:for )?(?:CPT|HCPCS)\b)/g,
    (all, prefix: string) => (people.test(all) || limits.test(all) ? all : `${prefix} `)
  )

/** Words that limit a procedure and are no part of its name. */
const limits =
  /\b(?:only|once|twice|first|second|third|initial|repeat|after|before|failed|annual|if|unless|when|per|not|no)\b/i

/** Words about those who are treated, which are a limit also where a name could stand. */
export const people =
  /\b(?:patients?|beneficiar\w*|wom[ae]n|m[ae]n|females?|males?|adults?|child\w*|pediatric|ages?|aged)\b/i

const words = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => line.split(" "))

/** A vocabulary of the words of other vocabularies and of lines of words. */
export const wordSet = (...parts: ReadonlyArray<string | ReadonlySet<string>>): ReadonlySet<string> =>
  new Set(parts.flatMap((part) => (typeof part === "string" ? part.split(" ") : [...part])))

const grammar = words(
  "a an the this these those that which it its is are be been was were will may can has have for of to in on",
  "by with and or as at from any all each every both either below above following listed list lists",
  "given shown here herein see please note also"
)

const subjects = words(
  "code codes coding diagnosis diagnoses diagnostic dx condition conditions indication indications icd",
  "international classification diseases procedure procedures procedural service services item items device",
  "devices product products drug drugs test tests testing article articles policy policies lcd section",
  "table paragraph group groups clinical modification"
)

const support = words(
  "support supports supported supporting medical medically",
  "necessity necessary reasonable cover covers covered",
  "coverage payable paid pay pays payment reimbursed reimbursable allowed considered deemed provide",
  "provides provided medicare do does",
  "establish establishes establishing justify justifies apply applies applicable report reported bill",
  "billed billing submit submitted use used claim claims"
)

/** What a paragraph says that introduces codes and asks for nothing. */
export const introductionWords: ReadonlySet<string> = new Set([...grammar, ...subjects, ...support])

/** What one says that turns its list round: `all … except the following`, `… do not support …`. */
export const exclusionWords: ReadonlySet<string> = new Set([
  ...introductionWords,
  ...words(
    "except exception exceptions excepting excluding excluded excludes other others otherwise than not",
    "non noncovered noncoverage deny denied never apart but included specified"
  )
])

/** What a paragraph says of the diagnosis that stands beside another one, whatever its number of groups. */
export const pairWords: ReadonlySet<string> = new Set([
  ...introductionWords,
  ...words(
    "primary secondary principal first second must only when required require requires requiring",
    "accompanied addition together plus dual another other not never alone stand standalone along pair",
    "pairs needed needs need same refer"
  )
])

/** Words of a text that refers to the related LCD and adds no condition of its own. */
export const referralWords: ReadonlySet<string> = wordSet(
  introductionWords,
  "must meet meets met satisfy satisfies criteria criterion specified related associated companion",
  "corresponding local national determination determinations specific case cases refer other only",
  "limitations limited information presence appearance inclusion sufficient itself alone correct",
  "assure ensure guarantee",
  "requirements outlined described found stated guidelines guidance equipment if after",
  "title additional full complete details lcds ncd ncds"
)

/** Words that state no condition in any sentence. */
export const grammarWords: ReadonlySet<string> = new Set(grammar)
