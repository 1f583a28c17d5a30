import { sentencesOf } from "./sentence.ts"

/**
 * What being on a group's list means (coverage-domain §2.1, rule 6). `listed`: what the table says, support
 * or denial. `all_except`: a covered table whose paragraph excludes: listed is denied, the rest is affirmed.
 * `unreadable`: the paragraph says both, or something else, and nothing rests on the group.
 */
export type Polarity = "listed" | "all_except" | "unreadable"

/** Reads the paragraph of a group of diagnoses; null: the group has none. */
export const polarityOf = (kind: "dx_covered" | "dx_noncovered", paragraph: string | null): Polarity => {
  if (paragraph === null) return "listed"
  const marks = new Set(clausesOf(paragraph).map(markOf))
  if (marks.has("unreadable")) return "unreadable"
  if (kind === "dx_noncovered") {
    return marks.has("all_except") || (marks.has("listed") && !marks.has("denied")) ? "unreadable" : "listed"
  }
  const excludes = marks.has("all_except") || marks.has("denied")
  if (!excludes) return "listed"
  return marks.has("listed") || marks.has("rest_denied") ? "unreadable" : "all_except"
}

/** Whether a sentence does nothing but say what being off or on the list means. */
export const isAboutTheList = (sentence: string): boolean => {
  const marks = clausesOf(sentence).map(markOf)
  return marks.some((mark) => mark !== null && mark !== "listed")
}

/** `…, and all diagnoses except these are covered` says something of its own. */
const clausesOf = (paragraph: string): ReadonlyArray<string> =>
  sentencesOf(paragraph).flatMap((sentence) => sentence.split(/[;,]\s+(?:and|but|while|whereas)\s+/i))

/**
 * What one clause says: the listed support (`listed`) or are denied (`denied`), all but the listed support
 * (`all_except`), those not listed are denied (`rest_denied`).
 */
type Mark = "listed" | "denied" | "all_except" | "rest_denied" | "unreadable" | null

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

const anyOf = (...writings: ReadonlyArray<string>): RegExp => new RegExp(`(?:${writings.join("|")})`, "i")

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
