import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "../../core/port/Ledger.ts"
import { memoryAccounts } from "../kit/accounts.ts"
import { ledgerLaws, sharedLedgerLaws } from "../kit/ledgerLaws.ts"
import { ledgerMutants } from "../kit/mutants/ledger.ts"
import { lawsTrial } from "./trial.ts"

const spoiled = (spoil: (right: Ledger["Service"]) => Ledger["Service"]) =>
  Layer.effect(Ledger, Effect.map(Ledger, spoil)).pipe(Layer.provideMerge(memoryAccounts))

lawsTrial({
  of: "the ledger",
  laws: [...ledgerLaws, ...sharedLedgerLaws],
  mutants: ledgerMutants.map(({ says, spoil }) => ({ says, planted: spoiled(spoil) })),
  sound: memoryAccounts
})
