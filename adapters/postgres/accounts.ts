import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Account, Entry, EntryKind, Move, Source } from "../../core/organization/Account.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Charge } from "../../core/port/Ledger.ts"

/** An account as PostgreSQL sends it: int8 arrives as bigint, a time as Date. */
export interface AccountRow {
  readonly organization_id: OrganizationId
  readonly pack: PackName
  readonly next_pack: PackName | null
  readonly allowance: bigint
  readonly purchased: bigint
  readonly overage_used: bigint
  readonly overage_cap: bigint | null
  readonly renews_at: Date
}

export const accountOf = (row: AccountRow): Account => ({
  pack: row.pack,
  nextPack: row.next_pack,
  allowance: Number(row.allowance),
  purchased: Number(row.purchased),
  overageUsed: Number(row.overage_used),
  overageCap: row.overage_cap === null ? null : Number(row.overage_cap),
  renewsAtMs: row.renews_at.getTime()
})

/**
 * Locks the accounts until the transaction ends, in the order of their ids, so that two processes that lock
 * several wait for each other and never in a circle. Absent: no such organization.
 */
export const lockAccounts = (sql: SqlClient, ids: ReadonlyArray<OrganizationId>) =>
  Effect.map(
    sql<AccountRow>`select * from account where organization_id = any(${ids}) order by organization_id for update`,
    (rows) => new Map(rows.map((row) => [row.organization_id, accountOf(row)]))
  )

/** A reference of one organization: what a move must read before it may write. */
export interface MoveReference {
  readonly organizationId: OrganizationId
  readonly reference: string
}

/**
 * The entries written under these references, those of a charge that is one usage row (decision 0036) among
 * them. Asked after the accounts are locked and in a statement of its own: its snapshot then holds whatever
 * the last owner of the lock committed.
 */
export const earlierEntries = (sql: SqlClient, asked: ReadonlyArray<MoveReference>) =>
  Effect.map(
    sql<EntryRow>`with asked as materialized (
        select * from unnest(${asked.map((one) => one.organizationId)}::text[],
          ${asked.map((one) => one.reference)}::text[]) as asked(organization_id, reference)
      )
      select organization_id, reference, m.kind, m.source, m.amount, m.renews_at, m.at
      from asked join credit_move m using (organization_id, reference)
      union all
      select a.organization_id, a.reference, 'charge', u.paid_from, u.cost, u.renews_at, u.at
      from asked a join usage u on u.request_id = a.reference and u.organization_id = a.organization_id
      where u.paid_from is not null`,
    (rows) => {
      const found = Map.groupBy(rows, (row) => `${row.organization_id} ${row.reference}`)
      return (one: MoveReference): ReadonlyArray<Entry> =>
        (found.get(`${one.organizationId} ${one.reference}`) ?? []).map(entryOf)
    }
  )

/** Everything one transaction writes of its moves: accounts as they became, entries, usage rows. */
export interface MoveRows {
  readonly accounts: ReadonlyMap<OrganizationId, Account>
  readonly entries: ReadonlyArray<Entry & { readonly organizationId: OrganizationId }>
  readonly usage: ReadonlyArray<UsageRow>
}

/** A charge and the one entry that it is; null where its entries are rows of their own. */
export interface UsageRow {
  readonly charge: Charge
  readonly paid: Entry | null
}

/**
 * One statement for all three. A reference written before is refused by the entries' key, and with it the
 * whole.
 */
export const writeMoves = (sql: SqlClient, writing: MoveRows) =>
  sql`with moved as (
      update account a set pack = m.pack, next_pack = m.next_pack, allowance = m.allowance, purchased = m.purchased,
        overage_used = m.overage_used, overage_cap = m.overage_cap, renews_at = m.renews_at
      from json_to_recordset(${accountsJson(writing)}::json) as m(organization_id text, pack text, next_pack text,
        allowance bigint, purchased bigint, overage_used bigint, overage_cap bigint, renews_at timestamptz)
      where a.organization_id = m.organization_id
    ), entered as (
      insert into credit_move (organization_id, reference, kind, source, amount, renews_at, at)
      select * from json_to_recordset(${entriesJson(writing)}::json) as e(organization_id text, reference text,
        kind text, source text, amount bigint, renews_at timestamptz, at timestamptz)
    )
    insert into usage
      (organization_id, request_id, operation, cost, status, caller, source, tool, person, at, paid_from, renews_at)
    select * from json_to_recordset(${usageJson(writing)}::json) as u(organization_id text, request_id text,
      operation text, cost integer, status smallint, caller text, source text, tool text, person text,
      at timestamptz, paid_from text, renews_at timestamptz)`

/**
 * One organization's move, inside the open transaction: the account locked, what was written under the
 * reference read, the kernel asked, its answer written. Undefined: no such organization.
 */
export const moveAccount = Effect.fnUntraced(function* <M extends Move>(
  sql: SqlClient,
  asked: MoveReference,
  decide: (account: Account, earlier: ReadonlyArray<Entry>) => M
) {
  const { organizationId } = asked
  const account = (yield* lockAccounts(sql, [organizationId])).get(organizationId)
  if (account === undefined) return undefined
  const earlier = yield* earlierEntries(sql, [asked])
  const moved = decide(account, earlier(asked))
  if (moved.account !== account) yield* writeMoves(sql, moveOf(organizationId, moved))
  return moved
})

/** What one organization's move writes. */
export const moveOf = (organizationId: OrganizationId, move: Move): MoveRows => ({
  accounts: new Map([[organizationId, move.account]]),
  entries: move.entries.map((entry) => ({ ...entry, organizationId })),
  usage: []
})

interface EntryRow {
  readonly organization_id: OrganizationId
  readonly reference: string
  readonly kind: EntryKind
  readonly source: Source
  readonly amount: bigint
  readonly renews_at: Date
  readonly at: Date
}

const entryOf = (row: EntryRow): Entry => ({
  reference: row.reference,
  kind: row.kind,
  source: row.source,
  amount: Number(row.amount),
  renewsAtMs: row.renews_at.getTime(),
  atMs: row.at.getTime()
})

const accountsJson = ({ accounts }: MoveRows): string =>
  JSON.stringify(
    Array.from(accounts, ([organizationId, account]) => ({
      organization_id: organizationId,
      pack: account.pack,
      next_pack: account.nextPack,
      allowance: account.allowance,
      purchased: account.purchased,
      overage_used: account.overageUsed,
      overage_cap: account.overageCap,
      renews_at: new Date(account.renewsAtMs)
    }))
  )

const entriesJson = ({ entries }: MoveRows): string =>
  JSON.stringify(
    entries.map((entry) => ({
      organization_id: entry.organizationId,
      reference: entry.reference,
      kind: entry.kind,
      source: entry.source,
      amount: entry.amount,
      renews_at: new Date(entry.renewsAtMs),
      at: new Date(entry.atMs)
    }))
  )

const usageJson = ({ usage }: MoveRows): string =>
  JSON.stringify(
    usage.map(({ charge, paid }) => ({
      organization_id: charge.organizationId,
      request_id: charge.requestId,
      operation: charge.operation,
      cost: charge.cost,
      status: usageStatus,
      caller: charge.caller,
      source: charge.source,
      tool: charge.tool,
      person: charge.person,
      at: new Date(charge.atMs),
      paid_from: paid?.source,
      renews_at: paid && new Date(paid.renewsAtMs)
    }))
  )
