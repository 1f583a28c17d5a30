import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Jurisdictions } from "../../core/port/Jurisdictions.ts"
import { Library } from "./Library.ts"

/** The jurisdictions kept in the process. */
export const layer = Layer.effect(
  Jurisdictions,
  Effect.map(Library, ({ jurisdictions }) =>
    Jurisdictions.of({
      list: Effect.sync(() =>
        [...jurisdictions.values()].toSorted((a, b) => (a.jurisdictionCode < b.jurisdictionCode ? -1 : 1))
      )
    })
  )
)
