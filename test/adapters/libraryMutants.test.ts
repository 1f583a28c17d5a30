import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { codesLaws } from "../kit/codesLaws.ts"
import type { Law } from "../kit/Law.ts"
import { codesMutants, policiesMutants, snapshotsMutants } from "../kit/mutants/library.ts"
import { policiesLaws } from "../kit/policiesLaws.ts"
import { snapshotsLaws } from "../kit/snapshotsLaws.ts"

/** Some law refuses the store. */
const isRefused = <R>(laws: ReadonlyArray<Law<R>>, store: Layer.Layer<R>) =>
  Effect.gen(function* () {
    for (const law of laws) {
      const exit = yield* Effect.exit(Effect.provide(law.check, store))
      if (Exit.isFailure(exit)) return true
    }
    return false
  })

const refuses = <R>(laws: ReadonlyArray<Law<R>>, mutants: Readonly<Record<string, Layer.Layer<R>>>) => {
  for (const [name, store] of Object.entries(mutants)) {
    it.live(`refuse a store that ${name}`, () =>
      Effect.map(isRefused(laws, store), (refused) => expect(refused).toBe(true))
    )
  }
}

describe("the laws of policies", () => refuses(policiesLaws, policiesMutants))
describe("the laws of codes", () => refuses(codesLaws, codesMutants))
describe("the laws of snapshots", () => refuses(snapshotsLaws, snapshotsMutants))
