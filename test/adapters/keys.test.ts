import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { memoryAccounts } from "../kit/accounts.ts"
import { absentAccounts, postgresAccounts } from "../stores/accounts.ts"
import { absentCachedAccounts, cachedAccounts } from "../kit/keyProcess.ts"
import { assignLaws } from "../kit/assignLaws.ts"
import { absentKeysLaws, keysLaws, promptKeysLaws, sharedKeysLaws } from "../kit/keysLaws.ts"

const live = { excludeTestServices: true }

describe("Keys", () => {
  layer(memoryAccounts, live)("in memory", (it) => {
    for (const law of [...keysLaws, ...assignLaws, ...sharedKeysLaws, ...promptKeysLaws])
      it.effect(law.says, () => law.check)
  })
  layer(postgresAccounts, live)("in PostgreSQL", (it) => {
    for (const law of [...keysLaws, ...assignLaws, ...sharedKeysLaws, ...promptKeysLaws])
      it.effect(law.says, () => law.check)
  })
  layer(cachedAccounts, live)("in PostgreSQL behind a cache", (it) => {
    for (const law of [...keysLaws, ...assignLaws, ...promptKeysLaws]) it.effect(law.says, () => law.check)
  })
  layer(absentCachedAccounts, live)("behind a cache without its PostgreSQL", (it) => {
    for (const law of absentKeysLaws) it.effect(law.says, () => law.check)
  })
  layer(absentAccounts, live)("without its PostgreSQL", (it) => {
    for (const law of absentKeysLaws) it.effect(law.says, () => law.check)
  })
})
