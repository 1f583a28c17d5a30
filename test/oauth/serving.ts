import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as PostgresAudit from "../../adapters/postgres/Audit.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { makeAuthorizationServer } from "../../adapters/oauth/server.ts"
import { Consents } from "../../core/port/Consents.ts"
import { Documents } from "../../core/port/Documents.ts"
import type { FetchResult } from "../../core/port/Documents.ts"
import { OAuthRecords, OAuthRecordsUnavailable } from "../../core/port/OAuthRecords.ts"
import { Settings } from "../../core/port/Settings.ts"
import { postgresOAuth } from "../kit/oauths.ts"
import { postgresLayer } from "../kit/postgres.ts"

/** What the server calls itself, whatever socket the tests reach it by. */
export const baseUrl = "https://api.coverage.example"

/** The documents of clients on an internet of the tests' own. */
export const documents = new Map<string, FetchResult>()

/** While true, no exchange can be carried out. */
export const outage = { isOn: false }

const failing = Layer.effect(
  OAuthRecords,
  Effect.map(OAuthRecords, (records) => ({
    ...records,
    exchange: (input) =>
      outage.isOn
        ? Effect.fail(new OAuthRecordsUnavailable({ fault: "unreachable" }))
        : records.exchange(input)
  }))
)

const given = Layer.mergeAll(
  MemoryLimits.layer,
  NodeCrypto.layer,
  Layer.succeed(Settings, {
    baseUrl,
    supportUrl: "https://coverage.example/support",
    secretKeys: ["a secret key of the tests, 32 characters long"]
  }),
  Layer.succeed(Documents, {
    get: ({ url }) => Effect.sync(() => documents.get(url) ?? { _tag: "Refused" })
  })
)

const stores = Layer.merge(PostgresAudit.layer, postgresOAuth).pipe(Layer.provideMerge(postgresLayer))

type Stores = Layer.Success<typeof stores>
type Ports = Stores | Layer.Success<typeof given> | Consents

export interface OAuthSite {
  readonly url: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Promise<A>
  readonly close: () => Promise<void>
  /** Every line of the server's log so far. */
  readonly log: ReadonlyArray<string>
  readonly stores: Context.Context<Stores>
}

/** Starts the authorization server on a socket of its own, over a new database or that of another server. */
export const serve = async (beside?: OAuthSite): Promise<OAuthSite> => {
  const log: Array<string> = []
  const scope = Scope.makeUnsafe()
  const mounted = Layer.effectContext(
    Effect.gen(function* () {
      const { consents, handle, paths } = yield* makeAuthorizationServer({ callerAddress: addressOf })
      const routes = HttpRouter.use((router) =>
        Effect.forEach(paths, (path) => router.add("*", path, handle, { uninterruptible: true }), {
          discard: true
        })
      )
      const served = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })
      yield* Layer.build(served)
      return Context.make(Consents, consents)
    })
  ).pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(
      Layer.provideMerge(failing, beside === undefined ? stores : Layer.succeedContext(beside.stores))
    ),
    Layer.provideMerge(given),
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void log.push(line))]))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.fresh(mounted), scope))
  const { address } = Context.get(context, HttpServer.HttpServer)
  return {
    url: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    run: (effect) => Effect.runPromise(Effect.provideContext(effect, context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    log,
    stores: context
  }
}

/** The tests say themselves whence they call. */
const addressOf = (peer: string, forwardedFor: string | undefined): string => forwardedFor ?? peer
