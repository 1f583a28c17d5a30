import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Permission } from "../../core/organization/role.ts"
import type { Actor, Membership, Person } from "../../core/person/Person.ts"
import type { CookieText, Device } from "../../core/port/People.ts"
import type { Unavailable } from "../../core/handler/Handler.ts"
import type { Html } from "../html/html.ts"
import type { FlashCode } from "./flash.ts"
import type { Form } from "./form.ts"
import type { Section } from "./navigation.ts"

/*
 * How a page is added
 *
 * 1. A page is a row. Write it in a file of its own, `adapters/dashboard/<noun>/<noun>.ts`, and export a
 *    table:
 *
 *      export const keysPages = [
 *        memberPage({ method: "GET", path: "/dashboard/:organization/keys", answer: show }),
 *        memberPage({ method: "POST", path: "/dashboard/:organization/keys", permission: "create_key",
 *          answer: create })
 *      ] as const
 *
 *    then spread it into the table of `pages.ts`. Nothing else names it: the router, the sign-in, the 404
 *    for an organization somebody is no member of, the 403 for a permission they lack, the CSRF check, the
 *    frame and the security headers all come from the row.
 * 2. `openPage` is for anybody, `personPage` for whoever is signed in (others go to /login and come back),
 *    `memberPage` for a member of `:organization`: its pageRequest has the `actor` that core/admin takes.
 * 3. An answer is one of `shown`, `moved`, `forbidden`, `missing`, `file` or `raw` (answer.ts). A `GET`
 *    shows. A `POST` that succeeds is `moved` on with a `says` of flash.ts's closed table (add a row there);
 *    one that fails shows its page again with status 422 and its faults. What may be seen once only (a new
 *    key) is shown by the `POST` itself.
 * 4. Forms: `readFields(fields, request.form)` gives typed values or faults (fields.ts); `form`, `textField`,
 *    `choiceField`, `checkField` and `actionButton` write them, with labels, faults and the error summary
 *    (formParts.ts). `card`, `rows`, `table`, `empty`, `copyable`, `time`, `pill`, `figures` and
 *    `confirmation` are in parts.ts. Write HTML only with the `html` tag. No `style` attribute and no inline
 *    script: the policy forbids both. Styles are in style/; SVG is coloured by its classes.
 * 5. What fails with an `…Unavailable` becomes the 503 page, a defect the 500 page; do not catch them.
 * 6. Services of any kind may be yielded in `answer`: `makeDashboard` asks for the union of all rows' needs.
 *    Take ports through core/admin wherever something is changed.
 * 7. Say what a newcomer does next, have an empty state, and where somebody may not act, leave the button
 *    out and say who may: `whoMay(permission)` writes that sentence.
 */

/** What every page is given. */
export interface PageRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The segment that `:name` of the row's path stood for, decoded; "" where the path has none. */
  readonly param: (name: string) => string
  readonly query: URLSearchParams
  /** Empty on a GET. */
  readonly form: Form
  readonly cookie: CookieText
  readonly device: Device
  readonly requestId: string
  readonly nowMs: number
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly supportUrl: string
  /** Whether letters go to the service's log, for want of a mail server. */
  readonly mailIsLogged: boolean
  /** What the last action said of itself, shown once. */
  readonly said: FlashCode | undefined
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

export interface PageAnswer {
  readonly _tag: "Shown"
  /** 200 unless said; 422 for a form shown again. */
  readonly status?: number
  readonly title: string
  readonly body: Html
  /** The entry of the navigation this page belongs to. */
  readonly section?: Section
  /** `narrow` for a form alone; `wide`, the default, for lists and charts. */
  readonly width?: "narrow" | "wide"
  readonly cookies?: ReadonlyArray<string>
  /** Origins beside our own that this page's forms may lead to, as a consent's redirect does. */
  readonly formOrigins?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer =
  | PageAnswer
  /** 303 to a path of ours. */
  | {
      readonly _tag: "Moved"
      readonly to: string
      readonly says?: FlashCode
      readonly cookies?: ReadonlyArray<string>
    }
  /** 403 with one sentence that says who may. */
  | { readonly _tag: "Forbidden"; readonly says: string }
  /** 404. */
  | { readonly _tag: "Missing" }
  /** A download. */
  | {
      readonly _tag: "File"
      readonly contentType: string
      readonly fileName: string
      readonly text: string
    }
  /** Another's response, sent as it is; also when Node's own has been written already. */
  | { readonly _tag: "Raw"; readonly response: HttpServerResponse.HttpServerResponse }

export type Response<R> = Effect.Effect<Answer, Unavailable, R>

/** GET rows answer HEAD too. */
type Method = "GET" | "POST"

interface Row<Path extends string, V, R> {
  readonly method: Method
  readonly path: Path
  readonly answer: (pageRequest: V) => Response<R>
}

export type OpenPage<R> = Row<`/${string}`, OpenRequest, R> & { readonly who: "anybody" }
export type PersonPage<R> = Row<`/${string}`, PersonRequest, R> & { readonly who: "person" }
export type MemberPage<R> = Row<`/dashboard/:organization${string}`, MemberRequest, R> & {
  readonly who: "member"
  /** Whoever lacks it gets 403 before `answer`; core/admin decides all the same. */
  readonly permission?: Permission
}
export type Page<R> = OpenPage<R> | PersonPage<R> | MemberPage<R>

/** For anybody. */
export const openPage = <R>(row: Omit<OpenPage<R>, "who">): OpenPage<R> => ({ who: "anybody", ...row })

/** For whoever is signed in. */
export const personPage = <R>(row: Omit<PersonPage<R>, "who">): PersonPage<R> => ({ who: "person", ...row })

/** For the members of `:organization`. */
export const memberPage = <R>(row: Omit<MemberPage<R>, "who">): MemberPage<R> => ({ who: "member", ...row })
