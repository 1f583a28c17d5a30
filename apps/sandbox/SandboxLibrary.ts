import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Crypto } from "../../core/port/Crypto.ts"
import { SandboxLibrary } from "../../core/port/SandboxLibrary.ts"

/** The authored fixtures as the sandbox's library. Their readers are loaded only when a call needs them. */
export const layer = Layer.effect(
  SandboxLibrary,
  Effect.map(Effect.context<Crypto>(), (crypto) => ({
    build: Effect.promise(() => import("./library.ts")).pipe(
      Effect.flatMap(({ sandboxLibrary }) => Effect.scoped(Layer.build(sandboxLibrary))),
      Effect.provideContext(crypto)
    )
  }))
)
