import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { claimEditsLaws } from "../kit/claimEditsLaws.ts"
import { libraries } from "../kit/libraries.ts"

for (const [name, library] of libraries) {
  describe(`claim edits in ${name}`, () => {
    for (const law of claimEditsLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
