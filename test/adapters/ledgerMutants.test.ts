import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { Ledger } from "../../core/port/Ledger.ts"
import { memoryAccounts } from "../kit/accounts.ts"
import { ledgerLaws, sharedLedgerLaws } from "../kit/ledgerLaws.ts"
import { ledgerMutants } from "../kit/mutants/ledger.ts"

const laws = [...ledgerLaws, ...sharedLedgerLaws]

/** The laws that a memory ledger breaks once it is spoiled. */
const broken = Effect.fnUntraced(function* (spoil: (right: Ledger["Service"]) => Ledger["Service"]) {
  const spoiled = Layer.effect(Ledger, Effect.map(Ledger, spoil)).pipe(Layer.provideMerge(memoryAccounts))
  const exits = yield* Effect.forEach(laws, ({ check }) => Effect.exit(Effect.provide(check, spoiled)))
  return laws.flatMap(({ says }, index) => (Exit.isFailure(exits[index] ?? Exit.void) ? [says] : []))
})

const killers = new Set<string>()

describe("the laws of the ledger notice a ledger that", () => {
  for (const { says, spoil } of ledgerMutants) {
    it.live(says, () =>
      Effect.gen(function* () {
        const by = yield* broken(spoil)
        by.forEach((law) => killers.add(law))
        expect(by).not.toEqual([])
      })
    )
  }

  it.live("is right, and then they keep quiet", () =>
    Effect.gen(function* () {
      expect(yield* broken((right) => right)).toEqual([])
    })
  )

  it("is wrong in any way: each law noticed one of these", () => {
    expect(laws.map(({ says }) => says).filter((says) => !killers.has(says))).toEqual([])
  })
})
