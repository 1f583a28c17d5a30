import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { libraries } from "../kit/libraries.ts"
import { ncdCodesLaws } from "../kit/ncdCodesLaws.ts"

for (const [name, library] of libraries) {
  describe(`NCD codes in ${name}`, () => {
    for (const law of ncdCodesLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
