import * as Effect from "effect/Effect"
import type { ApiKey } from "../../core/key/Key.ts"
import { isLegacyKey } from "../../core/key/Key.ts"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"
import { keyLengthMax, stdinText } from "./stdinText.ts"

/**
 * The legacy key on stdin (contract §4, `keys adopt`): never an argument, which other users of the machine
 * can read.
 */
export const readLegacyKey: Effect.Effect<ApiKey, CommandRefused> = Effect.flatMap(
  stdinText("Paste the legacy key and press Enter: "),
  (text) => {
    const key = text.trim()
    if (key === "")
      return refuse("VALIDATION_REQUIRED_FIELD", "The legacy key must be given on standard input.")
    if (!isLegacyKey(key))
      return refuse("VALIDATION_INVALID_FORMAT", "A legacy key begins with vrt_ and goes on.")
    if (key.length > keyLengthMax || /\s/.test(key))
      return refuse("VALIDATION_INVALID_FORMAT", "Standard input must hold one key and nothing else.")
    return /^[\x21-\x7e]+$/.test(key)
      ? Effect.succeed(key)
      : refuse("VALIDATION_INVALID_FORMAT", "A legacy key is printable ASCII, as a header carries it.")
  }
)
