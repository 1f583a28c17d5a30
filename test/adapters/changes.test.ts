import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { changesLaws } from "../kit/changesLaws.ts"
import { libraries } from "../kit/libraries.ts"

for (const [name, library] of libraries) {
  describe(`changes in ${name}`, () => {
    for (const law of changesLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
