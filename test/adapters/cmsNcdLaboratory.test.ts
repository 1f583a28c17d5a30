import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { contentsAt, editedFixture, newestOf } from "../kit/cmsFixtures.ts"

describe("a national determination in ncd_trkg.csv (coverage-domain §2.1, rule 4)", () => {
  it.live("states whether it is a laboratory determination, and nothing where the column is absent", () =>
    Effect.gen(function* () {
      const flagOf = Effect.fnUntraced(function* (change: (text: string) => string) {
        const contents = yield* contentsAt(yield* editedFixture("mcd", { ncd_trkg: change }))
        return newestOf(contents).get("NCD 280.6")?.laboratory
      })
      const header = (name: string) => (text: string) => text.replace("NCD_lab", name)
      expect(yield* flagOf((text) => text)).toBe(false)
      expect(yield* flagOf((text) => text.replaceAll(",False,,False", ",True,,False"))).toBe(true)
      expect(yield* flagOf(header("other"))).toBeUndefined()
      const fault = yield* Effect.flip(flagOf((text) => text.replaceAll(",False,,False", ",maybe,,False")))
      expect(fault).toMatchObject({ line: 2, reason: "NCD_lab is neither True nor False" })
    }).pipe(Effect.scoped)
  )
})
