import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { libraries } from "../kit/libraries.ts"
import { priorAuthListsLaws } from "../kit/priorAuthListsLaws.ts"

for (const [name, library] of libraries) {
  describe(`prior authorization lists in ${name}`, () => {
    for (const law of priorAuthListsLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
