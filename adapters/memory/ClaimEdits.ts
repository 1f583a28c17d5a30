import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pairsAmong, unitsAmong } from "../../core/coverage/editsAmong.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Library } from "./Library.ts"

/** The NCCI tables, kept in the process. */
export const layer = Layer.effect(
  ClaimEdits,
  Effect.map(Library, ({ pairs, units }) =>
    ClaimEdits.of({
      among: (query) =>
        Effect.sync(() => ({
          pairs: pairsAmong(pairs.values(), query),
          units: unitsAmong(units.values(), query)
        }))
    })
  )
)
