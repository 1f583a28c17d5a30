import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConfigRefused, readConfig } from "../http/config.ts"
import type * as Layers from "../http/layers.ts"
import { CommandRefused } from "./CommandRefused.ts"
import type { Streams } from "./Terminal.ts"
import { Terminal } from "./Terminal.ts"

/** The ports a command may use. */
export type Ports =
  | Layer.Success<ReturnType<typeof Layers.stores>>
  | Layer.Success<ReturnType<typeof Layers.settings>>

/**
 * Runs what reads the environment; what is wrong with it is refused in the sentence that names the variable.
 */
export const configValue = <A>(
  read: (environment: Streams["environment"]) => A
): Effect.Effect<A, CommandRefused> =>
  Effect.flatMap(Terminal, ({ environment }) => {
    try {
      return Effect.succeed(read(environment))
    } catch (error) {
      if (!(error instanceof ConfigRefused)) throw error
      return Effect.fail(new CommandRefused({ code: "CONFIG_INVALID", message: error.message }))
    }
  })

/**
 * Gives a command the same stores as a running server has. They are opened last and loaded only here: a
 * command that is wrong, or needs none, says so without them.
 */
export const overStores = <A, E, R extends Ports>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const config = yield* configValue(readConfig)
    const { settings, stores } = yield* Effect.promise(() => import("../http/layers.ts"))
    return yield* Effect.provide(command, Layer.provideMerge(stores(config, "command"), settings(config)))
  })
