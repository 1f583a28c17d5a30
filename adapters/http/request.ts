import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { BodyReading } from "../../core/admission/body.ts"
import { bodyBytesMax } from "../../core/admission/body.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import type { CallRequest } from "../../core/workflow/CallRequest.ts"

/** Where a route leads, and how the caller's address is told. */
export interface Route {
  readonly operation: OperationId
  readonly surface: Surface
  readonly callerAddress: (peer: string, forwardedFor: string | undefined) => string
}

/** The parts of an HTTP request that the one path of every call looks at. */
export const callRequest = (
  route: Route,
  request: HttpServerRequest.HttpServerRequest,
  params: Readonly<Record<string, string | undefined>>
): CallRequest => {
  const source = request.source as IncomingMessage
  // Node's own: the request's would be given another prototype, which costs as much as a whole refusal.
  const { headers } = source
  return {
    operation: route.operation,
    surface: route.surface,
    params,
    query: queryOf(request.url),
    authorization: only(source, "authorization"),
    origin: headers["origin"],
    accept: headers["accept"],
    contentType: only(source, "content-type"),
    contentEncoding: headers["content-encoding"],
    ifNoneMatch: headers["if-none-match"],
    idempotencyKey: only(source, "x-idempotency-key"),
    address: route.callerAddress(source.socket.remoteAddress ?? "", only(source, "x-forwarded-for")),
    readBody: readBody(source)
  }
}

/**
 * A header that may stand but once. Node keeps the first and drops the rest, which would judge a request by
 * half of what it says: repeated, it is read as one of all its values, which no rule takes.
 */
const only = (source: IncomingMessage, name: string): string | undefined => {
  const { rawHeaders } = source
  let found: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const written = rawHeaders[index] ?? ""
    if (written.length !== name.length || written.toLowerCase() !== name) continue
    const value = rawHeaders[index + 1] ?? ""
    found = found === undefined ? value : `${found}, ${value}`
  }
  return found
}

/**
 * A name that is repeated holds all its values, which no query field takes: it is refused, never half read.
 */
const queryOf = (url: string): CallRequest["query"] => {
  const start = url.indexOf("?")
  if (start === -1) return noQuery
  const query: Record<string, string | ReadonlyArray<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const earlier = query[name]
    query[name] =
      earlier === undefined ? value : [...(typeof earlier === "string" ? [earlier] : earlier), value]
  }
  return { ...query }
}

const noQuery: CallRequest["query"] = {}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Collects the body up to its limit; what comes after is thrown away unread. */
const readBody = (source: IncomingMessage): Effect.Effect<BodyReading> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const done = (reading: BodyReading): void => {
      source.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
      resume(Effect.succeed(reading))
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= bodyBytesMax) chunks.push(chunk)
      else {
        done({ _tag: "TooLarge" })
        source.resume()
      }
    }
    const onEnd = (): void => done(decode(Buffer.concat(chunks)))
    const onClose = (): void => done({ _tag: "Malformed" })
    if (Number(source.headers["content-length"] ?? 0) > bodyBytesMax) {
      source.resume()
      return resume(Effect.succeed({ _tag: "TooLarge" }))
    }
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
  })

const decode = (bytes: Buffer): BodyReading => {
  try {
    return { _tag: "Text", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "Malformed" }
  }
}
