import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { complete, renew } from "../../core/idempotency/record.ts"
import type { ChargeDecision, ChargeMove } from "../../core/organization/credit.ts"
import { charge as chargeAccount } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { WriteRejected, WorkResult, Write, WriteResult } from "../../core/port/Transactions.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import type { AccountState } from "./AccountStates.ts"
import { AccountStates, keep } from "./AccountStates.ts"
import { CommitHooks, UndoLog } from "./change.ts"
import { recordOf, Records } from "./Records.ts"

/** Transactions in the process: one at a time, and what one changed is taken back when it does not commit. */
export const layer = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const stores = { accounts: yield* AccountStates, records: yield* Records }
    const turn = yield* Semaphore.make(1)
    return Transactions.of({
      write: (write) => turn.withPermit(perform(stores, write)),
      precheck: (write) => Effect.map(Clock.currentTimeMillis, (nowMs) => reject(stores, write, nowMs))
    })
  })
)

interface Stores {
  readonly accounts: AccountStates["Service"]
  readonly records: Records["Service"]
}

const perform = <Value, E, R>(
  stores: Stores,
  write: Write<Value, E, R>
): Effect.Effect<WriteResult<Value>, E, R> =>
  Effect.suspend(() => {
    const undoing: Array<() => void> = []
    const committing: Array<Effect.Effect<void>> = []
    const work = Effect.flatMap(write.work, (worked) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => commit(stores, write, worked, nowMs))
    )
    const joined = Effect.provideService(work, UndoLog, undoing)
    return Effect.onExit(Effect.provideService(joined, CommitHooks, committing), (exit) =>
      Exit.isSuccess(exit) && exit.value._tag === "Committed"
        ? Effect.all(committing, { discard: true })
        : Effect.sync(() => undoing.reverse().forEach((undo) => undo()))
    )
  })

/** Why the write is rejected, as far as is known now; undefined: it is not. */
const reject = (
  stores: Stores,
  { claim, charge }: Pick<Write<unknown, unknown>, "claim" | "charge">,
  nowMs: number
): WriteRejected | undefined => {
  if (claim !== undefined) {
    const [settled] = renew(recordOf(stores.records, claim.recordId).record, { fence: claim.fence, nowMs })
    if (settled === "stale") return { _tag: "Stale" }
  }
  const decision = charge && decided(stores, charge)
  return decision?._tag === "Exhausted" ? decision : undefined
}

/** The end of a write, in one step: nothing can come between its parts. */
const commit = <Value>(
  stores: Stores,
  write: Pick<Write<unknown, unknown>, "claim" | "charge">,
  worked: WorkResult<Value>,
  nowMs: number
): WriteResult<Value> => {
  if (worked._tag === "Undo") return { _tag: "Undone", value: worked.value }
  const rejected = reject(stores, write, nowMs)
  if (rejected !== undefined) return rejected
  const { claim, charge } = write
  if (claim !== undefined) {
    const { record, begunMs } = recordOf(stores.records, claim.recordId)
    const [, done] = complete(record, { fence: claim.fence, answer: worked.answer, nowMs })
    stores.records.set(claim.recordId, { record: done, begunMs })
  }
  return { _tag: "Committed", value: worked.value, available: charge && take(stores, charge) }
}

const take = ({ accounts }: Stores, charge: Charge): number | undefined => {
  const state = accounts.organizations.get(charge.organizationId)
  if (state === undefined) return undefined
  const { decision, ...move } = charged(state, charge)
  keep(state, move)
  if (move.entries.length > 0) state.usage.push(charge)
  return decision.available
}

const decided = ({ accounts }: Stores, charge: Charge): ChargeDecision => {
  const state = accounts.organizations.get(charge.organizationId)
  return state === undefined
    ? { _tag: "Exhausted", required: charge.cost, available: 0 }
    : charged(state, charge).decision
}

const charged = (state: AccountState, charge: Charge): ChargeMove =>
  chargeAccount(state.account, {
    ...charge,
    nowMs: charge.atMs,
    earlier: state.entries.filter(({ reference }) => reference === charge.requestId)
  })
