import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { mcpPage } from "../../adapters/http/docs/navigation.ts"
import type { Mount } from "../../adapters/http/Mount.ts"
import type { MountDependencies } from "../../adapters/http/server.ts"
import { metadataRoutes } from "../../core/oauth/metadata.ts"
import { metricsPage } from "../../adapters/telemetry/metricsPage.ts"
import type { Config } from "./config.ts"
import { gatherMetrics } from "./workerMetrics.ts"
import { isWorker } from "./workers.ts"

/** The paths of people's pages; a test holds them to those of the pages' own table. */
export const pagePaths = [
  "/",
  "/signup/*",
  "/verify/*",
  "/login/*",
  "/logout/*",
  "/forgot/*",
  "/reset/*",
  "/dashboard/*",
  "/invitations/*",
  "/oauth/*",
  "/assets/*"
] as const satisfies Mount["paths"]

/** The paths of the authorization server, held to its own list by the same test. */
export const authorizationPaths = [
  "/oauth/authorize",
  "/oauth/authorize/:uid",
  "/oauth/token",
  "/oauth/register",
  "/oauth/revoke",
  ...metadataRoutes
] as const satisfies Mount["paths"]

/** The paths of the MCP server (adapters/mcp/makeMcp.ts, mcpPaths), which is loaded by its first caller. */
export const agentPaths = ["/mcp", "/mcp/"] as const satisfies Mount["paths"]

/**
 * What the service answers beside the API: pages, OAuth, MCP and its metrics. The libraries of the first
 * three would double the time of a start and its memory, so each is loaded by whoever first asks for it.
 */
export const mountsOf = (config: Config) =>
  Effect.fnUntraced(function* (parts: MountDependencies) {
    const development = config.environment === "development"
    const loopbackPorts = development ? loopbackPortsOf(config) : []
    const people = yield* once(
      Effect.flatMap(
        Effect.promise(() => import("./people.ts")),
        ({ makePeople }) =>
          makePeople(parts, {
            mailIsLogged: config.smtpUrl === undefined,
            redirectSchemes: config.redirectSchemes,
            loopbackPorts
          })
      )
    )
    const agents = yield* once(
      Effect.flatMap(
        Effect.promise(() => import("./agents.ts")),
        ({ makeAgents }) => makeAgents(parts, { development, loopbackPorts })
      )
    )
    return [
      { paths: pagePaths, handle: requestOf(people, ({ dashboard }) => dashboard) },
      { paths: authorizationPaths, handle: requestOf(people, ({ authorization }) => authorization) },
      { paths: agentPaths, guide: mcpPage, handle: requestOf(agents, (mcp) => mcp) },
      metricsPage({
        trustedProxies: config.trustedProxies,
        ...(isWorker() ? { gather: gatherMetrics } : {})
      })
    ] satisfies ReadonlyArray<Mount>
  })

/** The ports on this machine that lead to the server: its own, and that of a BASE_URL on this machine. */
const loopbackPortsOf = ({ baseUrl, port }: Config): ReadonlyArray<number> => {
  const base = new URL(baseUrl)
  const mapped = ["localhost", "127.0.0.1", "[::1]"].includes(base.hostname) && base.protocol === "http:"
  return [...new Set([port, ...(mapped ? [Number(base.port || 80)] : [])])]
}

type Handle = Mount["handle"]

/**
 * A surface that cannot be built now, since a store is unavailable, is 503 in the envelope of every other
 * error.
 */
const requestOf =
  <Built, E>(
    built: Effect.Effect<Built, E>,
    surface: (built: Built) => { readonly handle: Handle }
  ): Handle =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.matchCauseEffect(built, {
      onSuccess: (found) => surface(found).handle(request),
      onFailure: () =>
        Effect.as(Effect.logError("a surface could not be loaded"), HttpServerResponse.empty({ status: 503 }))
    })

/**
 * Builds something when it is first asked for, once for all who ask, and keeps it until the scope around this
 * ends. What could not be built is built again for whoever asks next, so that a store that was unavailable
 * for a moment closes no door for good.
 */
export const once = <A, E, R>(build: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const context = yield* Effect.context<Exclude<R, Scope.Scope>>()
    let building: Fiber.Fiber<A, E> | undefined
    const fresh = Effect.gen(function* () {
      const scope = yield* Scope.fork(outer)
      return yield* Effect.onExit(Scope.provide(build, scope), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
      )
    }).pipe(
      Effect.tapCause(() =>
        Effect.sync(() => {
          building = undefined
        })
      ),
      Effect.provideContext(context)
    ) as Effect.Effect<A, E>
    return Effect.gen(function* () {
      // Detached, so that a caller who leaves takes nobody's along.
      building ??= yield* Effect.forkDetach(fresh)
      return yield* Fiber.join(building)
    })
  })
