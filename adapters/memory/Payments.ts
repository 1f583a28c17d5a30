import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Payments } from "../../core/port/Payments.ts"
import { Settings } from "../../core/port/Settings.ts"

/** Without a seller: whoever wants credits or another pack is told whom to ask. */
export const layer = Layer.effect(
  Payments,
  Effect.map(Settings, ({ supportUrl }) =>
    Payments.of({ offers: () => Effect.succeed({ _tag: "AskSupport", url: supportUrl }) })
  )
)
