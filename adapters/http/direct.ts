import type { IncomingMessage, Server, ServerResponse } from "node:http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import { refuse } from "../../core/call/answer.ts"
import type { Answer, Envelope } from "../../core/call/Call.ts"
import { refused } from "../../core/error/Refusal.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import { loggedMeter } from "./accessLog.ts"
import { readLine } from "./line.ts"
import type { Line } from "./line.ts"
import { headFault, readBody } from "./request.ts"
import type { NodeRead } from "./request.ts"
import { sendAnswer } from "./response.ts"
import { makeMeter, makePlainPaths, paramsOf, pathOf, routerConfig, routes } from "./Route.ts"
import type { RouteMatch, Route } from "./Route.ts"
import type { Parts } from "./routes.ts"

/** Answers a request, or returns false and leaves it to the next listener. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

/** Answers a call of one route. */
type RouteHandler = (request: IncomingMessage, response: ServerResponse, line: Line) => void

/**
 * The catalogue's operations, answered on Node's server itself: the router's own fiber, scope and contexts
 * around each cost as much as a whole refusal (docs/performance.md). Every other path is the router's.
 */
export const makeDirect = (
  { pipeline, newEnvelope, accessLog }: Pick<Parts, "pipeline" | "newEnvelope" | "accessLog">,
  read: NodeRead
) =>
  Effect.gen(function* () {
    const metering = yield* makeMeter
    const clock = yield* Clock.Clock
    const log = Effect.runForkWith(yield* Effect.context<never>())

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

    const handlerOf = (route: Route): RouteHandler => {
      const meter = loggedMeter(accessLog)(metering(route), route)
      const calls = pipeline.operation(route.operation, route.surface)
      return (request, response, line) => {
        const envelope = newEnvelope(clock.currentTimeMillisUnsafe())
        const startedMs = performance.now()
        const onAnswer = (answer: Answer): void => {
          meter(answer, performance.now() - startedMs)
          reply(request, response, answer, envelope)
        }
        try {
          const body = readBody(request, () => response.writeContinue())
          calls.begin(read(request, line, body), envelope, onAnswer)
        } catch (error) {
          log(failed(envelope, error))
          reply(request, response, refuse(envelope, refused("SERVER_INTERNAL_ERROR")), envelope)
        }
      }
    }

    const find = makeFind(handlerOf)
    const answer: Intercept = (request, response) => {
      const found = find(request.method, request.url ?? "")
      found?.handler(request, response, found.line)
      return found !== undefined
    }
    return answer
  })

/** Finds who answers a request's line; undefined: it names no operation. */
const makeFind = (handlerOf: (route: Route) => RouteHandler) => {
  const plain = new Map<string | undefined, ReturnType<typeof makePlainPaths<RouteHandler>>>()
  const router =
    FindMyWay.make<(url: string, found: Line["params"]) => RouteMatch<RouteHandler>>(routerConfig)
  for (const route of routes) {
    const { method } = operationRow(route.operation)
    const [path, handler, own] = [pathOf(route), handlerOf(route), paramsOf(route)]
    const paths = plain.get(method) ?? makePlainPaths<RouteHandler>()
    plain.set(method, paths)
    paths.add(path, handler)
    router.on(method, path, (url, found) => ({ handler, line: readLine(url, own(found)) }))
  }
  return (method: string | undefined, url: string): RouteMatch<RouteHandler> | undefined => {
    const paths = plain.get(method)
    if (paths === undefined) return undefined
    const found = paths.find(url)
    if (found !== undefined) return found
    const routed = router.find(method as "GET", url)
    return routed?.handler(url, routed.params)
  }
}

/**
 * Has `first` look at each request before the listeners that are added from now on. Listeners for
 * `checkContinue` are not added: `answerContinues` passes those requests on like any other.
 */
export const intercept = (server: Server, first: Intercept): Server => {
  const on = server.on.bind(server)
  server.on = (event: string, listener: (...args: Array<never>) => void) => {
    if (event === "checkContinue") return server
    return event === "request"
      ? on(event, (request, response) => {
          if (!first(request, response)) listener(request as never, response as never)
        })
      : on(event, listener as never)
  }
  return server
}

/**
 * Rejects requests, on every surface, whose Host or Transfer-Encoding could mean one thing to us and another
 * to a proxy in front of us (contract §1), and closes their connection.
 */
export const makeRejectHead =
  (newEnvelope: Parts["newEnvelope"]): Intercept =>
  (request, response) => {
    const refusal = headFault(request)
    if (refusal === undefined) return false
    response.shouldKeepAlive = false
    void sendAnswer(request, response, refuse(newEnvelope(Date.now()), refusal))
    return true
  }

/** The kind of the error alone: its message may hold what was submitted. */
const failed = ({ requestId }: Envelope, error: unknown) =>
  Effect.annotateLogs(Effect.logError("answer not sent"), {
    request_id: requestId,
    kind: error instanceof Error ? error.name : typeof error
  })
