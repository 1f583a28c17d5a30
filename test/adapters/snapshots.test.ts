import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { libraries } from "../kit/libraries.ts"
import { snapshotsLaws } from "../kit/snapshotsLaws.ts"

for (const [name, library] of libraries) {
  describe(`snapshots in ${name}`, () => {
    for (const law of snapshotsLaws) it.live(law.says, () => Effect.provide(law.check, library))
  })
}
