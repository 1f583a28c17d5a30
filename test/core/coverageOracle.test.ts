import * as Effect from "effect/Effect"
import { describe, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import { CoverageDecider, coverageDecisionLaws } from "../kit/coverageDecisionLaws.ts"

describe("a coverage decision (coverage-domain §2.1)", () => {
  for (const { says, check } of coverageDecisionLaws) {
    it(says, () => Effect.runPromise(Effect.provideService(check, CoverageDecider, { decide })))
  }
})
