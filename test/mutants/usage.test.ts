import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "../../core/port/Ledger.ts"
import { Usage } from "../../core/port/Usage.ts"
import type { UsageVerbs } from "../kit/mutants/usage.ts"
import { usageMutants } from "../kit/mutants/usage.ts"
import { usageLaws } from "../kit/usageLaws.ts"
import { memoryUsage } from "../kit/usages.ts"
import { lawsTrial } from "./trial.ts"

const spoiled = (spoil: (right: UsageVerbs) => UsageVerbs) =>
  Layer.effectContext(
    Effect.map(Effect.all({ ledger: Ledger, usage: Usage }), (right) => {
      const wrong = spoil(right)
      return Context.make(Ledger, wrong.ledger).pipe(Context.add(Usage, wrong.usage))
    })
  ).pipe(Layer.provideMerge(memoryUsage))

lawsTrial({
  of: "usage",
  laws: usageLaws,
  mutants: usageMutants.map(({ says, spoil }) => ({ says, planted: spoiled(spoil) })),
  sound: memoryUsage
})
