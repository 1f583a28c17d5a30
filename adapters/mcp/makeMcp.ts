import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { readJson } from "../../core/admission/body.ts"
import type { BodyReading } from "../../core/admission/body.ts"
import type { Answer, CallRequest, Envelope } from "../../core/call/Call.ts"
import { refuse } from "../../core/call/answer.ts"
import { makeDeadlines } from "../../core/call/deadline.ts"
import { answerFault } from "../../core/call/fault.ts"
import { callsAnswered, callSeconds } from "../../core/call/meters.ts"
import type { makePipeline } from "../../core/call/pipeline.ts"
import { refused } from "../../core/error/Refusal.ts"
import { parseJsonText } from "../../core/json/jsonText.ts"
import { calledBaseUrl } from "../../core/oauth/resource.ts"
import type { TokenHolder } from "../../core/oauth/TokenHolder.ts"
import type { AccessTokensUnavailable } from "../../core/port/AccessTokens.ts"
import { Settings } from "../../core/port/Settings.ts"
import { challengeOf, makeAdmit } from "./admit.ts"
import type { Admission } from "./admit.ts"
import { makeExchange } from "./exchange.ts"
import type { CallTool, Message } from "./exchange.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What the HTTP surface lends (adapters/http/server.ts, Mounted). */
export interface HttpDependencies {
  readonly pipeline: Effect.Success<ReturnType<typeof makePipeline>>
  readonly newEnvelope: (nowMs: number) => Envelope
  readonly edge: {
    readonly read: (request: Request, params: Record<string, never>) => CallRequest
    readonly send: (request: Request, answer: Answer) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  }
}

/** Clients that are given an address with a slash at its end keep it (contract §3). */
export const mcpPaths = ["/mcp", "/mcp/"] as const

/** A message that has been let in. */
interface Arrived {
  readonly message: Message
  readonly holder: TokenHolder
}

/**
 * /mcp (contract §3): Host and Origin, then the token, then the message. What is refused until then is
 * answered with the API's envelope, whatever comes after with JSON-RPC. In development the server is also
 * called by loopback names.
 */
export const makeMcp = (
  { pipeline, newEnvelope, edge }: HttpDependencies,
  {
    development,
    loopbackPorts = []
  }: { readonly development: boolean; readonly loopbackPorts?: ReadonlyArray<number> }
) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Settings
    const own = isOwn({ baseUrl, development })
    const admitting = yield* makeAdmit
    const deadlines = yield* makeDeadlines
    const exchange = makeExchange(baseUrl)

    /** A tool's call under the envelope of its HTTP request, which hears its headers: it has no other. */
    const calling = (
      token: TokenHolder,
      envelope: Envelope,
      onHeaders: (headers: Answer["headers"]) => void
    ) =>
      Effect.map(
        Effect.context<never>(),
        (context): CallTool =>
          (tool, input) =>
            Effect.runPromiseWith(context)(
              Effect.map(metered(tool, pipeline.tool({ tool, input, token }, envelope)), (answer) => {
                onHeaders(answer.headers)
                return answer.content
              })
            )
      )

    const challenged = (
      envelope: Envelope,
      refused_: Extract<Admission, { _tag: "Refused" }>,
      host: string | undefined
    ): Answer => {
      const answer = refuse(envelope, refused_.refusal)
      const calledUrl = calledBaseUrl({ baseUrl, loopbackPorts }, host)
      const challenge = { "www-authenticate": challengeOf(calledUrl, refused_) }
      return { ...answer, headers: { ...answer.headers, ...challenge } }
    }

    /** Host, Origin, token and body: the message and whose it is, or the answer. */
    const arriving = Effect.fnUntraced(function* (
      request: Request,
      envelope: Envelope
    ): Effect.fn.Return<Answer | Arrived, AccessTokensUnavailable> {
      const asked = edge.read(request, {})
      const host = request.headers["host"]
      if (!own({ host, origin: asked.origin })) return refuse(envelope, foreign)
      const before = yield* admitting(asked.authorization)
      if (before._tag === "Refused") return challenged(envelope, before, host)
      const body = request.method === "POST" ? yield* asked.readBody : undefined
      // A body may come seconds later, and a token is dead at once.
      const admission = body === undefined ? before : yield* admitting(asked.authorization)
      if (admission._tag === "Refused") return challenged(envelope, admission, host)
      if (body?._tag === "TooLarge") return tooLarge(envelope, body)
      const text = body?._tag === "Text" ? body.text : undefined
      const json = text === undefined ? undefined : parseJsonText(text)
      const message = { method: request.method, headers: request.headers, json }
      return { message, holder: admission.holder }
    })

    /** A tool's call has a deadline of its own; whoever sends a message has as long. */
    const steps = Effect.fnUntraced(function* (request: Request, envelope: Envelope) {
      const exit = yield* deadlines.within(arriving(request, envelope))
      if (exit === undefined) return refuse(envelope, refused("SERVER_TIMEOUT"))
      const arrived = yield* exit
      if ("status" in arrived) return arrived
      let called: Answer["headers"] = { "x-request-id": envelope.requestId }
      const callTool = yield* calling(arrived.holder, envelope, (headers) => {
        called = headers
      })
      const answer = yield* Effect.promise(() => exchange(arrived.message, callTool))
      return { ...answer, headers: { ...called, ...answer.headers } }
    })

    const handle = (request: Request): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
        const envelope = newEnvelope(nowMs)
        return Effect.flatMap(answerFault(envelope, steps(request, envelope)), (answer) =>
          edge.send(request, answer)
        )
      })

    return { paths: mcpPaths, handle }
  })

const foreign = refused(
  "AUTHZ_ORIGIN_NOT_ALLOWED",
  undefined,
  "Call /mcp by the address that the service is published under, and from no other site's pages."
)

const tooLarge = (envelope: Envelope, body: BodyReading): Answer => {
  const read = readJson(body)
  return refuse(envelope, Result.isFailure(read) ? read.failure : refused("VALIDATION_INVALID_JSON"))
}

/** Counted and timed like the calls of the API, the tool in the operation's place. */
const metered = <A extends { readonly status: number }>(tool: string, call: Effect.Effect<A>) =>
  Effect.flatMap(Effect.timed(call), ([elapsed, answer]) => {
    const place = { operation: tool, surface: "mcp" }
    return Metric.update(callsAnswered({ ...place, status: String(answer.status) }), 1).pipe(
      Effect.andThen(Metric.update(callSeconds(place), Duration.toSeconds(elapsed))),
      Effect.as(answer)
    )
  })

/** How a browser says where a request comes from and whom it is for. */
export interface BrowserOrigin {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** What BASE_URL allows, and whether this is a development server, which is also called by loopback names. */
export interface Place {
  readonly baseUrl: string
  readonly development: boolean
}

/**
 * Whether a request is meant for this server and comes from no foreign page (MCP, Streamable HTTP: Origin
 * must be checked against DNS rebinding). Host is BASE_URL's, in development also a loopback name on any
 * port, which no name server can be made to lie about. Origin is absent or of the same place as the Host. A
 * token in the Authorization header is never sent by a browser on its own, so foreign pages lose nothing that
 * CORS would have to give them: there is none.
 */
export const isOwn = ({ baseUrl, development }: Place): ((said: BrowserOrigin) => boolean) => {
  const base = new URL(baseUrl)
  const defaultPort = base.protocol === "https:" ? ":443" : ":80"
  const ownHosts: ReadonlySet<string> = new Set(
    base.port === "" ? [base.host, base.host + defaultPort] : [base.host]
  )
  const isOwnHost = (host: string): boolean =>
    ownHosts.has(host.toLowerCase()) || (development && loopback.test(host))
  return ({ host, origin }) => {
    if (host === undefined || !isOwnHost(host)) return false
    if (origin === undefined || origin === base.origin) return true
    return development && loopback.test(host) && origin.toLowerCase() === `http://${host.toLowerCase()}`
  }
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i
