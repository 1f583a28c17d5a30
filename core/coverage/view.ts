import type { CodeSystem } from "./Code.ts"
import { isDescriptorLicensed, procedureSystem } from "./codeText.ts"
import type {
  CodeGroup,
  CodeGroupEntry,
  CodeGroupKind,
  CriteriaBlock,
  CriteriaSection,
  Disposition,
  PolicyDocument
} from "./Policy.ts"
import { criteriaSections } from "./Policy.ts"

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
 * it. A supporting diagnosis is `covered`, or `conditional` when it carries an asterisk; one that is listed
 * as not supporting is `not_covered` unless another group supports it. A document known only by its lists
 * (neither text nor dates) decides nothing that it does not state: all its codes are `conditional`. Modifiers
 * and bill types are no codes of the wire.
 */
export const policyCodes = (document: PolicyDocument): ReadonlyArray<ListedCode> =>
  listings(document, () => true)

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
  if (line.length <= summaryCharactersMax) return line === "" ? null : line
  const cut = line.slice(0, summaryCharactersMax)
  const word = cut.lastIndexOf(" ")
  return `${(word > 0 ? cut.slice(0, word) : cut).replace(/[\s,;:.]+$/, "")}…`
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

/** What the document itself says of its codes, by code; never the AMA's or the ADA's words. */
export const ownDescriptions = (document: PolicyDocument): ReadonlyMap<string, string> =>
  new Map(
    document.codeGroups.flatMap(({ codes }) =>
      codes.flatMap(({ code, description }) =>
        description == null || isDescriptorLicensed(code) ? [] : [[code, description] as const]
      )
    )
  )

const listings = (document: PolicyDocument, wants: (code: string) => boolean): ReadonlyArray<ListedCode> => {
  const listed = new Map<string, { readonly code: ListedCode; readonly strength: number }>()
  const list = (code: ListedCode, strength: number): void => {
    const key = `${code.codeSystem} ${code.code}`
    if (strength > (listed.get(key)?.strength ?? -1)) listed.set(key, { code, strength })
  }
  for (const group of document.codeGroups) {
    const disposition = stated(group)
    for (const entry of group.codes) {
      const code = wants(entry.code) ? listedCode(document, group.kind, entry) : undefined
      if (code === undefined) continue
      if (disposition === undefined) list(code, precedence.listed[code.disposition])
      else list({ ...code, disposition }, precedence.stated[disposition])
    }
  }
  for (const code of authorized(document)) if (wants(code.code)) list(code, precedence.stated.requires_pa)
  return [...listed.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { code }]) => code)
}

const listedCode = (
  document: PolicyDocument,
  kind: CodeGroupKind,
  entry: CodeGroupEntry
): ListedCode | undefined => {
  const { code, codeSystem, source } = entry
  if (codeSystem === "MODIFIER" || codeSystem === "BILL_TYPE" || codeSystem === "REVENUE") return undefined
  const disposition = isBare(document) ? "conditional" : dispositionOf(kind, entry)
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

const isBare = (document: PolicyDocument): boolean =>
  document.sourceShape !== "criteria_backed" && document.effectiveDate === null

const dispositionOf = (kind: CodeGroupKind, entry: CodeGroupEntry): Disposition => {
  switch (kind) {
    case "dx_covered":
      return entry.asterisk ? "conditional" : "covered"
    case "dx_noncovered":
      return "not_covered"
    case "procedure":
    case "pcs":
    case "modifier":
    case "bill_type":
    case "revenue":
      return "conditional"
  }
}
