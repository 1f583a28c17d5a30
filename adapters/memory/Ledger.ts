import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Entry } from "../../core/organization/Account.ts"
import * as credit from "../../core/organization/credit.ts"
import { renew } from "../../core/organization/renewal.ts"
import { statementOf, tally } from "../../core/organization/statement.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { AccountState } from "./AccountStates.ts"
import { AccountStates, keep } from "./AccountStates.ts"

/** The ledger in the process: the kernel folded over what comes, nothing else. */
export const layer = Layer.effect(
  Ledger,
  Effect.map(AccountStates, ({ organizations, endings }) =>
    Ledger.of({
      charge: (charge) =>
        Effect.sync(() => {
          const state = organizations.get(charge.organizationId)
          if (state === undefined) return { _tag: "Exhausted", required: charge.cost, available: 0 }
          const earlier = entriesOf(state, charge.requestId)
          const move = credit.charge(state.account, { ...charge, nowMs: charge.atMs, earlier })
          keep(state, move)
          if (move.decision._tag === "Charged" && earlier.length === 0) state.usage.push(charge)
          return move.decision
        }),
      refund: ({ organizationId, requestId, atMs }) =>
        Effect.sync(() => {
          const state = organizations.get(organizationId)
          if (state === undefined) return false
          const move = credit.refund(state.account, {
            requestId,
            nowMs: atMs,
            earlier: entriesOf(state, requestId)
          })
          keep(state, move)
          return move.refunded
        }),
      ended: ({ organizationId, requestId, status }) =>
        Effect.sync(() => {
          const used = organizations.get(organizationId)?.usage.some((call) => call.requestId === requestId)
          if (used === true && status !== usageStatus && !endings.has(requestId))
            endings.set(requestId, status)
        }),
      // What a process leaves open goes with it, and its refunds do not fail.
      sweep: Effect.succeed(0),
      grant: ({ organizationId, amount, grantId, atMs }) =>
        Effect.sync(() => {
          const state = organizations.get(organizationId)
          if (state === undefined) return undefined
          const earlier = entriesOf(state, credit.grantReference(grantId))
          keep(state, credit.grant(state.account, { grantId, amount, nowMs: atMs, earlier }))
          return statementOf({ account: state.account, written: tally(state.entries), nowMs: atMs })
        }),
      account: ({ organizationId, nowMs }) =>
        Effect.sync(() => {
          const state = organizations.get(organizationId)
          return state && renew(state.account, nowMs).account
        }),
      statement: ({ organizationId, nowMs }) =>
        Effect.sync(() => {
          const state = organizations.get(organizationId)
          return state && statementOf({ account: state.account, written: tally(state.entries), nowMs })
        })
    })
  )
)

const entriesOf = (state: AccountState, reference: string): ReadonlyArray<Entry> =>
  state.entries.filter((entry) => entry.reference === reference)
