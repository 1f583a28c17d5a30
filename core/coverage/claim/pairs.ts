import type { EditTable, PtpEdit } from "../editTables.ts"
import type { CoverageQuery, TraceStep } from "../CoverageDecision.ts"

/** A pair of codes of one claim that an NCCI edit speaks of (coverage-domain §2.1, step 9). */
export interface PairFinding {
  readonly column1: string
  /** The code that is not paid beside the other. */
  readonly column2: string
  /** `never`: no modifier helps; `modifier`: one on the column 2 line would. */
  readonly bar: "never" | "modifier"
  /** Whether the claim has such a modifier; it may stand on any line. */
  readonly modifierPresent: boolean
  readonly issue: string
  readonly trace: TraceStep
}

/**
 * The pairs that bar payment: every unordered pair of the claim's codes, by the strictest edit in force on
 * the day. Edits with indicator 9 do not count.
 */
export const findPairs = (
  query: CoverageQuery,
  edits: ReadonlyArray<PtpEdit>
): ReadonlyArray<PairFinding> => {
  const codes = new Set(query.procedureCodes)
  const services = servicesAt(query.siteOfService)
  const standing = edits.filter(
    (edit) =>
      edit.column1 !== edit.column2 &&
      codes.has(edit.column1) &&
      codes.has(edit.column2) &&
      services.includes(edit.service) &&
      edit.effectiveDate <= query.dateOfService &&
      (edit.deletionDate === null || query.dateOfService <= edit.deletionDate)
  )
  const modifierPresent = query.modifiers.some((modifier) => ncciModifiers.has(modifier))
  return [...Map.groupBy(standing, pairOf).values()]
    .flatMap((pair) => pair.toSorted(strictestFirst)[0] ?? [])
    .flatMap((edit) => findingOf(edit, modifierPresent) ?? [])
    .toSorted((a, b) => (pairOf(a) < pairOf(b) ? -1 : 1))
}

/**
 * The tables that may judge a claim of the site. A hospital's outpatient department has a facility claim and
 * a practitioner's, and a claim without a site may be either.
 */
export const servicesAt = (site: string | null): ReadonlyArray<EditTable> => {
  if (site === null || site === "outpatient_hospital")
    return ["practitioner", "outpatient_hospital", "dme_supplier"]
  return ["practitioner", "dme_supplier"]
}

/** The NCCI-associated modifiers, by CMS's three families: anatomic, global surgery, others. */
export const ncciModifiers: ReadonlySet<string> = new Set([
  ...["E1", "E2", "E3", "E4", "FA", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9"],
  ...["TA", "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "LT", "RT", "LC", "LD", "RC", "LM", "RI"],
  ...["24", "25", "57", "58", "78", "79"],
  ...["27", "59", "91", "XE", "XS", "XP", "XU"]
])

const pairOf = ({ column1, column2 }: Pick<PtpEdit, "column1" | "column2">): string =>
  [column1, column2].toSorted().join(" ")

const strictness: Readonly<Record<PtpEdit["modifierIndicator"], number>> = { 0: 0, 1: 1, 9: 2 }

const strictestFirst = (a: PtpEdit, b: PtpEdit): number =>
  strictness[a.modifierIndicator] - strictness[b.modifierIndicator] ||
  (a.column1 < b.column1 ? -1 : a.column1 > b.column1 ? 1 : 0)

const findingOf = (edit: PtpEdit, modifierPresent: boolean): PairFinding | undefined => {
  const { column1, column2, modifierIndicator } = edit
  if (modifierIndicator === 9) return undefined
  const bar = modifierIndicator === 0 ? "never" : "modifier"
  const issue = sentenceOf(edit, modifierPresent)
  const trace = {
    rule: `ncci.pair_${modifierIndicator}`,
    policyId: null,
    version: null,
    documentVersion: null,
    quote: null,
    group: null,
    result: issue,
    sourceUrl: ncciUrl,
    section: `NCCI procedure-to-procedure edit ${column1}/${column2}`
  }
  return { column1, column2, bar, modifierPresent, issue, trace }
}

const sentenceOf = ({ column1, column2, modifierIndicator }: PtpEdit, modifierPresent: boolean): string => {
  const pair = `ncci_pair: ${column2} is not paid beside ${column1} on the same day (NCCI)`
  if (modifierIndicator === 0) return `${pair}, and no modifier changes that.`
  return modifierPresent
    ? `${pair} without an NCCI modifier on the line of ${column2}; the claim has one, but the modifier is ` +
        "the claim's, not the line's."
    : `${pair} unless an NCCI modifier, such as 59 or XS, is on the line of ${column2} and documented.`
}

/** Where CMS publishes the NCCI tables. */
export const ncciUrl =
  "https://www.cms.gov/medicare/coding-billing/national-correct-coding-initiative-ncci-edits"
