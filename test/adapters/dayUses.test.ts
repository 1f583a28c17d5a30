import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { memoryUsage } from "../kit/dayUses.ts"
import { absentUsage, postgresUsage } from "../stores/dayUses.ts"
import { absentDayUsesLaws, dayUsesLaws, sharedDayUsesLaws } from "../kit/dayUsesLaws.ts"

const live = { excludeTestServices: true }

describe("DayUses", () => {
  layer(memoryUsage, live)("in memory", (it) => {
    for (const law of [...dayUsesLaws, ...sharedDayUsesLaws]) it.effect(law.says, () => law.check)
  })
  layer(postgresUsage, live)("in PostgreSQL", (it) => {
    for (const law of [...dayUsesLaws, ...sharedDayUsesLaws]) it.effect(law.says, () => law.check)
  })
  layer(absentUsage, live)("without its PostgreSQL", (it) => {
    for (const law of absentDayUsesLaws) it.effect(law.says, () => law.check)
  })
})
