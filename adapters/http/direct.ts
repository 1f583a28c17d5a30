import type { IncomingMessage, Server, ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import { noBody } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { Envelope } from "../../core/call/opening.ts"
import { refuse } from "../../core/call/reply.ts"
import type { Answer } from "../../core/call/reply.ts"
import type { Answered } from "../../core/call/respond.ts"
import type { Route } from "./Edge.ts"
import { makeMetering } from "./metering.ts"
import { makePlainPaths } from "./plainPath.ts"
import type { NodeRead } from "./request.ts"
import { sendAnswer } from "./response.ts"
import { routerConfig } from "./routerConfig.ts"
import { paramsOf, pathOf, routes } from "./routes.ts"
import type { Parts } from "./routes.ts"

/** Answers a request that is its own to answer, and says whether it was. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean

/** Answers a call of one route. */
type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string | undefined>>
) => void

/**
 * The catalogue's reads, answered on Node's server itself: most calls are one of them, and the router's own
 * fiber, scope and contexts around each cost as much as a whole refusal (docs/decisions/0057). What brings a
 * body, and every other path, is the router's.
 */
export const makeDirect = (parts: Pick<Parts, "pipeline" | "opening">, read: NodeRead) =>
  Effect.gen(function* () {
    const metering = yield* makeMetering
    const clock = yield* Clock.Clock
    const log = Effect.runForkWith(yield* Effect.context<never>())
    const router = FindMyWay.make<Answering>(routerConfig)
    const plain = makePlainPaths<Answering>()

    /** An answer that cannot be written ends its connection, so that nobody waits for it. */
    const reply = (
      request: IncomingMessage,
      response: ServerResponse,
      answer: Answer,
      envelope: Envelope
    ): void => {
      const give = (error: unknown): void => {
        log(failed(envelope, error))
        response.destroy()
      }
      try {
        sendAnswer(request, response, answer)?.catch(give)
      } catch (error) {
        give(error)
      }
    }

    const answering = (route: Route): Answering => {
      const meter = metering(route)
      return (request, response, params) => {
        const envelope = parts.opening(clock.currentTimeMillisUnsafe())
        const startedMs = performance.now()
        const answered = (answer: Answered): void => {
          meter(answer, performance.now() - startedMs)
          reply(request, response, answer, envelope)
        }
        try {
          parts.pipeline.begin(read(route, request, params, nothing), envelope, answered)
        } catch (error) {
          log(failed(envelope, error))
          reply(request, response, refuse(envelope, refused("SERVER_INTERNAL_ERROR")), envelope)
        }
      }
    }

    for (const route of routes) {
      if (operationRow(route.operation).method !== "GET") continue
      const [path, handler, own] = [pathOf(route), answering(route), paramsOf(route)]
      plain.add(path, handler)
      router.on("GET", path, (request, response, params) => handler(request, response, own(params)))
    }
    return (request: IncomingMessage, response: ServerResponse): boolean => {
      if (request.method !== "GET" || bringsBody(request)) return false
      const url = request.url ?? ""
      const found = plain.find(url) ?? router.find("GET", url)
      found?.handler(request, response, found.params)
      return found !== undefined
    }
  })

/** Asks `direct` first; what it leaves goes to whoever else listens. */
export const directly = (server: Server, direct: Direct): Server => {
  const on = server.on.bind(server)
  server.on = (event: string, listener: (...args: Array<never>) => void) =>
    event === "request"
      ? on(event, (request, response) => {
          if (!direct(request, response)) listener(request as never, response as never)
        })
      : on(event, listener as never)
  return server
}

const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

const nothing = Effect.succeed(noBody)

/** The kind of the error alone: its message may hold what was submitted. */
const failed = ({ requestId }: Envelope, error: unknown) =>
  Effect.annotateLogs(Effect.logError("answer not sent"), {
    request_id: requestId,
    kind: error instanceof Error ? error.name : typeof error
  })
