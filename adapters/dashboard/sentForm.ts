import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"

/** A form as it was sent. */
export interface SentForm {
  /** The value of a field without the spaces around it; "" if the field is absent or was sent twice. */
  readonly text: (name: string) => string
  /** The same with its spaces: a password. */
  readonly raw: (name: string) => string
}

/** Far more than any form of ours holds; a longer one is refused unread. */
export const formBytesMax = 64 * 1024

export const formOf = (values: URLSearchParams): SentForm => {
  const raw = (name: string): string => {
    const all = values.getAll(name)
    return all.length === 1 ? (all[0] ?? "") : ""
  }
  return { raw, text: (name) => raw(name).trim() }
}

/** Reads `application/x-www-form-urlencoded` of at most `formBytesMax` bytes in UTF-8, or says why not. */
export const readForm = (
  source: IncomingMessage
): Effect.Effect<SentForm | "format" | "tooLong" | "unreadable"> => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(source.headers["content-type"] ?? ""))
    return Effect.as(discard(source), "format")
  if (Number(source.headers["content-length"] ?? 0) > formBytesMax)
    return Effect.as(discard(source), "tooLong")
  return Effect.map(collect(source), (bytes) => {
    if (typeof bytes === "string") return bytes
    const text = decode(bytes)
    return text === undefined ? "unreadable" : formOf(new URLSearchParams(text))
  })
}

const discard = (source: IncomingMessage) => Effect.sync(() => void source.resume())

const collect = (source: IncomingMessage): Effect.Effect<Buffer | "tooLong" | "unreadable"> =>
  Effect.promise(async () => {
    const chunks: Array<Buffer> = []
    let size = 0
    try {
      for await (const chunk of source.iterator({ destroyOnReturn: false })) {
        size += (chunk as Buffer).length
        if (size > formBytesMax) break
        chunks.push(chunk)
      }
    } catch {
      return "unreadable"
    }
    if (size <= formBytesMax) return Buffer.concat(chunks)
    source.resume()
    return "tooLong"
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Undefined: not UTF-8, or with a NUL, which no store keeps. Percent-encoded bytes are checked too. */
const decode = (bytes: Buffer): string | undefined => {
  try {
    const text = utf8.decode(bytes)
    decodeURIComponent(text)
    return /%00|\0/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
