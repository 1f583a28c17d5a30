import * as Effect from "effect/Effect"
import { Client } from "undici"
import type { Dispatcher } from "undici"
import type { FailureCause } from "../../core/webhook/Outcome.ts"
import { DialRefused, HandshakeFailed, makeDialer } from "./dial.ts"
import type { Dialer, Route } from "./dial.ts"

/** A request as it is sent; the target and its headers come from us, never from an answer. */
export interface GuardedRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** For everything, from the look-up of the name to the end of the answer. */
  readonly deadlineMs: number
}

/** What came back. */
export type ExchangeResult =
  | {
      readonly _tag: "Heard"
      readonly status: number
      /** In lower case; a header that came more than once is joined by commas. */
      readonly headers: Readonly<Record<string, string>>
      /** As it was sent, encoded or not; what is beyond 64 KiB was not read. */
      readonly body: Uint8Array
      /** Whether the body was longer. */
      readonly isCut: boolean
    }
  | { readonly _tag: "Failed"; readonly cause: FailureCause; readonly status: number | null }

/** The bounds of an answer (webhook design, Outbound safety 6). */
export const answerBounds = {
  headerBytesMax: 16 * 1_024,
  bodyBytesMax: 64 * 1_024,
  /** Answers of 1xx before the answer itself; nobody sends more than one or two. */
  informationalMax: 16,
  /** In all, as the wire counts: what frames a body may be endless where the body is not. */
  wireBytesMax: 512 * 1_024,
  /** How often the wire is looked at. */
  wireWatchMs: 50
} as const

/**
 * One request over one connection of its own, closed when the answer is read, given up or interrupted. A kept
 * connection was rejected: a receiver that closes an idle one would fail a delivery it never saw.
 */
export const exchange = (route: Route, request: GuardedRequest): Effect.Effect<ExchangeResult> =>
  Effect.suspend(() => {
    const seen: Seen = { status: null }
    return Effect.acquireUseRelease(
      Effect.sync(() => open(route)),
      ({ client, dialer }) =>
        Effect.raceFirst(
          Effect.callback<ExchangeResult>((resume) => send({ client, route, request, seen, resume })),
          overflowError(dialer, seen)
        ),
      ({ client, dialer }) =>
        Effect.sync(() => {
          void client.destroy()
          dialer.close()
        })
    ).pipe(
      Effect.timeoutOrElse({
        duration: request.deadlineMs,
        orElse: () =>
          Effect.sync((): ExchangeResult => ({ _tag: "Failed", cause: "timeout", status: seen.status }))
      })
    )
  })

/** The status outlives the answer's end: a body that never ends is told with it. */
interface Seen {
  status: number | null
}

/** Ends when more came than any honest answer needs: extensions of chunks, or zeros before their size. */
const overflowError = (dialer: Dialer, seen: Seen): Effect.Effect<ExchangeResult> =>
  Effect.gen(function* () {
    while (dialer.bytesRead() <= answerBounds.wireBytesMax) yield* Effect.sleep(answerBounds.wireWatchMs)
    return { _tag: "Failed", cause: "not_http", status: seen.status }
  })

/** Every timer of undici is off: idle timers are outlived by a body that drips, one deadline is not. */
const open = (route: Route) => {
  const dialer = makeDialer(route)
  const client = new Client(route.target.origin, {
    connect: dialer.connect,
    allowH2: false,
    maxHeaderSize: answerBounds.headerBytesMax,
    headersTimeout: 0,
    bodyTimeout: 0
  })
  return { client, dialer }
}

interface OpenExchange {
  readonly client: Client
  readonly route: Route
  readonly request: GuardedRequest
  readonly seen: Seen
  readonly resume: (settled: Effect.Effect<ExchangeResult>) => void
}

const send = ({ client, route, request, seen, resume }: OpenExchange): void => {
  const { method, headers, body } = request
  const options = { path: route.target.path, method, headers: { ...headers }, body, reset: true }
  client.dispatch(
    options,
    attachListeners(seen, (settled) => resume(Effect.succeed(settled)))
  )
}

const attachListeners = (
  seen: Seen,
  finish: (settled: ExchangeResult) => void
): Dispatcher.DispatchHandler => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  let informational = 0
  let headers: Readonly<Record<string, string>> = {}
  const settled = (isCut: boolean): void =>
    finish({ _tag: "Heard", status: seen.status ?? 0, headers, body: bodyOf(chunks), isCut })
  return {
    onRequestStart: () => {},
    onResponseStart: (controller, status, received) => {
      if (status >= 200) {
        seen.status = status
        headers = joined(received)
      } else if (++informational > answerBounds.informationalMax) {
        finish({ _tag: "Failed", cause: "not_http", status: null })
        controller.abort(new Error("too many informational answers"))
      }
    },
    onResponseData: (controller, chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= answerBounds.bodyBytesMax) return
      settled(true)
      controller.abort(new Error("the rest is not read"))
    },
    onResponseEnd: () => settled(false),
    onResponseError: (_controller, error) =>
      finish({ _tag: "Failed", cause: causeOf(error), status: seen.status })
  }
}

const bodyOf = (chunks: ReadonlyArray<Buffer>): Uint8Array =>
  new Uint8Array(Buffer.concat(chunks).subarray(0, answerBounds.bodyBytesMax))

const joined = (received: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>) =>
  Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "string" ? value : (value ?? []).join(", ")
    ])
  )

/** The error's own text is dropped here: it may name the address. */
const causeOf = (error: Error): FailureCause => {
  if (error instanceof DialRefused) return "blocked"
  if (error instanceof HandshakeFailed) return "tls"
  const code = "code" in error ? String(error.code) : ""
  const isParser = error.name === "HTTPParserError" || code.startsWith("HPE_")
  return isParser || code === "UND_ERR_HEADERS_OVERFLOW" ? "not_http" : "network"
}
