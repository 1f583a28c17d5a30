import type { CodeRecord, CodeSystem } from "../Code.ts"
import { tableOn } from "../CodeTable.ts"
import { codeSystemsLike, displayCode, isDescriptorLicensed, procedureSystem } from "../codeText.ts"
import type { IsoDate } from "../date.ts"
import type { CodeDecision, CoverageFacts, CoverageQuery } from "../CoverageDecision.ts"
import type { CodeGroupKind } from "../Policy.ts"
import { entriesAmong } from "./entriesAmong.ts"

/** What the tables and the documents in force say of one code of a query (coverage-domain §2.1, rule 1). */
export interface CodeFinding {
  /** Sentences; a table that can judge the day found them. They decide nothing by themselves. */
  readonly issues: ReadonlyArray<string>
  /** The table that is missing for the day. It lowers confidence only in a code that is not named. */
  readonly gaps: ReadonlyArray<"hcpcs_edition" | "icd10cm_edition">
  /** A document in force names it, so it exists. */
  readonly isNamed: boolean
}

/**
 * What is known of the query's procedure codes on the date of service. Of a CPT or CDT code nothing is ever
 * an issue: its table is the AMA's or the ADA's, and the fee schedule that names most of them need not name
 * all.
 */
export const codeFindings = (
  facts: CoverageFacts,
  query: CoverageQuery
): ReadonlyMap<string, CodeFinding> => {
  const named = namedIn(facts, procedureKinds, query.procedureCodes)
  return new Map(
    query.procedureCodes.map((code) => {
      const isNamed = named.has(code)
      if (isDescriptorLicensed(code)) return [code, { issues: [], gaps: [], isNamed }] as const
      const codeSystem = procedureSystem(code) === undefined ? undefined : "HCPCS"
      return [code, findingOf({ facts, query, code, codeSystem, isNamed })] as const
    })
  )
}

/** What is known of the query's diagnoses on the date of service. */
export const diagnosisFindings = (
  facts: CoverageFacts,
  query: CoverageQuery
): ReadonlyMap<string, CodeFinding> => {
  const named = namedIn(facts, diagnosisKinds, query.diagnosisCodes)
  return new Map(
    query.diagnosisCodes.map((code) => {
      const codeSystem = codeSystemsLike(code).find((system) => system === "ICD10CM")
      return [code, findingOf({ facts, query, code, codeSystem, isNamed: named.has(code) })] as const
    })
  )
}

/**
 * Whether a table of the code's own system judges the date of service and does not hold the code, and no
 * document in force that bears on it names it. HCPCS tables do not judge CPT codes: only a fee schedule does.
 * Nothing judges CDT codes.
 */
export const isNotFound = (
  { code, policies }: Pick<CodeDecision, "code" | "policies">,
  query: CoverageQuery,
  facts: CoverageFacts
): boolean => {
  if (policies.length > 0) return false
  const codeSystem = procedureSystem(code)
  if (codeSystem === undefined || (codeSystem === "HCPCS" && isDescriptorLicensed(code))) return false
  const table = tableOn(facts.codeTables, { codeSystem, day: query.dateOfService })
  return (
    table?.judges === true &&
    !facts.codes.some((record) => record.code === code && record.codeSystem === codeSystem)
  )
}

/** The diagnoses that the table of the day does not hold or may not be submitted, whatever documents say. */
export const invalidDiagnoses = (facts: CoverageFacts, query: CoverageQuery): ReadonlySet<string> =>
  new Set(
    [...diagnosisFindings({ ...facts, policies: [] }, query)]
      .filter(([, { issues }]) => issues.length > 0)
      .map(([code]) => code)
  )

const procedureKinds: ReadonlyArray<CodeGroupKind> = ["procedure"]
const diagnosisKinds: ReadonlyArray<CodeGroupKind> = ["dx_covered", "dx_noncovered"]

const namedIn = (
  facts: CoverageFacts,
  kinds: ReadonlyArray<CodeGroupKind>,
  codes: ReadonlyArray<string>
): ReadonlySet<string> =>
  new Set(
    facts.policies
      .filter((policy) => policy.status !== "proposed")
      .flatMap((policy) => policy.codeGroups.filter((group) => kinds.includes(group.kind)))
      .flatMap((group) => entriesAmong(group, codes).map((entry) => entry.code))
  )

/** `codeSystem` undefined: the text has the shape of no code, and no edition of any table could hold it. */
const findingOf = (asked: {
  readonly facts: CoverageFacts
  readonly query: CoverageQuery
  readonly code: string
  readonly codeSystem: "HCPCS" | "ICD10CM" | undefined
  readonly isNamed: boolean
}): CodeFinding => {
  const { code, codeSystem, facts, isNamed } = asked
  const day = asked.query.dateOfService
  if (codeSystem === undefined) return { issues: isNamed ? [] : [unfound(code, null)], gaps: [], isNamed }
  if (tableOn(facts.codeTables, { codeSystem, day })?.judges !== true) {
    return { issues: [], gaps: [editionGaps[codeSystem]], isNamed }
  }
  const records = facts.codes.filter((record) => record.code === code && record.codeSystem === codeSystem)
  if (records.length > 0) return { issues: issuesOf(records, day), gaps: [], isNamed }
  return { issues: isNamed ? [] : [unfound(code, codeSystem)], gaps: [], isNamed }
}

/** The gap of a code system whose loaded editions do not cover the date of service. */
export const editionGaps = { HCPCS: "hcpcs_edition", ICD10CM: "icd10cm_edition" } as const

const unfound = (code: string, codeSystem: CodeSystem | null): string => {
  const table = codeSystem === null ? "" : codeSystem === "ICD10CM" ? " of diagnoses" : " of procedures"
  return `code_not_found: ${displayCode({ codeSystem: codeSystem ?? "", code })} is in no table${table}.`
}

/** What holds of every record of the code: one that is valid in any is valid. */
const issuesOf = (records: ReadonlyArray<CodeRecord>, day: IsoDate): ReadonlyArray<string> => {
  const issues = records.map((record) => recordIssue(record, day))
  const [first] = issues.toSorted()
  return issues.includes(undefined) || first === undefined ? [] : [first]
}

const recordIssue = (record: CodeRecord, day: IsoDate): string | undefined => {
  const code = displayCode(record)
  const { effectiveDate, terminationDate } = record
  if (terminationDate !== null && terminationDate < day) {
    return `code_terminated: ${code} ended on ${terminationDate}.`
  }
  if (effectiveDate !== null && effectiveDate > day) {
    return `code_not_yet_effective: ${code} begins on ${effectiveDate}.`
  }
  return record.billable ? undefined : `code_not_billable: ${code} is a header and may not be submitted.`
}
