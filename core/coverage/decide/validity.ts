import type { CodeRecord, CodeSystem } from "../Code.ts"
import { displayCode, procedureSystem } from "../codeText.ts"
import type { IsoDate } from "../date.ts"
import type { CoverageFacts, CoverageQuery } from "../CoverageDecision.ts"

/**
 * What is wrong with the query's codes on the date of service, by code (coverage-domain §2.1, step 1). Each
 * is an issue and decides nothing by itself: a policy may still answer for a code that a table has dropped.
 */
export const codeIssues = (
  facts: CoverageFacts,
  query: CoverageQuery
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const records = Map.groupBy(facts.codes, (record) => record.code)
  const day = query.dateOfService
  const asked: ReadonlyArray<readonly [string, ReadonlyArray<CodeSystem>]> = [
    ...query.procedureCodes.map((code) => [code, ["CPT", "HCPCS"]] as const),
    ...query.diagnosisCodes.map((code) => [code, ["ICD10CM"]] as const)
  ]
  return new Map(
    asked.map(([code, systems]) => {
      const found = (records.get(code) ?? []).filter((record) => systems.includes(record.codeSystem))
      return [code, found.length === 0 ? unfound(code, systems) : issuesOf(found, day)] as const
    })
  )
}

/**
 * The tables hold no CPT codes of their own, the AMA's being licensed, so that one without a record may well
 * be valid.
 */
const unfound = (code: string, systems: ReadonlyArray<CodeSystem>): ReadonlyArray<string> => {
  if (systems.includes("ICD10CM")) {
    return [`code_not_found: ${displayCode({ codeSystem: "ICD10CM", code })} is in no table of diagnoses.`]
  }
  return procedureSystem(code) === "CPT" ? [] : [`code_not_found: ${code} is in no table of procedures.`]
}

/** What holds of every record of the code: one that is valid in either system is valid. */
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
