import type { IncomingMessage } from "node:http"
import type * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Permission } from "../../core/organization/role.ts"
import type { Actor, Membership, Person } from "../../core/person/Person.ts"
import type { CookieText, Device } from "../../core/port/People.ts"
import type { Unavailable } from "../../core/handler/Handler.ts"
import type { Html } from "../html/html.ts"
import type { FlashCode } from "./flash.ts"
import type { SentForm } from "./sentForm.ts"

/*
 * How to add a page
 *
 * 1. Write its answer in the file of its noun, page/<noun>.ts, and add one row to pages.ts. Sign-in, the 404
 *    for people who are not members, the 403 for a missing permission, the CSRF check, the frame around the
 *    page and the security headers follow from the row (router.ts).
 * 2. A GET shows a page. A POST that succeeds redirects with a code of flash.ts; one that fails shows the
 *    form again with status 422. Only a POST may show what can be seen once, such as a new key.
 * 3. Declare a form once with `makeForm` (form.ts). It renders and parses itself.
 * 4. Write HTML with the `html` tag and the parts of parts.ts. The policy forbids inline styles and scripts.
 * 5. Change things through core/admin. Do not catch `…Unavailable`: it becomes the 503 page.
 * 6. Tell newcomers what to do next. Where somebody lacks a permission, leave out the button and show
 *    `whoMay(permission)`.
 */

/** What every page receives. */
export interface PageRequest {
  readonly source: IncomingMessage
  /** HEAD counts as GET. */
  readonly method: string
  /** The path with its query. */
  readonly url: string
  readonly path: string
  /** The decoded segment at `:name` of the row's path; "" if the path has none. */
  readonly param: (name: string) => string
  readonly query: URLSearchParams
  /** Empty on a GET. */
  readonly form: SentForm
  readonly cookie: CookieText
  readonly device: Device
  readonly requestId: string
  readonly nowMs: number
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly supportUrl: string
  /** Whether emails are written to the server log because no mail server is set. */
  readonly mailIsLogged: boolean
  /** What the last action reports, shown once. */
  readonly flash: FlashCode | undefined
}

export interface OpenRequest extends PageRequest {
  readonly person: Person | undefined
}

export interface PersonRequest extends PageRequest {
  readonly person: Person
  /** By name. */
  readonly memberships: ReadonlyArray<Membership>
}

export interface MemberRequest extends PersonRequest {
  readonly actor: Actor
  readonly membership: Membership
  /** `/dashboard/<organization id>`, for links. */
  readonly home: string
}

/** The pages of an organization, in the order of its navigation. */
export const sections = [
  { section: "usage", title: "Usage" },
  { section: "keys", title: "Keys" },
  { section: "credits", title: "Credits" },
  { section: "webhooks", title: "Webhooks" },
  { section: "members", title: "Members" },
  { section: "apps", title: "Apps" },
  { section: "audit", title: "Audit log" },
  { section: "settings", title: "Settings" }
] as const

export interface PageContent {
  readonly title: string
  readonly body: Html
  /** 200 by default. */
  readonly status?: number
  /** The entry of the navigation that this page belongs to. */
  readonly section?: (typeof sections)[number]["section"]
  /** `narrow` for a form alone; `wide`, the default, for lists and charts. */
  readonly width?: "narrow" | "wide"
  /** Other origins that this page's forms may lead to. */
  readonly formOrigins?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

/** Unknown and Forbidden results of core/admin are answers as they are. */
export type Answer =
  | { readonly _tag: "Page"; readonly page: PageContent }
  /** 303 to a path of ours. */
  | {
      readonly _tag: "Redirect"
      readonly to: string
      readonly flash: FlashCode | undefined
      readonly cookies: ReadonlyArray<string>
    }
  /** 403: the person lacks this permission, by default the row's. */
  | { readonly _tag: "Forbidden"; readonly permission?: Permission }
  /** 404: it does not exist, or another organization has it. */
  | { readonly _tag: "Unknown" }
  /** Sent as it is. */
  | { readonly _tag: "Raw"; readonly response: HttpServerResponse.HttpServerResponse }

/** A page. */
export const showPage = (page: PageContent): Extract<Answer, { readonly _tag: "Page" }> => ({
  _tag: "Page",
  page
})

/** To a path of ours, after an action that is done. */
export const redirectTo = (
  to: string,
  flash?: FlashCode,
  cookies: ReadonlyArray<string> = []
): Extract<Answer, { readonly _tag: "Redirect" }> => ({ _tag: "Redirect", to, flash, cookies })

/** 404. */
export const notFound: Answer = { _tag: "Unknown" }

/** What a row runs. */
export type PageHandler<Request, R> = (request: Request) => Effect.Effect<Answer, Unavailable, R>

/** One row of the router. */
export type Page<R> = { readonly method: "GET" | "POST"; readonly path: `/${string}` } & (
  | { readonly who: "anybody"; readonly answer: PageHandler<OpenRequest, R> }
  /** Everybody else is sent to /login and comes back. */
  | { readonly who: "person"; readonly answer: PageHandler<PersonRequest, R> }
  /** The members of `:organization`; `permission` is checked before the answer runs. */
  | {
      readonly who: "member"
      readonly permission: Permission | undefined
      readonly answer: PageHandler<MemberRequest, R>
    }
)
