import * as Result from "effect/Result"

/** Returns the value of a JSON text, or undefined if the text is not JSON. */
export const parseJsonText = (text: string): unknown =>
  Result.getOrElse(
    Result.try(() => JSON.parse(text) as unknown),
    () => undefined
  )
