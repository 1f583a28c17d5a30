/** A line of the file as it stands there, or what is wrong with it. */
export type Line =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "NotText" | "TooLong" | "Unended" }

/** The head of a release that lists ten thousand sources has this many bytes; a record has a thousandth. */
export const lineBytesMax = 2 * 1024 * 1024

const newline = 0x0a

/**
 * The lines of a file, told apart by their bytes alone and decoded without mercy: nothing is dropped, mended
 * or taken for the end of a line that is none. After a line that is wrong no other comes.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let rest = new Uint8Array(0)
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const line = decoded(joined(rest, chunk.subarray(from, at)))
      yield line
      if (line._tag !== "Line") return
      rest = new Uint8Array(0)
      from = at + 1
    }
    rest = joined(rest, chunk.subarray(from))
    if (rest.length > lineBytesMax) return yield { _tag: "TooLong" }
  }
  if (rest.length > 0) yield { _tag: "Unended" }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decoded = (bytes: Uint8Array): Line => {
  if (bytes.length > lineBytesMax) return { _tag: "TooLong" }
  try {
    return { _tag: "Line", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "NotText" }
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
