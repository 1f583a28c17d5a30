import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { memoryAccounts } from "../kit/accounts.ts"
import { postgresAccounts } from "../stores/accounts.ts"
import { organizationsLaws, sharedOrganizationsLaws } from "../kit/organizationsLaws.ts"

const live = { excludeTestServices: true }

describe("Organizations", () => {
  layer(memoryAccounts, live)("in memory", (it) => {
    for (const law of [...organizationsLaws, ...sharedOrganizationsLaws]) it.effect(law.says, () => law.check)
  })
  layer(postgresAccounts, live)("in PostgreSQL", (it) => {
    for (const law of [...organizationsLaws, ...sharedOrganizationsLaws]) it.effect(law.says, () => law.check)
  })
})
