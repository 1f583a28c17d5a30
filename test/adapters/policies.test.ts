import { it } from "@effect/vitest"
import { describe } from "vitest"
import * as Effect from "effect/Effect"
import { policiesLaws } from "../kit/policiesLaws.ts"
import { libraries } from "../kit/libraries.ts"

for (const [name, library] of libraries) {
  describe(`policies in ${name}`, () => {
    for (const law of policiesLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
