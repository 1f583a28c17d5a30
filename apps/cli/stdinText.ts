import * as Effect from "effect/Effect"
import { Terminal } from "./Terminal.ts"

/** A credential must fit into a header, and Node ends those at 16 KiB. */
export const keyLengthMax = 8_192

/**
 * What stands on standard input up to its end, or from a terminal up to the first Enter, which is asked for;
 * what goes beyond any key is not read.
 */
export const stdinText = (asks: string) =>
  Effect.flatMap(Terminal, ({ stderr, stdin }) =>
    Effect.callback<string>((resume) => {
      if (stdin.isTTY) stderr.write(asks)
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
  )
