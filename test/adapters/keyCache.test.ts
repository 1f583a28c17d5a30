import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect } from "vitest"
import { rules } from "../../adapters/postgres/CachedKeys.ts"
import { keyCacheChecks } from "../kit/keyCacheChecks.ts"
import { keyCacheMutants } from "../kit/mutants/keyCache.ts"

describe("keys behind a cache (contract §1, Keys)", () => {
  for (const { says, check } of keyCacheChecks) it.live(says, () => check(rules))
})

describe("the checks of the key cache notice a cache that", () => {
  for (const { says, by, kills } of keyCacheMutants) {
    it.live(says, () =>
      Effect.gen(function*() {
        const killer = keyCacheChecks.find((each) => each.says === kills)
        expect(Exit.isFailure(yield* Effect.exit(killer?.check(by) ?? Effect.void))).toBe(true)
      }))
  }
})
