import type { KoaContextWithOIDC, Provider } from "oidc-provider"
import { oauthPaths } from "../../core/oauth/metadata.ts"
import type { ResourcePlace } from "../../core/oauth/resource.ts"
import { readResource } from "../../core/oauth/resource.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import { shownMetadata } from "./clientPolicy.ts"
import { cookieNames } from "./configuration.ts"
import type { ErrorPage } from "./errorPage.ts"
import { messageOf } from "./errorPage.ts"
import type { Storage } from "./Storage.ts"

type Middleware = Parameters<Provider["use"]>[0]

/** What stands around every call of the library's. */
interface Around {
  readonly place: ResourcePlace
  readonly errorPage: ErrorPage
  readonly settle: Storage["settle"]
  /** Hears of a fault of ours; nothing of it is told to the caller. */
  readonly complain: (error: unknown) => void
}

/**
 * Around the library: the request is narrowed to what we offer before, the exchange is carried out and faults
 * are worded after. An answer is sent when all of it is done.
 */
export const around =
  ({ complain, errorPage, place, settle }: Around): Middleware =>
  async (ctx, next) => {
    if (ctx.path === oauthPaths.authorize) ctx.querystring = narrowed(ctx.querystring, place)
    try {
      await next()
      await settle(ctx as KoaContextWithOIDC)
      if (ctx.status === 201) ctx.body = shownMetadata(ctx.body as Readonly<Record<string, unknown>>)
    } catch (error) {
      complain(error)
      fail(ctx, errorPage)
    }
    dropSession(ctx, cookieNames(place.baseUrl).session)
    ctx.set(standing)
  }

/** Renders what the library cannot tell the client, by a redirect or as JSON. */
export const makeRenderError =
  (errorPage: ErrorPage) =>
  (
    ctx: Pick<KoaContextWithOIDC, "body" | "querystring" | "set" | "status" | "type">,
    out: ErrorOut
  ): void => {
    const clientId = new URLSearchParams(ctx.querystring).get("client_id") ?? undefined
    const says = messageOf(out.error, out.error_description, clientId)
    const { headers, text } = errorPage({ status: ctx.status, error: out.error, says })
    ctx.type = "html"
    ctx.set({ ...headers })
    ctx.body = text
  }

interface ErrorOut {
  readonly error: string
  readonly error_description?: string | undefined
}

/**
 * Rewrites the parameters of the authorization endpoint. The scope is always all of ours (RFC 6749 §3.3
 * allows that): a client that requests more, or OpenID, gets these scopes, and the response lists them. The
 * resource is always written in one way. A repeated parameter stays repeated, and is rejected.
 */
const narrowed = (query: string, place: ResourcePlace): string => {
  const asked = new URLSearchParams(query)
  const kept = [...asked]
    .filter(([name, value]) => parameters.has(name) && (name !== "prompt" || value === "none"))
    .map(([name, value]): [string, string] => [
      name,
      name === "resource" ? (readResource(place, value) ?? value) : value
    ])
  return new URLSearchParams([...kept, ["scope", oauthScopes.join(" ")]]).toString()
}

const parameters: ReadonlySet<string> = new Set([
  "client_id",
  "response_type",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "prompt",
  "request",
  "request_uri"
])

/** The library's own session is never read again: whom it would remember is asked of the pages each time. */
const dropSession = (ctx: Parameters<Middleware>[0], name: string): void => {
  const cookies = [ctx.res.getHeader("set-cookie") ?? []].flat().map(String)
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.`))
  if (kept.length === cookies.length) return
  if (kept.length === 0) ctx.res.removeHeader("set-cookie")
  else ctx.res.setHeader("set-cookie", kept)
}

const fail = (ctx: Parameters<Middleware>[0], errorPage: ErrorPage): void => {
  const out = { error: "server_error", error_description: "something went wrong, try again" }
  ctx.status = 503
  if (ctx.path.startsWith(oauthPaths.authorize)) makeRenderError(errorPage)(ctx, out)
  else ctx.body = out
}

const standing = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
} as const
