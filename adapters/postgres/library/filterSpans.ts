import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoDate } from "../../../core/coverage/date.ts"
import type { DiagnosisFilter } from "../../../core/coverage/diagnosisFilter.ts"
import type { Place } from "../../../core/coverage/place.ts"
import type { PolicyQuery } from "../../../core/port/Policies.ts"
import { plainText } from "./plainText.ts"

/** Which rows of `policy_span s` hold the day. */
export const onDay = (sql: SqlClient, day: IsoDate) => sql`s.first_day <= ${day} and s.last_day >= ${day}`

/**
 * The one row of `policy_span s` that holds the day for the policy of a row `k` before it. By its key and
 * with a limit, so that PostgreSQL goes from `k` to it whatever it guesses of either: right after an import
 * it takes a table of thousands for an empty one, and would read all of the other for each row.
 */
export const standingOn = (sql: SqlClient, day: IsoDate) =>
  sql`cross join lateral (select * from policy_span where policy_id = k.policy_id and first_day <= ${day}
    order by first_day desc limit 1) s`

/** Which rows of `policy_span s` are of a version in force. */
export const inForceStatus = (sql: SqlClient) => sql`s.status in ('active', 'unknown')`

/** Which rows of `policy_span s` apply in the place: national documents apply everywhere. */
export const inPlace = (sql: SqlClient, place: Place) =>
  sql`(s.national or s.jurisdictions && ${place.jurisdictions.map(plainText)}::text[]
    or s.states && ${place.states.map(plainText)}::text[])`

/** Which rows of `policy_span s` the query's filters admit, its text and position aside. */
export const filterSpans = (sql: SqlClient, query: PolicyQuery) => {
  const { asOf, diagnosis, payerCode, place, policyType, procedureCode, status } = query
  return sql.and([
    onDay(sql, asOf),
    ...(status === "all" ? [] : [status === "active" ? inForceStatus(sql) : sql`s.status = ${status}`]),
    ...(policyType === null ? [] : [sql`s.policy_type = ${policyType}`]),
    ...(payerCode === null ? [] : [sql`s.payer_code = ${plainText(payerCode)}`]),
    ...(place === null ? [] : [inPlace(sql, place)]),
    ...(diagnosis === null ? [] : [listsDiagnosis(sql, diagnosis)]),
    ...(procedureCode === null ? [] : [concerns(sql, procedureCode)])
  ])
}

/**
 * Of a document's own rows, and of the table that leads to the NCDs, which hold no codes themselves. One
 * list, because PostgreSQL looks up neither of two that are joined by `or`.
 */
const concerns = (sql: SqlClient, code: string) =>
  sql`(s.policy_id, s.version) in (
    select c.policy_id, c.version from policy_code c
    where c.code = ${plainText(code)} and c.code_system in ('CPT', 'HCPCS')
    union all
    select n.policy_id, each.version from ncd_code n join policy_span each on each.policy_id = n.policy_id
    where n.code = ${plainText(code)})`

const listsDiagnosis = (sql: SqlClient, filter: DiagnosisFilter) =>
  sql`(s.policy_id, s.version) in (select c.policy_id, c.version from policy_code c
    where ${isDiagnosis(sql, filter)} and c.code_system = 'ICD10CM')`

/** Codes are letters and digits, which sort before `~` by their bytes: a category is a range of the key. */
const isDiagnosis = (sql: SqlClient, filter: DiagnosisFilter) => {
  switch (filter._tag) {
    case "Code":
      return sql`c.code = ${plainText(filter.code)}`
    case "Category": {
      const first = plainText(filter.category)
      return sql`c.code >= ${first} and c.code < ${`${first}~`}`
    }
  }
}
