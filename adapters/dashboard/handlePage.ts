import type { IncomingMessage } from "node:http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { idRandomBytes, timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { may } from "../../core/organization/role.ts"
import type { Membership, Person } from "../../core/person/Person.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { People } from "../../core/port/People.ts"
import { Settings } from "../../core/port/Settings.ts"
import { memberships as membershipsOf } from "../../core/admin/people.ts"
import type { Html } from "../html/html.ts"
import { whoMay } from "./answer.ts"
import type { Failure } from "./failures.ts"
import { failurePage, forbiddenPage } from "./failures.ts"
import { flashCookie } from "./flashCookie.ts"
import type { FormUnread } from "./form.ts"
import { noForm, readForm } from "./form.ts"
import { nextOf, nextQuery } from "./next.ts"
import { notices } from "./notices.ts"
import type { Answer, MemberRequest, Page, PageRequest } from "./Page.ts"
import type { Path } from "./paths.ts"
import { isOwnRequest } from "./requestSource.ts"

/** An answer, and what of its visitor the frame shows. */
export interface HandledPage {
  readonly answer: Answer
  readonly allow?: string
  readonly person?: Person
  readonly memberships?: ReadonlyArray<Membership>
  readonly membership?: Membership
  readonly notices?: ReadonlyArray<Html>
}

/** How the caller's address is told behind proxies. */
export type CallerAddress = (peer: string, forwardedFor: string | undefined) => string

/** What the operator decides of the pages. */
export interface DashboardParts {
  readonly callerAddress: CallerAddress
  /** Whether letters go to the service's log, for want of a mail server; absent: they are sent. */
  readonly mailIsLogged?: boolean
}

/** What a request says before anybody is asked: who sends it, from where, and what the last action said. */
export const pageRequestOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { callerAddress, mailIsLogged = false }: DashboardParts
) {
  const { baseUrl, supportUrl } = yield* Settings
  const { randomBytes } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const { headers, socket } = sourceOf(request)
  const cookie = headers.cookie ?? null
  const pageRequest: PageRequest = {
    request,
    param: () => "",
    query: new URLSearchParams(request.url.split("?").slice(1).join("?")),
    form: noForm,
    cookie,
    device: {
      address: callerAddress(socket.remoteAddress ?? "", headers["x-forwarded-for"]?.toString()),
      agent: headers["user-agent"]?.slice(0, agentCharactersMax) ?? null
    },
    requestId: `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`,
    nowMs,
    baseUrl,
    supportUrl,
    mailIsLogged,
    said: flashCookie(isHttps(baseUrl)).read(cookie)
  }
  return pageRequest
})

/** Finds the row, judges whence the request comes, reads its form, and lets the row answer its visitor. */
export const handlePage = Effect.fnUntraced(function* <R>(paths: Path<Page<R>>, asked: PageRequest) {
  const { request } = asked
  const found = paths.find(pathOf(request))
  if (found === undefined) return failed("missing", asked)
  const method = request.method === "HEAD" ? "GET" : request.method
  const row = found.rows.find((each) => each.method === method)
  if (row === undefined) return { ...failed("method", asked), allow: allowed(found.rows) }
  const pageRequest: PageRequest = { ...asked, param: found.param }
  if (row.method === "GET") return yield* answered(row, pageRequest)
  if (!isOwn(pageRequest)) return failed("foreign", pageRequest)
  const read = yield* readForm(sourceOf(request))
  if (read._tag === "Unread") return failed(unreadFailures[read.status], pageRequest)
  return yield* answered(row, { ...pageRequest, form: read.form })
})

export const pathOf = (request: HttpServerRequest.HttpServerRequest): string =>
  request.url.split("?", 1)[0] ?? ""

export const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:")

/** Longer than any browser calls itself. */
const agentCharactersMax = 500

const unreadFailures: Readonly<Record<FormUnread["status"], Failure>> = {
  400: "unread",
  413: "long",
  415: "format"
}

const answered = Effect.fnUntraced(function* <R>(row: Page<R>, pageRequest: PageRequest) {
  const person = yield* (yield* People).find(pageRequest.cookie)
  if (row.who === "anybody") return yield* openTo(row.answer({ ...pageRequest, person }), person)
  if (person === undefined) return toSignIn(pageRequest)
  const memberships = yield* membershipsOf(person)
  if (row.who === "person")
    return { person, memberships, answer: yield* row.answer({ ...pageRequest, person, memberships }) }
  const organizationId = pageRequest.param("organization")
  const membership = memberships.find((each) => each.organizationId === organizationId)
  if (membership === undefined) return { ...failed("missing", pageRequest), person, memberships }
  const seen = { person, memberships, membership }
  const actor = { person, organizationId: organizationId as OrganizationId, role: membership.role }
  const { permission } = row
  if (permission !== undefined && !may(actor.role, permission))
    return { ...seen, answer: forbiddenPage(whoMay(permission)) }
  const memberRequest: MemberRequest = {
    ...pageRequest,
    ...seen,
    actor,
    home: `/dashboard/${organizationId}`
  }
  const answer = yield* row.answer(memberRequest)
  return { ...seen, answer, notices: answer._tag === "Shown" ? yield* notices(memberRequest) : [] }
})

// The frame of a page for anybody names who is signed in and where they belong.
const openTo = Effect.fnUntraced(function* <E, R>(
  answering: Effect.Effect<Answer, E, R>,
  person: Person | undefined
) {
  const answer = yield* answering
  if (person === undefined || answer._tag !== "Shown") return { answer }
  return { answer, person, memberships: yield* membershipsOf(person) }
})

const failed = (failure: Failure, pageRequest: PageRequest): HandledPage => ({
  answer: failurePage(failure, { requestId: pageRequest.requestId, path: pathOf(pageRequest.request) })
})

/** A page is come back to; an action is not, for it would be done by a link. */
const toSignIn = (pageRequest: PageRequest): HandledPage => {
  const next = pageRequest.request.method === "POST" ? undefined : nextOf(pageRequest.request.url)
  return { answer: { _tag: "Moved", to: `/login${nextQuery(next)}` } }
}

const isOwn = ({ baseUrl, request }: PageRequest): boolean => {
  const { headers } = sourceOf(request)
  const fetchSite = headers["sec-fetch-site"]?.toString()
  return isOwnRequest({ fetchSite, origin: headers.origin }, new URL(baseUrl).origin)
}

const allowed = (rows: ReadonlyArray<{ readonly method: string }>): string =>
  rows.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")

const sourceOf = (request: HttpServerRequest.HttpServerRequest) => request.source as IncomingMessage
