import type { IncomingMessage, ServerResponse } from "node:http"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { KoaContextWithOIDC } from "oidc-provider"
import { Provider } from "oidc-provider"
import { newClientId } from "../../core/oauth/client.ts"
import type { OAuthUse } from "../../core/oauth/limits.ts"
import { registrationUses } from "../../core/oauth/limits.ts"
import { metadataRoutes, oauthPaths } from "../../core/oauth/metadata.ts"
import { appSchemes } from "../../core/oauth/redirectUri.ts"
import type { ResourcePlace } from "../../core/oauth/resource.ts"
import { readResource } from "../../core/oauth/resource.ts"
import { idRandomBytes } from "../../core/id/timeId.ts"
import type { Consents } from "../../core/port/Consents.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Settings } from "../../core/port/Settings.ts"
import { around, makeRenderError } from "./answer.ts"
import { configurationOf, cookieNames } from "./configuration.ts"
import { makeConsents } from "./consents.ts"
import type { ErrorPage } from "./errorPage.ts"
import { plainErrorPage, messageOf } from "./errorPage.ts"
import { makeFetch } from "./fetch.ts"
import { makeLimit } from "./limit.ts"
import { makeStorage } from "./Storage.ts"
import type { RewriteField } from "./tokenRequest.ts"
import { registrationAhead, rewrittenForm } from "./tokenRequest.ts"
import { wellKnown } from "./wellKnown.ts"

export interface AuthorizationServerParts {
  /** Who calls, as the operator's TRUSTED_PROXIES tell it. */
  readonly callerAddress: (peer: string, forwardedFor: string | undefined) => string
  /** How an error is shown where no client can be told; a page without style unless given. */
  readonly errorPage?: ErrorPage
  /** Schemes that the operator adds to `appSchemes`. */
  readonly redirectSchemes?: ReadonlyArray<string>
  /** In development, the ports on which every loopback name is this server. */
  readonly loopbackPorts?: ReadonlyArray<number>
}

/** The authorization server: a mount of the HTTP surface, and what the page of consent asks. */
export interface AuthorizationServer {
  readonly paths: ReadonlyArray<`/${string}`>
  readonly handle: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  readonly consents: Consents["Service"]
}

/** Builds the server over the ports around it. */
export const makeAuthorizationServer = Effect.fnUntraced(function* (parts: AuthorizationServerParts) {
  const { baseUrl } = yield* Settings
  const errorPage = parts.errorPage ?? plainErrorPage
  const place = { baseUrl, loopbackPorts: parts.loopbackPorts ?? [] }
  const schemes = [...appSchemes, ...(parts.redirectSchemes ?? [])]
  const { randomBytes } = yield* Crypto
  const limiting = yield* makeLimit
  const { adapter, settle } = yield* makeStorage
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const complain = yield* makeLogErrors
  const addressOf = (source: IncomingMessage): string =>
    parts.callerAddress(source.socket.remoteAddress ?? "", source.headers["x-forwarded-for"]?.toString())
  const mayFetch = async (ctx: KoaContextWithOIDC | undefined): Promise<boolean> =>
    ctx === undefined || (await run(limiting([{ limit: "metadata" }], addressOf(ctx.req)))) === undefined

  const provider = new Provider(
    baseUrl,
    configurationOf({
      baseUrl,
      schemes,
      adapter,
      fetch: yield* makeFetch,
      mayFetch,
      renderError: makeRenderError(errorPage),
      newClientId: () => newClientId({ nowMs: Date.now(), randomBytes: randomBytes(idRandomBytes) })
    })
  )
  provider.proxy = baseUrl.startsWith("https://")
  provider.silent = true
  provider.use(around({ place, errorPage, settle, complain }))
  provider.on("server_error", (_ctx, error) => complain(error))
  const answer = provider.callback()

  const handle = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const source = request.source as IncomingMessage
      const path = request.url.split("?", 1)[0] ?? ""
      const { host } = source.headers
      const document = wellKnown(place, { method: request.method, path, host })
      if (document !== undefined) return document
      const methods = methodsOf(path)
      if (request.method === "OPTIONS" && methods === "POST") return preflight
      if (!methods.split(" ").includes(request.method)) return unknown
      const { read, uses } = yield* reading(source, path, place)
      const seconds = yield* limiting(uses, addressOf(source))
      if (seconds !== undefined) return slowDown(path, seconds, errorPage)
      const response = toServerResponse(request) as ServerResponse
      if (methods === "POST")
        for (const [name, value] of Object.entries(shared)) response.setHeader(name, value)
      yield* Effect.promise(() => answered(answer, named(read, baseUrl), response))
      return HttpServerResponse.empty()
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.sync(() => complain(cause)),
          away
        )
      )
    )

  return {
    paths: authorizationServerPaths,
    handle,
    consents: makeConsents({ provider, cookieName: cookieNames(baseUrl).interaction, schemes })
  } satisfies AuthorizationServer
})

/** Returns the request as the library reads it, and what it uses of its address's limits. */
const reading = (
  source: IncomingMessage,
  path: string,
  place: ResourcePlace
): Effect.Effect<{ readonly read: IncomingMessage; readonly uses: ReadonlyArray<OAuthUse> }> => {
  if (path === oauthPaths.token)
    return Effect.map(
      orAsSent(() => rewrittenForm(source, tokenField(place)), source),
      (read) => ({ read, uses: [] })
    )
  if (path === oauthPaths.register)
    return Effect.map(
      orAsSent(() => registrationAhead(source), { redirectUris: [], read: source }),
      ({ read, redirectUris }) => ({ read, uses: registrationUses(redirectUris) })
    )
  return Effect.succeed({
    read: source,
    uses: path === oauthPaths.authorize ? [{ limit: "authorization" }] : []
  })
}

/** A body that breaks off is left for the library to reject. */
const orAsSent = <Read>(read: () => Promise<Read>, sent: Read): Effect.Effect<Read> =>
  Effect.catchDefect(Effect.promise(read), () => Effect.succeed(sent))

/**
 * The scope is always the whole of ours, as at the authorization endpoint: a scope that was dropped there is
 * dropped here too. The resource is always written in one way.
 */
const tokenField =
  (place: ResourcePlace): RewriteField =>
  (name, value) => {
    if (name === "scope") return undefined
    return name === "resource" ? (readResource(place, value) ?? value) : value
  }

/** What is answered at which path; HEAD is GET without its body. */
const endpoints: Readonly<Record<string, string>> = {
  [oauthPaths.authorize]: "GET HEAD",
  [oauthPaths.token]: "POST",
  [oauthPaths.register]: "POST",
  [oauthPaths.revoke]: "POST"
}
/** Where a browser comes back to from the page of consent. */
const resumePath = `${oauthPaths.authorize}/:uid`
/** What to mount. */
export const authorizationServerPaths = [
  ...Object.keys(endpoints),
  resumePath,
  ...metadataRoutes
] as ReadonlyArray<`/${string}`>

const methodsOf = (path: string): string => endpoints[path] ?? "GET HEAD"

/** The issuer is BASE_URL, whatever the request or a proxy calls us. */
const named = (source: IncomingMessage, baseUrl: string): IncomingMessage => {
  const { host, protocol } = new URL(baseUrl)
  source.headers.host = host
  source.headers["x-forwarded-proto"] = protocol.slice(0, -1)
  delete source.headers["x-forwarded-host"]
  return source
}

const answered = (
  answer: ReturnType<Provider["callback"]>,
  source: IncomingMessage,
  response: ServerResponse
): Promise<void> =>
  new Promise((resolve) => {
    // It was closed already if the client disconnected while its body was read.
    if (response.destroyed) return resolve()
    response.once("close", resolve)
    void answer(source, response)
  })

/** Browsers' clients call these; they carry no cookie and read nothing that their caller may not have. */
const shared = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, WWW-Authenticate"
} as const

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...shared,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "3600"
  }
})

/** The HTTP surface words these itself. */
const unknown = HttpServerResponse.empty({ status: 404 })
const away = HttpServerResponse.empty({ status: 500 })

const slowDown = (path: string, seconds: number, errorPage: ErrorPage) => {
  const status = 429
  const headers = { ...shared, "retry-after": String(seconds), "cache-control": "no-store" }
  const out = { error: "slow_down", error_description: `too many requests: try again in ${seconds} seconds` }
  if (path === oauthPaths.register)
    return HttpServerResponse.text(JSON.stringify(out), {
      status,
      headers,
      contentType: "application/json; charset=utf-8"
    })
  const page = errorPage({ status, error: out.error, says: messageOf(out.error, undefined) })
  return HttpServerResponse.text(page.text, {
    status,
    headers: { ...headers, ...page.headers },
    contentType: "text/html; charset=utf-8"
  })
}

const makeLogErrors = Effect.map(Effect.context<never>(), (context) => {
  const run = Effect.runForkWith(context)
  // Its name and message alone: what it holds may hold a token.
  return (error: unknown): void =>
    void run(
      Effect.annotateLogs(Effect.logError("the authorization server failed"), {
        reason: error instanceof Error ? `${error.name}: ${error.message}` : "unknown"
      })
    )
})
