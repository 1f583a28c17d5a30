import * as Layer from "effect/Layer"
import { decide } from "../../core/coverage/decide/decide.ts"
import { CoverageDecider, coverageDecisionLaws } from "../kit/coverageDecisionLaws.ts"
import type { Decide } from "../kit/coverageDecisionLaws.ts"
import { coverageDecisionMutants } from "../kit/mutants/coverageDecision.ts"
import { lawsTrial } from "./trial.ts"

const deciding = (each: Decide) => Layer.succeed(CoverageDecider, { decide: each })

lawsTrial({
  of: "coverage decisions",
  laws: coverageDecisionLaws,
  mutants: Object.entries(coverageDecisionMutants).map(([says, plant]) => ({
    says,
    planted: deciding(plant(decide))
  })),
  sound: deciding(decide)
})
