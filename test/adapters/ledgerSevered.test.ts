import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { postgresAt } from "../stores/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { freshDatabase } from "../kit/postgres.ts"
import type { Cut } from "../kit/severed.ts"
import { severedWay } from "../kit/severed.ts"

/** A charge whose answer is lost, and what the store says of it afterwards by a way that was never cut. */
const charged = (cut: Cut, cost: number) =>
  Effect.gen(function* () {
    const connection = yield* freshDatabase
    if (!("folder" in connection)) return yield* Effect.die("the run's PostgreSQL has no socket in a folder")
    const severed = yield* severedWay(connection)
    return yield* Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "build" })
      const outcome = yield* Effect.andThen(severed.cut(cut), one(organizationId, cost)).pipe(
        Effect.provide(postgresAt(severed.way))
      )
      const ledger = yield* Ledger
      return { outcome, statement: yield* ledger.statement({ organizationId, nowMs: beganMs }) }
    }).pipe(Effect.provide(postgresAt(connection)))
  })

const one = (organizationId: OrganizationId, cost: number) =>
  Effect.flatMap(Ledger, ({ charge }) =>
    Effect.match(charge(chargeOf(organizationId, { cost })), {
      onSuccess: (decision) => decision,
      onFailure: ({ fault }) => fault
    })
  )

describe("law 6: a charge whose answer is lost", () => {
  it.live("is settled by its request id when the store can be asked again", () =>
    Effect.gen(function* () {
      const { outcome, statement } = yield* charged({ saying: "with paid", forGood: false }, 8)
      expect(outcome).toEqual({ _tag: "Charged", available: 100_092 })
      expect(statement).toMatchObject({ charged: 8, balance: 100_092 })
    })
  )

  it.live("is settled in the same way when the kernel had decided and COMMIT was lost", () =>
    Effect.gen(function* () {
      const { outcome, statement } = yield* charged({ saying: "COMMIT", forGood: false }, 100_050)
      expect(outcome).toEqual({ _tag: "Charged", available: 50 })
      expect(statement).toMatchObject({ charged: 100_050, balance: 50 })
    })
  )

  it.live("is an unknown outcome when the store is gone for good, though it was charged", () =>
    Effect.gen(function* () {
      const { outcome, statement } = yield* charged({ saying: "with paid", forGood: true }, 8)
      expect(outcome).toBe("unknown_outcome")
      expect(statement).toMatchObject({ charged: 8 })
    })
  )
})
