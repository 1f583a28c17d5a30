import type { CodeSystem } from "./Code.ts"
import { procedureSystem } from "./codeText.ts"
import { statesConditions } from "./decide/block.ts"
import { roleIn } from "./decide/paragraph.ts"
import { readParagraph } from "./decide/polarity.ts"
import type {
  CodeGroup,
  CodeGroupEntry,
  CriteriaBlock,
  CriteriaSection,
  Disposition,
  PolicyDocument
} from "./Policy.ts"
import { criteriaSections } from "./Policy.ts"
import { shortenText } from "../text/shortenText.ts"

/** One code of a policy as the wire shows it; the same shape as the ports' `PolicyCode`. */
export interface ListedCode {
  readonly code: string
  readonly codeSystem: CodeSystem
  readonly disposition: Disposition
  readonly source: CodeGroupEntry["source"]
}

/** What a policy says in full-text search, most telling first. */
export interface SearchText {
  readonly title: string
  readonly keywords: string
  readonly body: string
}

/**
 * Which of two entries about one code decides, the higher one. Of mere listings support outweighs a
 * condition, which outweighs its denial; of two statements about a procedure the more restrictive one
 * decides, and either outweighs a listing. A certified release names this table: another order would be
 * another release.
 */
export const precedence: Readonly<Record<"listed" | "stated", Readonly<Record<Disposition, number>>>> = {
  listed: { covered: 3, conditional: 2, requires_pa: 1, not_covered: 0 },
  stated: { not_covered: 7, requires_pa: 6, conditional: 5, covered: 4 }
}

/** WPS's national number lists nearly every state and says nothing of where a document applies (trap 3). */
export const nationalContractorNumber = "05901"

/** A summary ends at the last word before this. */
export const summaryCharactersMax = 400

/**
 * Every code of the document once, by system and code. A procedure that is listed is `conditional` ("a code's
 * presence is not coverage") unless its group states more; of several statements the most restrictive counts,
 * and a code that a rule of the document asks prior authorization for is `requires_pa` where nothing refuses
 * it. A supporting diagnosis is `covered` only where the document asks for nothing else, and otherwise
 * `conditional` (coverage-domain §2.1, L1); one that is listed as not supporting, or on a list of exceptions,
 * is `not_covered`; where lists contradict each other or cannot be read, `conditional`. Modifiers and bill
 * types are no codes of the wire.
 */
export const policyCodes = (document: PolicyDocument): ReadonlyArray<ListedCode> =>
  listings(document, () => true)

/** The same of these canonical codes alone. */
export const policyCodesAmong = (
  document: PolicyDocument,
  codes: ReadonlySet<string>
): ReadonlyArray<ListedCode> => listings(document, (code) => codes.has(code))

/** What the document says of a procedure code, of CPT or HCPCS; undefined where it does not list it. */
export const procedureListing = (document: PolicyDocument, code: string): ListedCode | undefined =>
  listings(document, (other) => other === code).find(
    ({ codeSystem }) => codeSystem === "CPT" || codeSystem === "HCPCS"
  )

/** How many different codes the wire shows for the document. */
export const codeCountOf = (document: PolicyDocument): number => policyCodes(document).length

/**
 * The beginning of the description, or of the first criteria, cut after a whole word; null where there is no
 * text.
 */
export const summaryOf = (document: PolicyDocument): string | null => {
  const text = document.description ?? document.sections.indications ?? document.criteria[0]?.text ?? null
  if (text === null) return null
  const line = text.replace(/\s+/g, " ").trim()
  return line === "" ? null : shortenText(line, summaryCharactersMax)
}

/** The jurisdictions whose contractors issued the document, sorted; none for a national one. */
export const jurisdictionsOf = (document: PolicyDocument): ReadonlyArray<string> => {
  const codes = document.contractors
    .filter((contractor) => contractor.contractorNumber !== nationalContractorNumber)
    .map((contractor) => contractor.jurisdictionCode)
    .filter((code) => code !== null)
  return [...new Set(codes)].toSorted()
}

/** The document's passages by section, in the wire's order of sections, without empty ones. */
export const criteriaBySection = (
  document: PolicyDocument
): ReadonlyArray<readonly [CriteriaSection, ReadonlyArray<CriteriaBlock>]> =>
  criteriaSections
    .map((section) => [section, document.criteria.filter((block) => block.section === section)] as const)
    .filter(([, blocks]) => blocks.length > 0)

/** The texts that a search of policies looks into. */
export const searchTextOf = (document: PolicyDocument): SearchText => ({
  title: `${document.policy.policyId} ${document.title}`,
  keywords: document.keywords.join(" "),
  body: [
    document.description ?? "",
    ...document.criteria.map((block) => block.text),
    ...document.codeGroups.map((group) => group.paragraph ?? "")
  ]
    .filter((text) => text !== "")
    .join("\n")
})

const listings = (document: PolicyDocument, wants: (code: string) => boolean): ReadonlyArray<ListedCode> => {
  const listed = new Map<string, { readonly code: ListedCode; readonly strength: number }>()
  const list = (code: ListedCode, strength: number): void => {
    const key = `${code.codeSystem} ${code.code}`
    const before = listed.get(key)
    if (before !== undefined && isContradiction(before.code, code, strength)) {
      listed.set(key, { code: { ...code, disposition: "conditional" }, strength: precedence.listed.covered })
    } else if (strength > (before?.strength ?? -1)) listed.set(key, { code, strength })
  }
  const known = { isOpen: leavesOpen(document), isUnknown: isBare(document) || document.status === "unknown" }
  for (const group of document.codeGroups) {
    const disposition = stated(group)
    const meaning = meaningOf(group, known)
    for (const entry of group.codes) {
      const code = wants(entry.code) ? listedCode(entry, meaning) : undefined
      if (code === undefined) continue
      if (disposition === undefined) list(code, precedence.listed[code.disposition])
      else list({ ...code, disposition }, precedence.stated[disposition])
    }
  }
  for (const code of authorized(document)) if (wants(code.code)) list(code, precedence.stated.requires_pa)
  return [...listed.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { code }]) => code)
}

/** One list supports the code and another denies it. */
const isContradiction = (a: ListedCode, b: ListedCode, strength: number): boolean =>
  strength <= precedence.listed.covered &&
  [a.disposition, b.disposition].toSorted().join() === "covered,not_covered"

/** Whether more than its lists decides: its own text, its LCD's, or what nobody knows of it. */
const leavesOpen = (document: PolicyDocument): boolean =>
  isBare(document) ||
  document.status === "unknown" ||
  statesConditions(document) ||
  (document.policy.policyType === "Article" && document.related.some((one) => one.policyType === "LCD"))

const isBare = (document: PolicyDocument): boolean =>
  document.sourceShape !== "criteria_backed" && document.effectiveDate === null

/** What being on the list of a group means; an asterisk makes support conditional. */
const meaningOf = (
  group: CodeGroup,
  { isOpen, isUnknown }: { readonly isOpen: boolean; readonly isUnknown: boolean }
): Disposition => {
  if (group.kind !== "dx_covered" && group.kind !== "dx_noncovered") return "conditional"
  const { conditions, polarity } = readParagraph({ group: group.group, kind: group.kind }, group.paragraph)
  if (polarity === "unreadable") return "conditional"
  if (group.kind === "dx_noncovered" || polarity === "all_except")
    return isUnknown ? "conditional" : "not_covered"
  const asks = conditions.length > 0 || roleIn(group.paragraph ?? "") !== undefined
  return isOpen || asks ? "conditional" : "covered"
}

const listedCode = (
  { asterisk, code, codeSystem, source }: CodeGroupEntry,
  meaning: Disposition
): ListedCode | undefined => {
  if (codeSystem === "MODIFIER" || codeSystem === "BILL_TYPE" || codeSystem === "REVENUE") return undefined
  const disposition = asterisk && meaning === "covered" ? "conditional" : meaning
  return { code, codeSystem, disposition, source }
}

const stated = (group: CodeGroup): Disposition | undefined =>
  group.kind === "procedure" || group.kind === "pcs" ? group.disposition : undefined

/** The codes of the document's own rules of prior authorization. */
const authorized = (document: PolicyDocument): ReadonlyArray<ListedCode> =>
  (document.priorAuth ?? []).flatMap((rule) =>
    rule.codes.flatMap((code): ReadonlyArray<ListedCode> => {
      const codeSystem = procedureSystem(code)
      return codeSystem === undefined
        ? []
        : [{ code, codeSystem, disposition: "requires_pa", source: "document" }]
    })
  )
