import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { memoryAccounts } from "../kit/accounts.ts"
import { absentAccounts, postgresAccounts } from "../stores/accounts.ts"
import { absentLedgerLaws, ledgerLaws, sharedLedgerLaws } from "../kit/ledgerLaws.ts"

const live = { excludeTestServices: true }

describe("Ledger", () => {
  layer(memoryAccounts, live)("in memory", (it) => {
    for (const law of [...ledgerLaws, ...sharedLedgerLaws]) it.effect(law.says, () => law.check)
  })
  layer(postgresAccounts, live)("in PostgreSQL", (it) => {
    for (const law of [...ledgerLaws, ...sharedLedgerLaws]) it.effect(law.says, () => law.check)
  })
  layer(absentAccounts, live)("without its PostgreSQL", (it) => {
    for (const law of absentLedgerLaws) it.effect(law.says, () => law.check)
  })
})
