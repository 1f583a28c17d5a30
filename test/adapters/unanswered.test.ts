import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { doomedAccounts } from "../kit/doomed.ts"
import { unansweredLaws } from "../kit/unansweredLaws.ts"

describe("contract §1 a charge whose call never answered", () => {
  layer(doomedAccounts, { excludeTestServices: true })("in PostgreSQL", (it) => {
    for (const law of unansweredLaws) it.effect(law.says, () => Effect.asVoid(law.check))
  })
})
