import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Addresses } from "../../core/port/Addresses.ts"
import type { Resolution } from "../../core/port/Addresses.ts"

/**
 * Names as `answers` tells them, asked anew each time: what answers differently the second time is rebinding.
 * The standard answer is that no name exists.
 */
export const layer = (
  answers: (name: string) => Resolution = () => ({ _tag: "Unresolved" })
): Layer.Layer<Addresses> => Layer.succeed(Addresses, { resolve: (name) => Effect.sync(() => answers(name)) })
