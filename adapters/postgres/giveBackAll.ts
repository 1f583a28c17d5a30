import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Account } from "../../core/organization/Account.ts"
import { refund } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { unansweredStatus } from "../../core/organization/usage.ts"
import type { MoveRows } from "./accounts.ts"
import { earlierEntries, lockAccounts, writeMoves } from "./accounts.ts"
import { correctUsage } from "./endings.ts"
import type { OpenCall } from "./openCalls.ts"

/** One statement's worth. */
const chunkMax = 1_000

/**
 * Refunds many charges inside an open transaction, each as the kernel says, and marks their usage. Answers
 * the request ids that were given back: the rest were never charged, or refunded before.
 */
export const giveBackAll = Effect.fnUntraced(function* (
  sql: SqlClient,
  calls: ReadonlyArray<OpenCall>,
  atMs: number
) {
  const refunded = new Set<string>()
  if (calls.length === 0) return refunded
  const accounts = yield* lockAccounts(sql, [...new Set(calls.map(({ organizationId }) => organizationId))])
  for (let first = 0; first < calls.length; first += chunkMax) {
    const chunk = calls.slice(first, first + chunkMax)
    const asked = chunk.map(({ organizationId, requestId }) => ({ organizationId, reference: requestId }))
    const { back, writing } = fold(chunk, accounts, yield* earlierEntries(sql, asked), atMs)
    if (writing.accounts.size === 0) continue
    yield* writeMoves(sql, writing)
    yield* correctUsage(
      sql,
      back.map((call) => ({ ...call, status: unansweredStatus }))
    )
    for (const { requestId } of back) refunded.add(requestId)
  }
  return refunded
})

const fold = (
  calls: ReadonlyArray<OpenCall>,
  held: Map<OrganizationId, Account>,
  earlier: Effect.Success<ReturnType<typeof earlierEntries>>,
  atMs: number
): { readonly back: ReadonlyArray<OpenCall>; readonly writing: MoveRows } => {
  const accounts = new Map<OrganizationId, Account>()
  const entries: Array<MoveRows["entries"][number]> = []
  const back = calls.filter(({ organizationId, requestId }) => {
    const account = held.get(organizationId)
    if (account === undefined) return false
    const before = earlier({ organizationId, reference: requestId })
    const move = refund(account, { requestId, nowMs: atMs, earlier: before })
    if (!move.refunded) return false
    held.set(organizationId, move.account)
    accounts.set(organizationId, move.account)
    entries.push(...move.entries.map((entry) => ({ ...entry, organizationId })))
    return true
  })
  return { back, writing: { accounts, entries, usage: [] } }
}
