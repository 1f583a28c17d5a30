import { layer } from "@effect/vitest"
import { limitsLaws } from "coverage-policy/kit"
import { describe } from "vitest"
import * as Mine from "./Limits.ts"

describe("Limits of my own, under vitest", () => {
  layer(Mine.layer)((it) => {
    for (const { says, check } of limitsLaws) it.effect(says, () => check)
  })
})
