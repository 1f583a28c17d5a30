import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { medicare } from "../../core/coverage/Payer.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Library } from "./Library.ts"

/** Payers and jurisdictions, kept in the process. */
export const layer = Layer.effect(
  Payers,
  Effect.map(Library, ({ jurisdictions, payers }) =>
    Payers.of({
      list: Effect.sync(() =>
        [...new Map([[medicare.code, medicare], ...payers]).values()].toSorted((a, b) =>
          a.code < b.code ? -1 : 1
        )
      ),
      jurisdictions: Effect.sync(() =>
        [...jurisdictions.values()].toSorted((a, b) => (a.jurisdictionCode < b.jurisdictionCode ? -1 : 1))
      )
    })
  )
)
