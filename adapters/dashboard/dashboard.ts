import type { IncomingMessage } from "node:http"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { idRandomBytes, timeId } from "../../core/id/timeId.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Settings } from "../../core/port/Settings.ts"
import { assetAt, assetHeaders } from "./assets.ts"
import { failurePage } from "./failures.ts"
import { flashCookie } from "./flash.ts"
import type { PageRequest } from "./Page.ts"
import { pages } from "./pages.ts"
import type { Reply } from "./response.ts"
import { securityHeaders, send } from "./response.ts"
import type { RoutedAnswer, Viewer } from "./router.ts"
import { makeRouter } from "./router.ts"
import { formOf } from "./sentForm.ts"
import { documentHtml } from "./shell.ts"

/** What the operator decides about the pages. */
export interface DashboardParts {
  /** The caller's address behind proxies. */
  readonly callerAddress: (peer: string, forwardedFor: string | undefined) => string
  /** Whether emails are written to the server log because no mail server is set. */
  readonly mailIsLogged?: boolean
}

/**
 * The paths to mount: the first segment of every page's path with everything below it, so that unknown
 * paths there get our 404 page, and the assets. The front page is mounted alone.
 */
export const mountedPaths: ReadonlyArray<`/${string}`> = [
  ...new Set(pages.map(({ path }): `/${string}` => (path === "/" ? path : `/${path.split("/")[1] ?? ""}/*`))),
  "/assets/*"
]

type PageNeeds = Effect.Services<ReturnType<(typeof pages)[number]["answer"]>>

/** The pages of people: the paths to mount and their handler, which never fails. */
export const makeDashboard = Effect.fnUntraced(function* (parts: DashboardParts) {
  const route = makeRouter<PageNeeds>(pages)
  const context = yield* Effect.context<
    Effect.Services<ReturnType<typeof route>> | Effect.Services<ReturnType<typeof pageRequestOf>>
  >()
  const handle = (
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.gen(function* () {
      const pageRequest = yield* pageRequestOf(request, parts)
      const asset = assetAt(pageRequest.path)
      if (asset !== undefined)
        return send(request, { status: 200, headers: assetHeaders(asset), cookies: [], text: asset.text })
      const { answer, viewer } = yield* orFailurePage(route(pageRequest), pageRequest)
      return answer._tag === "Raw" ? answer.response : send(request, replyOf(answer, viewer, pageRequest))
    }).pipe(Effect.provideContext(context))
  return { paths: mountedPaths, handle }
})

const pageRequestOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { callerAddress, mailIsLogged = false }: DashboardParts
) {
  const { baseUrl, supportUrl } = yield* Settings
  const { randomBytes } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const source = request.source as IncomingMessage
  const { headers, socket } = source
  const cookie = headers.cookie ?? null
  const [path = "", ...query] = request.url.split("?")
  const pageRequest: PageRequest = {
    source,
    method: request.method === "HEAD" ? "GET" : request.method,
    url: request.url,
    path,
    param: () => "",
    query: new URLSearchParams(query.join("?")),
    form: formOf(new URLSearchParams()),
    cookie,
    device: {
      address: callerAddress(socket.remoteAddress ?? "", headers["x-forwarded-for"]?.toString()),
      agent: headers["user-agent"]?.slice(0, agentCharactersMax) ?? null
    },
    requestId: `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`,
    ...{ nowMs, baseUrl, supportUrl, mailIsLogged },
    flash: flashCookie(baseUrl).read(cookie)
  }
  return pageRequest
})

/** Longer than the name of any browser. */
const agentCharactersMax = 500

/** An unavailable store becomes the 503 page, a defect the 500 page. The log gets only the kind of fault. */
const orFailurePage = <E extends { readonly _tag: string }, R>(
  routing: Effect.Effect<RoutedAnswer, E, R>,
  request: PageRequest
): Effect.Effect<RoutedAnswer, never, R> =>
  Effect.catchCause(routing, (cause) => {
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    const kind = failure === undefined ? defectName(Cause.squash(cause)) : failure._tag
    const answer = failurePage(failure === undefined ? "broken" : "unavailable", request)
    return Effect.logError("page failed").pipe(
      Effect.annotateLogs({ request_id: request.requestId, kind }),
      Effect.as({ answer })
    )
  })

const defectName = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)

const replyOf = (
  answer: Exclude<RoutedAnswer["answer"], { readonly _tag: "Raw" }>,
  viewer: Viewer | undefined,
  request: PageRequest
): Reply => {
  const { baseUrl, flash, supportUrl } = request
  const cookie = flashCookie(baseUrl)
  switch (answer._tag) {
    case "Page": {
      const { page } = answer
      const headers = { ...securityHeaders(request, page.formOrigins), ...page.headers }
      return {
        status: page.status ?? 200,
        headers: { ...headers, "content-type": "text/html; charset=utf-8" },
        cookies: flash === undefined ? [] : [cookie.clear],
        text: documentHtml({ page, flash, viewer, supportUrl })
      }
    }
    case "Redirect": {
      const headers = { ...securityHeaders(request), location: answer.to }
      const flashes = answer.flash === undefined ? [] : [cookie.set(answer.flash)]
      return { status: 303, headers, cookies: [...answer.cookies, ...flashes], text: "" }
    }
  }
}
