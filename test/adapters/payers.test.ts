import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { payersLaws } from "../kit/payersLaws.ts"
import { libraries } from "../kit/libraries.ts"

for (const [name, library] of libraries) {
  describe(`payers in ${name}`, () => {
    for (const law of payersLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
