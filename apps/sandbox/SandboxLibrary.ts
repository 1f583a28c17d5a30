import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { Crypto } from "../../core/port/Crypto.ts"
import type { Signatures } from "../../core/port/Signatures.ts"
import { SandboxLibrary } from "../../core/port/SandboxLibrary.ts"

/**
 * The authored fixtures as the sandbox's library. Their readers are loaded only when a call needs them. What
 * is acknowledged of their changes is in the store that all processes share.
 */
export const layer = Layer.effect(
  SandboxLibrary,
  Effect.map(Effect.context<Acknowledgements | Crypto | Signatures>(), (shared) => ({
    build: Effect.promise(() => import("./release.ts")).pipe(
      Effect.flatMap(({ certifiedLibrary }) => Effect.scoped(Layer.build(certifiedLibrary))),
      Effect.provideContext(shared)
    )
  }))
)
