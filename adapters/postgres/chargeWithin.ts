import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { quickCharge } from "./quickCharge.ts"
import { settleCharges } from "./settleCharges.ts"

/**
 * Charges inside the open transaction, past the group commit, whose own COMMIT would stand when this one
 * falls. The account stays locked until the transaction ends, and every flush waits for it: so it comes last,
 * and soon commits.
 */
export const chargeWithin = Effect.fnUntraced(function* (sql: SqlClient, charge: Charge) {
  const [quick] = yield* quickCharge(sql, [charge])
  if (quick !== undefined) return quick
  const [settled] = yield* settleCharges(sql, [charge])
  return settled ?? exhausted(charge)
})

const exhausted = ({ cost }: Charge): ChargeDecision => ({ _tag: "Exhausted", required: cost, available: 0 })
