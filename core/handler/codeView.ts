import type { CodeRecord, CodeSuggestion, CodeSystem } from "../coverage/Code.ts"
import { childrenOf, isHeader } from "../coverage/codeChildren.ts"
import { mayHold, tableOn } from "../coverage/CodeTable.ts"
import type { CodeTableEdition } from "../coverage/CodeTable.ts"
import { canonicalCode, codeSystemsLike, displayCode } from "../coverage/codeText.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { Place } from "../coverage/place.ts"
import type { CodePolicyView, CodeView } from "../operation/codes.ts"
import type { CodeFee, CodePolicy } from "../port/Codes.ts"

/** A lookup of one or more codes. */
export interface Lookup {
  /** As the caller wrote them, trimmed. */
  readonly codes: ReadonlyArray<string>
  readonly codeSystem: CodeSystem | null
  readonly place: Place | null
  readonly asOf: IsoDate
  readonly include: ReadonlySet<"rvu" | "policies">
}

/** What the library contains about all codes of a lookup. */
export interface LookupFacts extends Lookup {
  readonly records: ReadonlyArray<CodeRecord>
  /** Records that may be children of a header among `records`. */
  readonly children: ReadonlyArray<CodeRecord>
  readonly fees: ReadonlyArray<CodeFee>
  readonly tables: ReadonlyArray<CodeTableEdition>
  readonly policies: ReadonlyMap<string, ReadonlyArray<CodePolicy>>
  readonly descriptions: ReadonlyMap<string, string>
}

/** Returns the code as the wire shows it, or undefined if neither a table nor a policy contains it. */
export const viewOf = (text: string, found: LookupFacts): CodeView | undefined => {
  const code = canonicalCode(text)
  const policies = found.policies.get(code) ?? []
  const fee = found.fees.find((one) => one.code === code)
  const included = {
    ...(found.include.has("rvu") ? { rvu: fee === undefined ? null : rvuView(fee) } : {}),
    ...(found.include.has("policies") ? { policies: policies.map(policyView) } : {})
  }
  const record = preferred(
    text,
    found.records.filter((candidate) => candidate.code === code)
  )
  if (record !== undefined) return { ...recordView(record, { ...found, fee }), ...included }
  const codeSystem = policies
    .map((policy) => policy.codeSystem)
    .find((system) => found.codeSystem === null || found.codeSystem === system)
  if (codeSystem === undefined) return undefined
  return {
    ...absentView(displayCode({ codeSystem, code }), null),
    code_system: codeSystem,
    found: true,
    description: found.descriptions.get(`${codeSystem} ${code}`) ?? null,
    ...included
  }
}

/**
 * One writing may name codes of several systems: the likeliest by its shape, where a dot speaks for ICD-10.
 */
const preferred = (text: string, records: ReadonlyArray<CodeRecord>): CodeRecord | undefined => {
  const order = codeSystemsLike(text)
  const rank = (record: CodeRecord): number => {
    const index = order.indexOf(record.codeSystem)
    return index === -1 ? order.length : index
  }
  return records.toSorted((a, b) => rank(a) - rank(b))[0]
}

const recordView = (
  record: CodeRecord,
  facts: Pick<LookupFacts, "asOf" | "children" | "tables"> & { readonly fee: CodeFee | undefined }
): CodeView => {
  const { asOf, fee, tables } = facts
  const answering = tableOn(tables, { codeSystem: record.codeSystem, day: asOf })
  const holding = answering !== undefined && mayHold(answering.table, record) ? answering.table : undefined
  return {
    code: displayCode(record),
    code_system: record.codeSystem,
    found: true,
    description: record.description,
    short_description: record.shortDescription,
    category: record.category,
    betos_code: record.betosCode,
    poa_exempt: record.poaExempt,
    is_active:
      record.codeSystem === "CPT"
        ? isValued(fee)
        : isInForce(record, { asOf, judges: answering?.judges === true }),
    billable: record.codeSystem === "ICD10CM" ? record.billable : null,
    ...(isHeader(record) ? { children: childViews(record, facts) } : {}),
    effective_date: record.effectiveDate,
    termination_date: record.terminationDate,
    edition: (record.codeSystem === "CPT" ? fee?.edition : holding?.name) ?? null
  }
}

const childViews = ({ code }: CodeRecord, { asOf, children }: Pick<LookupFacts, "asOf" | "children">) =>
  childrenOf(code, children, asOf).map((child) => ({
    code: displayCode(child),
    description: child.description
  }))

/** The fee schedule of the day says whether a CPT code is in use (`D` is a deleted one); no other can. */
const isValued = (fee: CodeFee | undefined): boolean | null =>
  fee === undefined || !fee.judges ? null : fee.statusCode !== "D"

/** A terminated code stays terminated; null for any other code on a day that no table covers. */
const isInForce = (
  record: CodeRecord,
  { asOf, judges }: { readonly asOf: IsoDate; readonly judges: boolean }
): boolean | null => {
  if (record.terminationDate !== null && record.terminationDate < asOf) return false
  if (!judges) return null
  return record.billable && (record.effectiveDate === null || record.effectiveDate <= asOf)
}

const rvuView = (fee: CodeFee): NonNullable<CodeView["rvu"]> => ({
  work_rvu: fee.workRvu,
  non_facility_pe_rvu: fee.nonFacilityPeRvu,
  facility_pe_rvu: fee.facilityPeRvu,
  mp_rvu: fee.mpRvu,
  non_facility_total: fee.nonFacilityTotal,
  facility_total: fee.facilityTotal,
  status_code: fee.statusCode,
  global_days: fee.globalDays,
  conversion_factor: fee.conversionFactor,
  source: feeSources[fee.conversionFactorKind ?? "unstated"],
  edition: fee.edition
})

/** Names the conversion factor, since the files of one release differ in it alone. */
const feeSources = {
  nonQPP: "Medicare physician fee schedule (nonQPP conversion factor)",
  QPP: "Medicare physician fee schedule (QPP conversion factor, for qualifying APM participants)",
  unstated: "Medicare physician fee schedule"
} as const

/** Returns the view of a code that was not found; `edition` is the one at hand of its code system. */
export const absentView = (code: string, edition: string | null): CodeView => ({
  code,
  code_system: "UNKNOWN",
  found: false,
  description: null,
  short_description: null,
  category: null,
  betos_code: null,
  poa_exempt: null,
  is_active: null,
  billable: null,
  effective_date: null,
  termination_date: null,
  edition
})

const policyView = ({ listing, disposition, source }: CodePolicy): CodePolicyView => ({
  policy_id: listing.policy.policyId,
  title: listing.title,
  policy_type: listing.policy.policyType,
  disposition,
  source,
  jurisdiction: listing.jurisdictions.length === 0 ? null : listing.jurisdictions.join(", "),
  effective_date: listing.effectiveDate,
  source_url: listing.sourceUrl
})

export const suggestionView = (suggestion: CodeSuggestion) => ({
  code: displayCode(suggestion),
  code_system: suggestion.codeSystem,
  description: suggestion.description,
  score: suggestion.score,
  match_type: suggestion.matchType
})
