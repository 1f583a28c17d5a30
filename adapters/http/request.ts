import type { IncomingMessage } from "node:http"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type { BodyReading } from "../../core/admission/body.ts"
import { bodyBytesMax } from "../../core/admission/body.ts"
import type { CallRequest } from "../../core/call/Call.ts"
import { contains, forwardedAddress, parseAddress, parseNetwork } from "../../core/network/address.ts"
import { fieldFault, refusedFields } from "../../core/error/fieldFaults.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import type { Edge } from "./Edge.ts"
import type { Line } from "./line.ts"
import { readLine } from "./line.ts"

/** Reads a request of Node's own server, whose line has been read; its body is read when it is asked for. */
export type NodeRead = (source: IncomingMessage, line: Line, body: CallRequest["readBody"]) => CallRequest

/** How Node's requests are read; `callerAddress` tells a caller's address (TRUSTED_PROXIES). */
export const makeNodeRead =
  (callerAddress: (peer: string, forwardedFor: string | undefined) => string): NodeRead =>
  (source, { fault, params, query, queryIsText }, body) => {
    const { headers } = source
    return {
      fault,
      params,
      query,
      queryIsText,
      authorization: only(source, "authorization"),
      origin: headers["origin"],
      accept: headers["accept"],
      contentType: only(source, "content-type"),
      contentEncoding: headers["content-encoding"],
      ifNoneMatch: headers["if-none-match"],
      idempotencyKey: only(source, "x-idempotency-key"),
      // Rarely sent: one look into the headers costs less than another walk through them.
      idempotencyAlias:
        headers["idempotency-key"] === undefined ? undefined : only(source, "idempotency-key"),
      address: callerAddress(source.socket.remoteAddress ?? "", headers["x-forwarded-for"]?.toString()),
      readBody: body
    }
  }

/** The same of a request that came through the router. */
export const routedRead =
  (read: NodeRead): Edge["read"] =>
  (request, params) => {
    const source = request.source as IncomingMessage
    const body = readBody(source, () => toServerResponse(request).writeContinue())
    return read(source, readLine(source.url ?? "", params), body)
  }

/** Returns what is wrong with the Host or the Transfer-Encoding of a request (contract §1). */
export const headFault = ({ headers, httpVersion, rawHeaders }: IncomingMessage): Refusal | undefined => {
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return codingRefusal
  const { host } = headers
  // HTTP/1.0 needs no Host: load balancers probe so.
  if (host === undefined) return httpVersion === "1.0" ? undefined : hostRefusal
  return host.includes(",") || hasTwoHosts(rawHeaders) ? hostRefusal : undefined
}

/** Node keeps the first Host and drops the others. */
const hasTwoHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === "host".length && name.toLowerCase() === "host") count += 1
  }
  return count > 1
}

const hostRefusal = refusedFields([
  fieldFault("/headers/host", "invalid_format", "HTTP/1.1 needs exactly one `Host` header with one host.")
])

/** A Transfer-Encoding other than `chunked` alone. */
export const codingRefusal = refusedFields([
  fieldFault(
    "/headers/transfer-encoding",
    "invalid_format",
    "`Transfer-Encoding` takes only chunked, or is left out."
  )
])

/**
 * A header that may stand but once. Node keeps the first and drops the rest, which would judge a request by
 * half of what it says: repeated, it is read as its values on lines of their own, which no rule takes.
 */
const only = (source: IncomingMessage, name: string): string | undefined => {
  const { rawHeaders } = source
  let found: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const written = rawHeaders[index] ?? ""
    if (written.length !== name.length || written.toLowerCase() !== name) continue
    const value = rawHeaders[index + 1] ?? ""
    found = found === undefined ? value : `${found}\n${value}`
  }
  return found
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * Collects the body up to its limit; what comes after is thrown away unread. `goOn` asks for the body of a
 * caller who waits to send it.
 */
export const readBody = (source: IncomingMessage, goOn: () => void): Effect.Effect<BodyReading> =>
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
    // A caller who is gone by now leaves a stream that says nothing more, not even that it is closed.
    if (source.destroyed) return resume(Effect.succeed({ _tag: "Malformed" }))
    if (Number(source.headers["content-length"] ?? 0) > bodyBytesMax) {
      source.resume()
      return resume(Effect.succeed({ _tag: "TooLarge" }))
    }
    if (source.headers.expect !== undefined) goOn()
    source.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
  })

const decode = (bytes: Buffer): BodyReading => {
  try {
    return { _tag: "Text", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "Malformed" }
  }
}

/** The most hops of X-Forwarded-For that are read, counted from the nearest. */
const hopsMax = 32

/**
 * Returns a function that finds the caller's address: the peer's own, unless the peer is a trusted proxy;
 * then the nearest address of X-Forwarded-For that is not itself a trusted proxy (contract §1). A member
 * that is not an address ends the walk at the last trusted hop. The address has no port, brackets or zone,
 * however the proxy wrote it.
 */
export const makeCallerAddress = (trustedProxies: ReadonlyArray<string>) => {
  const networks = trustedProxies.map(parseNetwork).filter((network) => network !== undefined)
  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && networks.some((network) => contains(network, address))
  }
  return (peer: string, forwardedFor: string | undefined): string => {
    if (networks.length === 0 || forwardedFor === undefined || !isTrusted(peer)) return peer
    let trusted = peer
    for (const member of hopsOf(forwardedFor)) {
      const hop = forwardedAddress(member)
      if (hop === undefined) return trusted
      if (!isTrusted(hop)) return hop
      trusted = hop
    }
    return trusted
  }
}

/** The members of X-Forwarded-For, nearest first; proxies that append to an empty header leave empty ones. */
const hopsOf = (forwardedFor: string): ReadonlyArray<string> =>
  forwardedFor
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "")
    .reverse()
    .slice(0, hopsMax)
