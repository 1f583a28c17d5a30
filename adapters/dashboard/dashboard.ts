import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { assetAt, assetHeaders } from "./assets.ts"
import { failurePage, forbiddenPage } from "./failures.ts"
import { flashCookie } from "./flashCookie.ts"
import { pages } from "./pages.ts"
import type { Page, PageAnswer, PageRequest } from "./Page.ts"
import { pathsOf } from "./paths.ts"
import { securityHeaders } from "./securityHeaders.ts"
import { send } from "./send.ts"
import type { Reply } from "./send.ts"
import { documentHtml } from "./shell.ts"
import type { DashboardParts, HandledPage } from "./handlePage.ts"
import { isHttps, pathOf, handlePage, pageRequestOf } from "./handlePage.ts"

/**
 * What to mount: the first step of every path of the table with all beneath it, so that what is nobody's
 * there is answered by a page of ours, and the static parts. The router takes `/*` for the step itself too.
 * The front door stands alone: what is beneath it is everybody's.
 */
export const mountedPaths: ReadonlyArray<`/${string}`> = [
  ...new Set(pages.map(({ path }): `/${string}` => (path === "/" ? path : `/${path.split("/")[1] ?? ""}/*`))),
  "/assets/*"
]

/** The pages of people: what to mount, and who answers it. It fails with nothing, whatever breaks. */
export const makeDashboard = Effect.fnUntraced(function* (parts: DashboardParts) {
  const paths = pathsOf<Page<PageNeeds>>(pages)
  const context = yield* Effect.context<Needs>()
  const handle = (
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const asset = assetAt(pathOf(request))
    if (asset !== undefined)
      return Effect.sync(() =>
        send(request, { status: 200, headers: assetHeaders(asset), cookies: [], text: asset.text })
      )
    return Effect.gen(function* () {
      const pageRequest = yield* pageRequestOf(request, parts)
      const seen = yield* orFailure(handlePage(paths, pageRequest), pageRequest)
      return seen.answer._tag === "Raw" ? seen.answer.response : send(request, replyOf(seen, pageRequest))
    }).pipe(Effect.provideContext(context))
  }
  return { paths: mountedPaths, handle }
})

type PageNeeds = Effect.Services<ReturnType<(typeof pages)[number]["answer"]>>
type Needs =
  | PageNeeds
  | Effect.Services<ReturnType<typeof handlePage<never>>>
  | Effect.Services<ReturnType<typeof pageRequestOf>>

/** A store that is away and whatever else broke; the log gets the kind of fault, never what was sent. */
const orFailure = <E extends { readonly _tag: string }, R>(
  visiting: Effect.Effect<HandledPage, E, R>,
  pageRequest: PageRequest
): Effect.Effect<HandledPage, never, R> =>
  Effect.catchCause(visiting, (cause) => {
    const failure = Cause.findErrorOption(cause)
    const kind = Option.isSome(failure) ? failure.value._tag : defectName(cause)
    const page = Option.isSome(failure) ? "away" : "broken"
    const { requestId } = pageRequest
    return Effect.logError("page failed").pipe(
      Effect.annotateLogs({ request_id: requestId, kind }),
      Effect.as({ answer: failurePage(page, { requestId, path: pathOf(pageRequest.request) }) })
    )
  })

const defectName = (cause: Cause.Cause<unknown>): string => {
  const defect = Cause.squash(cause)
  return defect instanceof Error ? defect.name : typeof defect
}

const replyOf = (seen: HandledPage, pageRequest: PageRequest): Reply => {
  const { answer } = seen
  const headers = securityHeaders({
    requestId: pageRequest.requestId,
    isHttps: isHttps(pageRequest.baseUrl),
    formOrigins: answer._tag === "Shown" ? (answer.formOrigins ?? []) : []
  })
  const flash = flashCookie(isHttps(pageRequest.baseUrl))
  switch (answer._tag) {
    case "Shown":
      return shownReply(answer, seen, pageRequest, headers)
    case "Forbidden":
      return shownReply(forbiddenPage(answer.says), seen, pageRequest, headers)
    case "Missing":
      return shownReply(missingPage(pageRequest), seen, pageRequest, headers)
    case "Moved": {
      const said = answer.says === undefined ? [] : [flash.set(answer.says)]
      const cookies = [...(answer.cookies ?? []), ...said]
      return { status: 303, headers: { ...headers, location: answer.to }, cookies, text: "" }
    }
    case "File": {
      const disposition = `attachment; filename="${answer.fileName.replaceAll(/[^A-Za-z0-9._-]/g, "-")}"`
      const described = { "content-type": answer.contentType, "content-disposition": disposition }
      return { status: 200, headers: { ...headers, ...described }, cookies: [], text: answer.text }
    }
    case "Raw":
      return { status: 500, headers, cookies: [], text: "" }
  }
}

const missingPage = (pageRequest: PageRequest): PageAnswer =>
  failurePage("missing", { requestId: pageRequest.requestId, path: pathOf(pageRequest.request) })

const shownReply = (
  page: PageAnswer,
  seen: HandledPage,
  pageRequest: PageRequest,
  headers: Readonly<Record<string, string>>
): Reply => {
  const allow = seen.allow === undefined ? {} : { allow: seen.allow }
  const clear = pageRequest.said === undefined ? [] : [flashCookie(isHttps(pageRequest.baseUrl)).clear]
  return {
    status: page.status ?? 200,
    headers: { ...headers, ...page.headers, ...allow, "content-type": "text/html; charset=utf-8" },
    cookies: [...(page.cookies ?? []), ...clear],
    text: documentHtml({
      page,
      said: pageRequest.said,
      person: seen.person,
      memberships: seen.memberships ?? [],
      membership: seen.membership,
      notices: seen.notices ?? [],
      supportUrl: pageRequest.supportUrl
    })
  }
}
