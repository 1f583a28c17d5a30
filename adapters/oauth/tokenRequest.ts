import { IncomingMessage } from "node:http"
import { isObject } from "../../core/json/isObject.ts"
import { parseJsonText } from "../../core/json/jsonText.ts"

/** The library's own limit for a body; it rejects a longer one. */
const bodyBytesMax = 56 * 1_024

/** Rewrites one form field; returns undefined to drop it. */
export type RewriteField = (name: string, value: string) => string | undefined

/**
 * Returns the request to the token endpoint with its form fields rewritten, as a request that the library can
 * read. A body that is not a form is passed on unchanged for the library to reject.
 */
export const rewrittenForm = async (source: IncomingMessage, rewrite: RewriteField) => {
  const bytes = await bodyOf(source)
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(source.headers["content-type"] ?? "")
  return withBody(source, isForm && bytes.length <= bodyBytesMax ? rewritten(bytes, rewrite) : bytes)
}

/** Returns the redirect URIs of a registration, and the request for the library to read again. */
export const registrationAhead = async (source: IncomingMessage) => {
  const bytes = await bodyOf(source)
  return { redirectUris: redirectUrisOf(bytes.toString("utf8")), read: withBody(source, bytes) }
}

const redirectUrisOf = (text: string): ReadonlyArray<unknown> => {
  const metadata = parseJsonText(text)
  const uris = isObject(metadata) ? metadata["redirect_uris"] : undefined
  return Array.isArray(uris) ? uris : []
}

const rewritten = (bytes: Buffer, rewrite: RewriteField): Buffer => {
  const fields = [...new URLSearchParams(bytes.toString("utf8"))].flatMap(
    ([name, value]): ReadonlyArray<[string, string]> => {
      const kept = rewrite(name, value)
      return kept === undefined ? [] : [[name, kept]]
    }
  )
  return Buffer.from(new URLSearchParams(fields).toString())
}

const bodyOf = async (source: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > bodyBytesMax) break
  }
  return Buffer.concat(chunks)
}

/** A request with the same head and socket whose body is already there. */
const withBody = (source: IncomingMessage, body: Buffer): IncomingMessage => {
  const request = new IncomingMessage(source.socket)
  const { "transfer-encoding": _, ...headers } = source.headers
  request.headers = { ...headers, "content-length": String(body.length) }
  request.method = source.method
  request.url = source.url
  request.httpVersion = source.httpVersion
  // An incomplete message would destroy its socket when it ends.
  request.complete = true
  request.push(body)
  request.push(null)
  return request
}
