import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import {
  away,
  awayMutants,
  failingLaws,
  failingMutants,
  failingStore,
  limitsThatOwe
} from "../kit/failingLimits.ts"
import { awayLaws, limitsLaws } from "../kit/limitsLaws.ts"
import { faultless, limitsMutants } from "../kit/mutants/limits.ts"
import type { LimitsMutant } from "../kit/mutants/limits.ts"
import { lawsTrial } from "./trial.ts"

const planted = (mutants: ReadonlyArray<LimitsMutant>) =>
  mutants.map(({ name, kills, layer }) => ({
    says: name,
    kills,
    planted: Layer.merge(layer, TestClock.layer())
  }))

lawsTrial({
  of: "the limits",
  laws: limitsLaws,
  mutants: planted(limitsMutants),
  sound: Layer.merge(faultless, TestClock.layer())
})

lawsTrial({ of: "limits that are unavailable", laws: awayLaws, mutants: planted(awayMutants), sound: away })

lawsTrial({
  of: "limits whose store fails",
  laws: failingLaws(failingStore),
  mutants: planted(failingMutants),
  sound: Layer.merge(limitsThatOwe, TestClock.layer())
})
