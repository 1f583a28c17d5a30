import * as Effect from "effect/Effect"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Permission } from "../../core/organization/role.ts"
import { may } from "../../core/organization/role.ts"
import type { Membership, Person } from "../../core/person/Person.ts"
import { People } from "../../core/port/People.ts"
import { memberships as membershipsOf } from "../../core/admin/people.ts"
import type { Html } from "../html/html.ts"
import type { Failure } from "./failures.ts"
import { failurePage, forbiddenPage } from "./failures.ts"
import { nextOf, nextQuery } from "./next.ts"
import { noticesHtml } from "./page/notices.ts"
import type { Answer, MemberRequest, Page, PageRequest, PersonRequest } from "./Page.ts"
import { redirectTo } from "./Page.ts"
import { readForm } from "./sentForm.ts"

/** Who sees a page, as far as the frame around it shows. */
export interface Viewer {
  readonly person: Person
  readonly memberships: ReadonlyArray<Membership>
  readonly membership?: Membership
  readonly notices?: Html
}

export interface RoutedAnswer {
  readonly answer: Exclude<Answer, { readonly _tag: "Forbidden" | "Unknown" }>
  readonly viewer?: Viewer
}

/** Finds the row of a request, checks where the request comes from and who sends it, and runs the row. */
export const makeRouter = <R>(pages: ReadonlyArray<Page<R>>) => {
  const paths = [...Map.groupBy(pages, ({ path }) => path)]
    .map(([path, rows]) => ({ segments: path.split("/"), rows }))
    // A literal segment wins over `:name`.
    .toSorted((left, right) => paramCount(left.segments) - paramCount(right.segments))
  return Effect.fnUntraced(function* (request: PageRequest) {
    const requested = segmentsOf(request.path)
    const found = requested && paths.find(({ segments }) => matches(segments, requested))
    if (found === undefined) return failed("missing", request)
    const row = found.rows.find(({ method }) => method === request.method)
    if (row === undefined) return notAllowed(found.rows, request)
    const param = (name: string) => requested?.[found.segments.indexOf(`:${name}`)] ?? ""
    if (row.method === "GET") return yield* answerAs(row, { ...request, param })
    if (!isFromOurPages(request)) return failed("foreign", request)
    const form = yield* readForm(request.source)
    if (typeof form === "string") return failed(form, request)
    return yield* answerAs(row, { ...request, param, form })
  })
}

const paramCount = (segments: ReadonlyArray<string>): number =>
  segments.filter((segment) => segment.startsWith(":")).length

const matches = (segments: ReadonlyArray<string>, requested: ReadonlyArray<string>): boolean =>
  segments.length === requested.length &&
  segments.every((segment, index) =>
    segment.startsWith(":") ? requested[index] !== "" : segment === requested[index]
  )

/** Undefined: a segment is not valid percent-encoding, or holds a NUL. */
const segmentsOf = (path: string): ReadonlyArray<string> | undefined => {
  try {
    const segments = path.split("/").map(decodeURIComponent)
    return segments.some((segment) => segment.includes("\0")) ? undefined : segments
  } catch {
    return undefined
  }
}

/**
 * The CSRF check: browsers send Sec-Fetch-Site. If one does not, its Origin must be ours. A request with
 * neither header is refused, since a form of ours is always sent with one.
 */
const isFromOurPages = ({ baseUrl, source: { headers } }: PageRequest): boolean => {
  const fetchSite = headers["sec-fetch-site"]
  if (fetchSite !== undefined) return fetchSite === "same-origin"
  return headers.origin === new URL(baseUrl).origin
}

const answerAs = Effect.fnUntraced(function* <R>(row: Page<R>, request: PageRequest) {
  const person = yield* (yield* People).find(request.cookie)
  if (row.who === "anybody") {
    const answer = withoutRefusal(yield* row.answer({ ...request, person }), request)
    if (person === undefined || answer._tag !== "Page") return { answer }
    return { answer, viewer: { person, memberships: yield* membershipsOf(person) } }
  }
  if (person === undefined) return toSignIn(request)
  const memberships = yield* membershipsOf(person)
  const personRequest: PersonRequest = { ...request, person, memberships }
  if (row.who === "member") return yield* answerMember(row, personRequest)
  const answer = withoutRefusal(yield* row.answer(personRequest), request)
  return { answer, viewer: { person, memberships } }
})

const answerMember = Effect.fnUntraced(function* <R>(
  { answer: answerRow, permission }: Extract<Page<R>, { readonly who: "member" }>,
  request: PersonRequest
) {
  const { memberships, person } = request
  const organizationId = request.param("organization") as OrganizationId
  const membership = memberships.find((one) => one.organizationId === organizationId)
  if (membership === undefined) return { ...failed("missing", request), viewer: { person, memberships } }
  const actor = { person, organizationId, role: membership.role }
  const viewer = { person, memberships, membership }
  if (permission !== undefined && !may(actor.role, permission))
    return { answer: forbiddenPage(permission), viewer }
  const memberRequest: MemberRequest = { ...request, membership, actor, home: `/dashboard/${organizationId}` }
  const answer = withoutRefusal(yield* answerRow(memberRequest), request, permission)
  if (answer._tag !== "Page") return { answer, viewer }
  return { answer, viewer: { ...viewer, notices: yield* noticesHtml(memberRequest) } }
})

const withoutRefusal = (
  answer: Answer,
  request: PageRequest,
  permission?: Permission
): RoutedAnswer["answer"] => {
  if (answer._tag === "Unknown") return failurePage("missing", request)
  return answer._tag === "Forbidden" ? forbiddenPage(answer.permission ?? permission) : answer
}

const failed = (failure: Failure, request: PageRequest): RoutedAnswer => ({
  answer: failurePage(failure, request)
})

const notAllowed = (rows: ReadonlyArray<{ readonly method: string }>, request: PageRequest): RoutedAnswer => {
  const allow = rows.map(({ method }) => (method === "GET" ? "GET, HEAD" : method)).join(", ")
  return { answer: failurePage("method", request, { allow }) }
}

/** Somebody comes back to a page after sign-in, but not to an action: a link would then carry it out. */
const toSignIn = ({ method, url }: PageRequest): RoutedAnswer => ({
  answer: redirectTo(`/login${nextQuery(method === "POST" ? undefined : nextOf(url))}`)
})
