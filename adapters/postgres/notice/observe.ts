import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { dueNotices, unsentNotices } from "../../../core/notice/due.ts"
import type { Notice, SentNotice } from "../../../core/notice/Notice.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import { looksMax } from "../../../core/port/Notices.ts"
import type { Subject } from "./facts.ts"
import { accountFacts, endpointFacts, keyFacts } from "./facts.ts"
import { keep } from "./keep.ts"
import type { OwnNotice } from "./keep.ts"

/**
 * Held while somebody looks: two that look at one ladder at once would each find nothing told. Nobody waits
 * for it.
 */
const lookLock = 65

/**
 * Looks at what is to be looked at, inside the open transaction. What is put there meanwhile waits for the
 * commit and is there for the next look.
 */
export const observe = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const [turn] = yield* sql<{ readonly held: boolean }>`select pg_try_advisory_xact_lock(${lookLock}) as held`
  if (turn?.held !== true) return 0
  const looks = yield* takeLooks(sql)
  const accounts = looks.filter((look) => look.endpoint_id === 0n)
  const endpoints = looks.filter((look) => look.endpoint_id !== 0n)
  const keys = yield* keyFacts(sql, nowMs)
  const subjects = [
    ...(accounts.length === 0 ? [] : yield* accountFacts(sql, accounts.map(ownerOf))),
    ...(endpoints.length === 0
      ? []
      : yield* endpointFacts(
          sql,
          endpoints.map(({ endpoint_id }) => endpoint_id)
        )),
    ...keys
  ]
  const notices = yield* untoldOf(sql, subjects, nowMs)
  if (notices.length > 0) yield* keep(sql, notices, nowMs)
  const toldKeys = notices.filter(({ period }) => period.startsWith("key_")).length
  return looks.length + toldKeys
})

interface LookRow {
  readonly organization_id: OrganizationId
  /** 0: the account. */
  readonly endpoint_id: bigint
}

const ownerOf = ({ organization_id }: LookRow): OrganizationId => organization_id

const takeLooks = (sql: SqlClient) =>
  sql<LookRow>`delete from notice_look where (organization_id, endpoint_id) in (
    select organization_id, endpoint_id from notice_look limit ${looksMax} for update skip locked
  ) returning organization_id, endpoint_id`

const untoldOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  subjects: ReadonlyArray<Subject>,
  nowMs: number
) {
  const found = subjects
    .map(({ organizationId, facts }) => ({ organizationId, notices: dueNotices(facts, nowMs) }))
    .filter(({ notices }) => notices.length > 0)
  if (found.length === 0) return []
  const told = yield* toldAlready(sql, found)
  return found.flatMap(
    ({ organizationId, notices }): ReadonlyArray<OwnNotice> =>
      unsentNotices(notices, told(organizationId)).map((notice) => ({
        ...notice,
        organizationId,
        personId: null
      }))
  )
})

interface Reached {
  readonly organizationId: OrganizationId
  readonly notices: ReadonlyArray<Notice>
}

const toldAlready = (sql: SqlClient, found: ReadonlyArray<Reached>) => {
  const asked = found.flatMap(({ organizationId, notices }) =>
    notices.map(({ period }) => ({ organization_id: organizationId, period }))
  )
  return Effect.map(
    sql<
      SentNotice & { readonly organization_id: OrganizationId }
    >`select distinct n.organization_id, n.kind, n.period
      from json_to_recordset(${JSON.stringify(asked)}::json) as asked(organization_id text, period text)
      join notice n on n.organization_id = asked.organization_id and n.person_id is null
        and n.period = asked.period`,
    (rows) => {
      const byOrganization = Map.groupBy(rows, (row) => row.organization_id)
      return (organizationId: OrganizationId): ReadonlyArray<SentNotice> =>
        byOrganization.get(organizationId) ?? []
    }
  )
}
