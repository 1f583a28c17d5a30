import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "../../core/port/Ledger.ts"
import { Elsewhere } from "../kit/accounts.ts"
import { doomedAccounts } from "../kit/doomed.ts"
import { unansweredMutants } from "../kit/mutants/unanswered.ts"
import { DoomedProcess, unansweredLaws } from "../kit/unansweredLaws.ts"
import { lawsTrial } from "./trial.ts"

/** Every process is spoiled in the same way, as by a mistake in the adapter. */
const spoiled = (spoil: (right: Ledger["Service"]) => Ledger["Service"]) =>
  Layer.mergeAll(
    Layer.effect(Ledger, Effect.map(Ledger, spoil)),
    Layer.effect(
      Elsewhere,
      Effect.map(Elsewhere, (there) => Context.add(there, Ledger, spoil(Context.get(there, Ledger))))
    ),
    Layer.effect(
      DoomedProcess,
      Effect.map(DoomedProcess, ({ start }) => ({
        start: Effect.map(start, (doomed) => ({ ...doomed, ledger: spoil(doomed.ledger) }))
      }))
    )
  ).pipe(Layer.provideMerge(doomedAccounts))

lawsTrial({
  of: "charges whose call never answered",
  laws: unansweredLaws,
  mutants: unansweredMutants.map(({ says, spoil }) => ({ says, planted: spoiled(spoil) })),
  sound: doomedAccounts
})
