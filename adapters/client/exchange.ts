import type { Fetch } from "./ClientSettings.ts"

/** An answer as it came, read to its end or to what is allowed of it. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Undefined: larger than is read. */
  readonly text: string | undefined
}

/** One attempt; rejects where the connection fails before the answer's end, or the signal ends it. */
export const exchange = async (
  asked: {
    readonly url: string
    readonly init: RequestInit
    readonly fetch: Fetch
    readonly answerBytesMax: number
  },
  signal: AbortSignal
): Promise<Reply> => {
  const response = await asked.fetch(asked.url, {
    ...asked.init,
    // A redirect is an answer like any other: the key goes to nobody else.
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal
  })
  const { headers, status } = response
  if (response.body === null) return { status, headers, text: "" }
  return { status, headers, text: await readText(response.body.getReader(), asked.answerBytesMax) }
}

/** Counts bytes as they are unpacked, so that a small answer cannot unpack into a huge one. */
const readText = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number
): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > bytesMax) {
      // Nobody waits for the sender to agree.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
