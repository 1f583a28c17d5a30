import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { codesLaws } from "../kit/codesLaws.ts"
import { libraries } from "../kit/libraries.ts"

for (const [name, library] of libraries) {
  describe(`codes in ${name}`, () => {
    for (const law of codesLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
