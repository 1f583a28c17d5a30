import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"

/** A form as it was sent. */
export interface Form {
  /** The value of a field, without the spaces around it; "" where there is none or more than one. */
  readonly text: (name: string) => string
  /** The same with its spaces: a password. */
  readonly raw: (name: string) => string
  /** All values of a field of many. */
  readonly all: (name: string) => ReadonlyArray<string>
}

/** Far more than any form of ours holds; a longer one is refused unread. */
export const formBytesMax = 64 * 1024

/** What a page that was asked for with GET gets. */
export const noForm: Form = { text: () => "", raw: () => "", all: () => [] }

/** Why a form is not read, as the status of the page that says so. */
export type FormUnread = { readonly _tag: "Unread"; readonly status: 400 | 413 | 415 }

/** Reads `application/x-www-form-urlencoded` of at most `formBytesMax` bytes in UTF-8. */
export const readForm = (
  source: IncomingMessage
): Effect.Effect<{ readonly _tag: "Read"; readonly form: Form } | FormUnread> => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(source.headers["content-type"] ?? ""))
    return Effect.as(discard(source), unread(415))
  if (Number(source.headers["content-length"] ?? 0) > formBytesMax)
    return Effect.as(discard(source), unread(413))
  return Effect.map(collect(source), (bytes) => {
    if (bytes === "too_large") return unread(413)
    const text = bytes === "cut_off" ? undefined : decode(bytes)
    return text === undefined ? unread(400) : { _tag: "Read", form: formOf(new URLSearchParams(text)) }
  })
}

const unread = (status: FormUnread["status"]): FormUnread => ({ _tag: "Unread", status })

const discard = (source: IncomingMessage) => Effect.sync(() => void source.resume())

const collect = (source: IncomingMessage): Effect.Effect<Buffer | "too_large" | "cut_off"> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const done = (answer: Buffer | "too_large" | "cut_off"): void => {
      source.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
      resume(Effect.succeed(answer))
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= formBytesMax) chunks.push(chunk)
      else {
        done("too_large")
        source.resume()
      }
    }
    const onEnd = (): void => done(Buffer.concat(chunks))
    const onClose = (): void => done("cut_off")
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Undefined: not UTF-8, or with a NUL, which no store keeps; percent-encoded bytes are judged as well. */
const decode = (bytes: Buffer): string | undefined => {
  try {
    const text = utf8.decode(bytes)
    decodeURIComponent(text)
    return /%00|\0/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const formOf = (values: URLSearchParams): Form => {
  const only = (name: string): string => {
    const all = values.getAll(name)
    return all.length === 1 ? (all[0] ?? "") : ""
  }
  return { text: (name) => only(name).trim(), raw: only, all: (name) => values.getAll(name) }
}
