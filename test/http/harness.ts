import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Mount } from "../../adapters/http/Mount.ts"
import * as Http from "../../adapters/http/server.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import type { FieldFault } from "../../core/error/details.ts"
import type { Crypto } from "../../core/port/Crypto.ts"
import type { Settings } from "../../core/port/Settings.ts"
import type { Signatures as SigningPort } from "../../core/port/Signatures.ts"
import { deliveryJob } from "../../core/job/deliveryJob.ts"
import { memoryReceivers, settings } from "./settings.ts"

export { customer, keyFor } from "./customers.ts"
export type { Customer } from "./customers.ts"
export { baseUrl, healthy, settings, supportUrl } from "./settings.ts"

/** The service on a socket of its own, over the given ports; closed by `close`. */
export interface ServedApp<Ports> {
  readonly url: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports | Crypto | Settings | SigningPort>) => Promise<A>
  readonly close: () => Promise<void>
}

/** Runs the deliveries of a composition, as a server does beside its calls. */
export const withDeliveries = <Ports, E, R>(ports: Layer.Layer<Ports | Worked, E, R>) =>
  Layer.effectDiscard(deliveryJob).pipe(
    Layer.provideMerge(ports),
    Layer.provide(Layer.merge(memoryReceivers, settings))
  )

type Worked = Effect.Services<typeof deliveryJob> extends infer Need ? Exclude<Need, Given> : never
type Given = Layer.Success<typeof memoryReceivers> | Layer.Success<typeof settings> | Scope.Scope

type Needs = Layer.Services<ReturnType<typeof Http.layer>>

export interface ServeOptions
  extends Pick<Http.ListenAddress, "drainSeconds" | "graceMs" | "isHttpsOnly" | "keepAliveSeconds"> {
  readonly mounts?: ReadonlyArray<Mount>
}

/** Starts the HTTP surface over a composition of ports, and leaves the ports reachable for seeding. */
export const serve = async <Ports, E>(
  ports: Layer.Layer<Ports, E>,
  trustedProxies: ReadonlyArray<string> = [],
  { mounts = [], ...ending }: ServeOptions = { graceMs: 0 }
): Promise<ServedApp<Ports>> => {
  const scope = Scope.makeUnsafe()
  const given = Layer.mergeAll(memoryReceivers, settings, ports)
  const listening = { host: "127.0.0.1", port: 0, trustedProxies, ...ending }
  const all = Http.layer(listening, () => Effect.succeed(mounts)).pipe(
    Layer.provideMerge(Layer.provideMerge(Sandbox.layer, given))
  )
  const context = await Effect.runPromise(
    Layer.buildWithScope(
      all as Layer.Layer<
        Ports | HttpServer.HttpServer | Crypto | Settings | SigningPort,
        E,
        Exclude<Needs, Needs>
      >,
      scope
    )
  )
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = "port" in address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    run: (effect) => Effect.runPromise(Effect.provideContext(effect, context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** What every envelope of an error holds. */
export interface ErrorBody {
  readonly success: false
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly docUrl: string
    readonly retryable: boolean
    readonly details?: Readonly<Record<string, unknown>> & { readonly fields?: ReadonlyArray<FieldFault> }
  }
  readonly meta: { readonly request_id: string; readonly timestamp: string }
}
