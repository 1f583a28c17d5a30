import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { awayLaws, limitsLaws } from "../kit/limitsLaws.ts"
import { faultless, limitsMutants } from "../kit/mutants/limits.ts"

const laws = [...limitsLaws, ...awayLaws]

describe("each wrong adapter of Limits is found by its law", () => {
  for (const { says, check } of limitsLaws) {
    it.effect(`without a fault it holds: ${says}`, () => Effect.provide(check, faultless))
  }

  for (const { name, kills, layer } of limitsMutants) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const law = laws.find(({ says }) => says === kills)
        if (law === undefined) return expect.unreachable(`no law says: ${kills}`)
        const exit = yield* Effect.exit(Effect.provide(law.check, layer))
        expect(exit._tag).toBe("Failure")
      })
    )
  }
})
