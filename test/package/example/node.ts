import { describe, it } from "node:test"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { limitsLaws } from "coverage-policy/kit/limitsLaws"
import * as Mine from "./Limits.ts"

describe("Limits of my own, under node:test", () => {
  for (const { says, check } of limitsLaws)
    it(says, () =>
      Effect.runPromise(Effect.provide(check, Layer.fresh(Layer.merge(Mine.layer, TestClock.layer()))))
    )
})
