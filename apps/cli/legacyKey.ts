import * as Effect from "effect/Effect"
import type { ApiKey } from "../../core/key/Key.ts"
import { isLegacyKey } from "../../core/key/Key.ts"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"

/** A credential must fit into a header, and Node ends those at 16 KiB. */
const keyLengthMax = 8_192

/**
 * The legacy key on stdin (contract §4, `keys adopt`): never an argument, which other users of the machine
 * can read.
 */
export const readLegacyKey: Effect.Effect<ApiKey, CommandRefused> = Effect.suspend(() => {
  if (process.stdin.isTTY) process.stderr.write("Paste the legacy key and press Enter: ")
  return Effect.flatMap(stdinText, (text) => {
    const key = text.trim()
    if (key === "")
      return refuse("VALIDATION_REQUIRED_FIELD", "The legacy key must be given on standard input.")
    if (!isLegacyKey(key))
      return refuse("VALIDATION_INVALID_FORMAT", "A legacy key begins with vrt_ and goes on.")
    return key.length > keyLengthMax || /\s/.test(key)
      ? refuse("VALIDATION_INVALID_FORMAT", "Standard input must hold one key and nothing else.")
      : Effect.succeed(key)
  })
})

/** Up to the end, or from a terminal up to the first Enter; what goes beyond any key is not read. */
const stdinText = Effect.callback<string>((resume) => {
  const { stdin } = process
  let text = ""
  const finish = () => {
    stop()
    resume(Effect.succeed(text))
  }
  const take = (chunk: string) => {
    text += chunk
    if (text.length > keyLengthMax + 2 || (stdin.isTTY && text.includes("\n"))) finish()
  }
  const stop = () => {
    stdin.off("data", take).off("end", finish).off("error", finish)
    stdin.destroy()
  }
  stdin.setEncoding("utf8").on("data", take).on("end", finish).on("error", finish)
  return Effect.sync(stop)
})
