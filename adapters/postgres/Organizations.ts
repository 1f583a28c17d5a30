import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { choosePack, openAccount } from "../../core/organization/packChoice.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import type { OrganizationChange } from "../../core/port/Organizations.ts"
import { Organizations, OrganizationsUnavailable } from "../../core/port/Organizations.ts"
import { moveAccount, moveOf, writeMoves } from "./accounts.ts"
import { atomically, unavailable } from "./Database.ts"
import { notifyOrganizationChanged } from "./keyChanged.ts"

/** Organizations in PostgreSQL, each with its account row. */
export const layer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(unavailable(failed)(atomically(effect)), SqlClient.SqlClient, sql)
    return Organizations.of({
      create: (organization) => inTransaction(createOrganization(sql, organization)),
      find: (organizationId) => unavailable(failed)(find(sql, organizationId)),
      change: ({ organizationId, change }) =>
        inTransaction(
          Effect.gen(function* () {
            yield* apply(sql, organizationId, change)
            yield* notifyOrganizationChanged(sql, organizationId)
            return yield* find(sql, organizationId)
          })
        )
    })
  })
)

/** Writes a new organization with its account, inside the open transaction. */
export const createOrganization = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: Organization
) {
  const { organizationId } = organization
  const opened = openAccount(organization.pack, DateTime.makeUnsafe(organization.createdAt).epochMilliseconds)
  yield* sql`insert into organization
    (organization_id, name, suspended, suspended_reason, concurrent_max, owner_email, created_at)
    values (${organizationId}, ${organization.name}, ${organization.suspended}, ${organization.suspendedReason},
      ${organization.concurrentMax}, ${organization.ownerEmail}, ${organization.createdAt})`
  // The row must be there before the move is written over it: an update finds nothing to change otherwise.
  yield* sql`insert into account (organization_id, pack, allowance, purchased, overage_used, renews_at)
    values (${organizationId}, ${organization.pack}, 0, 0, 0, ${organization.createdAt})`
  yield* writeMoves(sql, moveOf(organizationId, opened))
})

const failed = (fault: OrganizationsUnavailable["fault"]) => new OrganizationsUnavailable({ fault })

interface OrganizationRow {
  readonly organization_id: OrganizationId
  readonly name: string
  readonly suspended: boolean
  readonly suspended_reason: string | null
  readonly concurrent_max: number | null
  readonly owner_email: string | null
  readonly created_at: Date
  readonly pack: PackName
  readonly next_pack: PackName | null
  readonly renews_at: Date
}

const find = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organizationId: OrganizationId) {
  const nowMs = yield* Clock.currentTimeMillis
  const [row] = yield* sql<OrganizationRow>`select organization.*, pack, next_pack, renews_at
    from organization join account using (organization_id) where organization_id = ${organizationId}`
  return row && organizationOf(row, nowMs)
})

const organizationOf = (row: OrganizationRow, nowMs: number): Organization => ({
  organizationId: row.organization_id,
  name: row.name,
  ...packInForce({ pack: row.pack, nextPack: row.next_pack, renewsAtMs: row.renews_at.getTime() }, nowMs),
  suspended: row.suspended,
  suspendedReason: row.suspended_reason,
  concurrentMax: row.concurrent_max,
  ownerEmail: row.owner_email,
  createdAt: row.created_at.toISOString() as IsoTime
})

const apply = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  change: OrganizationChange
) {
  switch (change._tag) {
    case "Pack":
      yield* moveAccount(sql, { organizationId, reference: "" }, (account) =>
        choosePack(account, change.pack, change.nowMs)
      )
      return
    case "Name":
      yield* sql`update organization set name = ${change.name} where organization_id = ${organizationId}`
      return
    case "Suspend":
      yield* sql`update organization set suspended = true, suspended_reason = ${change.reason}
        where organization_id = ${organizationId}`
      // What people consented to ends with it (§5), and does not come back with the organization.
      yield* sql`delete from oauth_grant where organization_id = ${organizationId}`
      return
    case "Unsuspend":
      yield* sql`update organization set suspended = false, suspended_reason = null
        where organization_id = ${organizationId}`
      return
    case "OverageCap":
      yield* sql`update account set overage_cap = ${change.cap} where organization_id = ${organizationId}`
      return
    case "ConcurrentMax":
      yield* sql`update organization set concurrent_max = ${change.max} where organization_id = ${organizationId}`
      return
  }
})
