import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { makeDashboard } from "../../adapters/dashboard/dashboard.ts"
import * as Http from "../../adapters/http/server.ts"
import { makeAuthorizationServer } from "../../adapters/oauth/server.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import { Consents } from "../../core/port/Consents.ts"
import { Documents } from "../../core/port/Documents.ts"
import type { Site } from "../dashboard/useSite.ts"
import { siteStores } from "../dashboard/useSite.ts"

interface Surroundings {
  /** Where the metadata documents of clients are fetched. */
  readonly documents?: Layer.Layer<Documents>
  readonly trustedProxies?: ReadonlyArray<string>
}

/** The pages of people with the authorization server beside them, as the service mounts them. */
export const openConsentSite = async (
  baseUrl: string,
  { documents = nowhere, trustedProxies = [] }: Surroundings = {}
): Promise<Site> => {
  const scope = Scope.makeUnsafe()
  const listening = { host: "127.0.0.1", port: 0, trustedProxies, graceMs: 0 }
  const all = Http.layer(listening, ({ callerAddress }) =>
    Effect.gen(function* () {
      const server = yield* makeAuthorizationServer({ callerAddress })
      const dashboard = yield* Effect.provideService(
        makeDashboard({ callerAddress }),
        Consents,
        server.consents
      )
      return [dashboard, server]
    })
  ).pipe(
    Layer.provideMerge(Sandbox.layer),
    Layer.provideMerge(documents),
    Layer.provideMerge(siteStores(baseUrl))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(all, scope))
  const { address } = Context.get(context, HttpServer.HttpServer)
  return {
    url: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    run: (effect) => Effect.runPromise(Effect.provideContext(effect, context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const nowhere = Layer.succeed(Documents, { get: () => Effect.succeed({ _tag: "Refused" } as const) })
