import { anyOf } from "./anyOf.ts"
import { groupsTogether, roleIn } from "./paragraph.ts"
import { isConditional, sentencesOf, statementOf, withoutGroups } from "./sentence.ts"
import { exclusionWords, introductionWords, pairWords, unreadWords } from "./vocabulary.ts"

/**
 * What being on a group's list means (coverage-domain §2.1, rule 6). `listed`: what the table says, support
 * or denial. `all_except`: a covered table whose paragraph excludes: listed is denied, the rest is affirmed.
 * `unreadable`: the paragraph says both, or something else, and nothing rests on the group.
 */
export type Polarity = "listed" | "all_except" | "unreadable"

/** A group's paragraph as it was read. */
export interface ParagraphReading {
  readonly polarity: Polarity
  /** Sentences that state a condition, or that nobody can class (L1); verbatim. */
  readonly conditions: ReadonlyArray<string>
}

/** Reads the paragraph of a group of diagnoses; null: the group has none. */
export const readParagraph = (
  { group, kind }: { readonly group: number; readonly kind: "dx_covered" | "dx_noncovered" },
  paragraph: string | null
): ParagraphReading => {
  if (paragraph === null) return { polarity: "listed", conditions: [] }
  const sentences = sentencesOf(paragraph)
  const own = new RegExp(String.raw`\bgroup\s+${group}\b`, "gi")
  const readings = sentences.map((sentence) =>
    kind === "dx_covered" ? readCovered(sentence, own) : readNoncovered(sentence)
  )
  const marks = new Set(readings.flatMap((one) => one.marks))
  return {
    polarity: marks.has("unreadable") ? "unreadable" : polarities[kind](marks),
    conditions: sentences.filter((_, index) => readings[index]?.isCondition === true)
  }
}

/** The sentences of a group without codes that say more than that codes which are not listed are denied. */
export const unreadSentences = (paragraph: string | null): ReadonlyArray<string> =>
  sentencesOf(paragraph ?? "").filter((sentence) => {
    const statement = statementOf(sentence)
    const isRead = statement === "none" || statement === "pointer" || rest.test(sentence)
    return !isRead && unreadWords(sentence, introductionWords).length > 0
  })

/**
 * What one clause says: the listed support (`listed`) or are denied (`denied`), all but the listed support
 * (`all_except`), those not listed are denied (`rest_denied`).
 */
type Mark = "listed" | "denied" | "all_except" | "rest_denied" | "unreadable" | null

interface SentenceReading {
  readonly marks: ReadonlyArray<Mark>
  readonly isCondition: boolean
}

const polarities: Readonly<Record<"dx_covered" | "dx_noncovered", (marks: ReadonlySet<Mark>) => Polarity>> = {
  dx_covered: (marks) => {
    if (!marks.has("all_except") && !marks.has("denied")) return "listed"
    return marks.has("listed") || marks.has("rest_denied") ? "unreadable" : "all_except"
  },
  dx_noncovered: (marks) =>
    marks.has("all_except") || (marks.has("listed") && !marks.has("denied")) ? "unreadable" : "listed"
}

/**
 * A sentence about a list that supports. One that turns the list round is read only where nothing else stands
 * in it; every other word is a condition, and one that may deny leaves the paragraph unreadable.
 */
const readCovered = (written: string, own: RegExp): SentenceReading => {
  const sentence = written.replace(theOnly, "$1")
  const unread = (vocabulary: ReadonlySet<string>) =>
    unreadWords(sentence.replaceAll(own, "group"), vocabulary).length > 0
  const statement = statementOf(sentence)
  const marks = clausesOf(sentence).map(markOf)
  if (statement === "none" && refusing.test(sentence)) return unreadable
  if (statement === "none" || statement === "pointer") return { marks, isCondition: false }
  if (isPairing(sentence)) {
    return { marks, isCondition: unreadWords(withoutGroups(sentence), pairWords).length > 0 }
  }
  const turns = marks.some((mark) => mark === "all_except" || mark === "denied" || mark === "rest_denied")
  if (turns) {
    if (!unread(exclusionWords))
      return marks.includes("denied") && !verb.test(sentence) ? unreadable : { marks, isCondition: false }
    return marks.every((mark) => mark === "rest_denied" || mark === "listed" || mark === null)
      ? { marks, isCondition: true }
      : unreadable
  }
  if (isConditional(sentence)) {
    return refusal.test(sentence) ? unreadable : { marks, isCondition: true }
  }
  if (!unread(introductionWords)) return { marks, isCondition: false }
  return refusal.test(sentence) || negation.test(sentence) ? unreadable : { marks, isCondition: true }
}

/** A sentence about a list of denials, which the table itself states. */
const readNoncovered = (sentence: string): SentenceReading => {
  const marks = clausesOf(sentence).map(markOf)
  return turnsDenialRound.test(sentence) ? unreadable : { marks, isCondition: false }
}

const unreadable: SentenceReading = { marks: ["unreadable"], isCondition: false }

/** A sentence that says which diagnosis stands beside which one. */
const isPairing = (sentence: string): boolean =>
  !refusal.test(sentence.replaceAll(notPrimary, " ")) &&
  !/\bnot (?:require|need)/i.test(sentence) &&
  (roleIn(sentence) !== undefined || groupsTogether(sentence).length > 0)

const notPrimary = /\b(?:not|never) (?:be )?(?:an? )?(?:\w+ )?(?:as )?(?:an? |the )?(?:primary|alone|stand)/gi

/** `…, and all diagnoses except these are covered` says something of its own. */
const clausesOf = (sentence: string): ReadonlyArray<string> =>
  sentence.split(/[;,]\s+(?:and|but|while|whereas)\s+/i)

const markOf = (sentence: string): Mark => {
  if (!codes.test(sentence)) return null
  const isDenial = denial.test(sentence)
  const isAffirmed = affirmation.test(sentence.replaceAll(new RegExp(denial, "gi"), " "))
  const everyButThese = every.test(sentence) && exception.test(sentence)
  if (everyButThese || rest.test(sentence)) {
    if (isDenial && isAffirmed) return "unreadable"
    if (isDenial) return "rest_denied"
    if (isAffirmed) return "all_except"
    return everyButThese ? "all_except" : "unreadable"
  }
  if (isDenial && isAffirmed) return "unreadable"
  if (exception.test(sentence) && (isDenial || isAffirmed)) return "unreadable"
  return isDenial ? "denied" : isAffirmed ? "listed" : null
}

/** Words that refuse whatever stands beside them, and lists that are not whole. */
const refusal = anyOf(
  String.raw`\b(?:must|should|shall|may|can|will|do|does|is|are|was|were) (?:not|never)\b`,
  String.raw`\bcannot\b|n['’]t\b`,
  String.raw`\b(?:never|neither|nor|none of|no longer|no payment|no coverage)\b`,
  String.raw`\b(?:investigational|experimental|ineligible|invalid|obsolete|contraindications?:)`,
  String.raw`\b(?:disallow|prohibit|reject|refus|exclu[ds]|retired|withdrawn)\w*`,
  String.raw`\bun(?:accept|support|proven|cover|necess|pay|allow|approv|warrant|reasonabl|reimburs)\w*`,
  String.raw`\bfail(?:s|ed|ing)? to (?:establish|support|meet|justify|qualify|show)`,
  String.raw`\b(?:include|includes|including|examples?|such as|e\.g|among others|for instance)\b`
)

/** Words that may deny, where nobody can class the rest of the sentence either. */
const negation = anyOf(
  String.raw`\b(?:no|not|none|lack\w*|besides|except\w*|other than|apart from|rather than|instead of|but)\b`,
  String.raw`\b(?:den(?:y|ied|ies|ial)\w*|omit\w*|fail(?:s|ed)? to|contraindic\w*|inappropriate)`,
  String.raw`\b(?:delet\w*|terminat\w*|expired?|non-? ?(?:cover|pay|support|allow|eligib|reimburs)\w*)`
)

/** `These are the only codes that support it` says what the table says. */
const theOnly = /\b(are the) only\b(?! (?:when|if|after|for))/i

/** Without one it is a heading, which says nothing of those that are not listed. */
const verb = /\b(?:is|are|do|does|will|may|be)\b/i

/** A heading that denies, above a list that supports. */
const refusing = /^\W*(?:group \d* ?)?non-? ?covered\b/i

/** In a table of denials: the listed are those that are allowed. */
const turnsDenialRound = anyOf(
  String.raw`\b(?:other than|except(?:ing)?(?: for)?|apart from|but not|excluding)\b` +
    String.raw`(?!.{0,80}\b(?:above|group|section|article)\b)`
)

const codes = /\b(?:icd-?10|icd|diagnos[ei]s|diagnostic|codes?|conditions?|indications?|following|listed)\b/i

const every = /\b(?:all|any|every|each)\b/i

const exception = anyOf(
  String.raw`\bexcept(?:ing|ions?)?\b`,
  String.raw`\bexclud(?:e|es|ed|ing)\b`,
  String.raw`\bother than\b`,
  String.raw`\bapart from\b`,
  String.raw`\bbut not\b`
)

/** The codes that are not on the list. */
const rest = anyOf(
  String.raw`\bnot (?:otherwise )?(?:listed|included|shown|found|specified|named|on (?:this|the) list)\b`,
  String.raw`\b(?:all|any) (?:of the )?other\b`,
  String.raw`\bother (?:icd|diagnos|codes)`
)

const refusable = "covered|payable|paid|reimbursed|allowed|reasonable(?: and necessary)?|medically necessary"

const denial = anyOf(
  String.raw`\b(?:do(?:es)? |can)?not (?:be )?(?:considered |deemed )?(?:${refusable})\b`,
  String.raw`\b(?:do(?:es)? )?not (?:support\w*|justify|establish)(?: the)?(?: medical(?:ly)? necess\w+)?`,
  String.raw`\bnon-? ?cover(?:ed|age)\b`,
  String.raw`\bnever (?:covered|payable)\b`,
  String.raw`\b(?:is|are|be|been) (?:denied|excluded from coverage)\b`,
  String.raw`\bdeny\b`
)

const affirmation = anyOf(
  String.raw`\bsupport(?:s|ed|ing)?\b`,
  String.raw`\b(?:is|are|be) (?:considered |deemed )?(?:${refusable})\b`,
  String.raw`\b(?:provides?|allows?) coverage\b`,
  String.raw`\b(?:establish|justif)\w*\b.{0,40}\bmedical(?:ly)? necess`,
  String.raw`\bmedical(?:ly)? necess(?:ity|ary)\b`,
  String.raw`\bcovered (?:diagnos|icd|codes?|conditions?|indications?|for\b)`,
  String.raw`\bcoverage (?:is|will be) (?:provided|allowed|available)\b`,
  String.raw`\bmay be covered\b`
)
