import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { createServer } from "node:http"
import { headerBytesMax } from "../../core/admission/body.ts"
import { makeNewEnvelope } from "../../core/call/answer.ts"
import { leakedKeyPath } from "../../core/call/leakedKey.ts"
import { makeLibraries } from "../../core/call/libraries.ts"
import { makePipeline } from "../../core/call/pipeline.ts"
import { Signatures } from "../../core/port/Signatures.ts"
import { logOthers } from "./accessLog.ts"
import { addMounts } from "./addMounts.ts"
import type { AccessLog } from "./accessLog.ts"
import type { Edge } from "./Edge.ts"
import { routerConfig } from "./Route.ts"
import { envelopeClientErrors } from "./clientError.ts"
import { makeConnections } from "./connections.ts"
import type { Connections } from "./connections.ts"
import { intercept, makeDirect, makeRejectHead } from "./direct.ts"
import type { Intercept } from "./direct.ts"
import { addDocs } from "./docs/addDocs.ts"
import { addNearby } from "./docs/addNearby.ts"
import { addStatus } from "./docs/addStatus.ts"
import { notFoundPage } from "./docs/missing.ts"
import { answerContinues } from "./expectContinue.ts"
import { addFallback } from "./fallback.ts"
import { jwks } from "./jwks.ts"
import type { Mount } from "./Mount.ts"
import { readyPath, readyRoute } from "./ready.ts"
import { makeCallerAddress, makeNodeRead, routedRead } from "./request.ts"
import { routedSend } from "./response.ts"
import { addRoutes } from "./routes.ts"
import type { Parts } from "./routes.ts"
import { strictTransport, withStrictTransport } from "./strictTransport.ts"
import { withTrace, withoutTrace } from "./tracing.ts"

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** CIDRs whose X-Forwarded-For is believed. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether a span is opened for each call; absent: none is. */
  readonly isTraced?: boolean
  /** From SIGTERM on, seconds in which `/ready` is 503 and calls are still taken; absent: 0. */
  readonly drainSeconds?: number
  /** Takes a line for each answer; absent: there is no access log. */
  readonly accessLog?: AccessLog | undefined
  /** Whether clients reach the server by https alone, so that every answer states it; absent: false. */
  readonly isHttpsOnly?: boolean
  /** How long an idle connection is kept open; absent: 75 s. */
  readonly keepAliveSeconds?: number
  /** How long a kept connection is waited for while the server closes; absent: 1 s. */
  readonly graceMs?: number
}

/**
 * A client gets this long to send its headers, and its whole request; a slower one is a stuck or a hostile
 * one.
 */
const headersMs = 10_000

const requestMs = 30_000

/** How late those two may act. */
const timeoutsEveryMs = 1_000

/** Longer than the idle time of common load balancers, which must be the ones to close. */
const standardKeepAliveSeconds = 75

/** How long SIGTERM waits for calls in flight: the call's deadline and a little. */
const drainMs = 12_000

/** What the other surfaces are made of, beside their own ports. */
export interface MountDependencies extends Parts {
  readonly callerAddress: (peer: string, forwardedFor: string | undefined) => string
}

/**
 * The HTTP surface: the catalogue's routes, the documentation, what is mounted beside them, and an envelope
 * for everything else.
 */
export const layer = <R = never>(
  listening: ListenAddress,
  mounting: (parts: MountDependencies) => Effect.Effect<ReadonlyArray<Mount>, never, R> = () =>
    Effect.succeed([])
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const newEnvelope = yield* makeNewEnvelope
      const pipeline = yield* makePipeline(yield* makeLibraries)
      const signing = yield* Signatures
      const callerAddress = makeCallerAddress(listening.trustedProxies)
      const read = makeNodeRead(callerAddress)
      const edge: Edge = { read: routedRead(read), send: routedSend }
      const tracing = listening.isTraced === true ? withTrace : withoutTrace
      const { accessLog } = listening
      const parts = { pipeline, newEnvelope, edge, tracing, accessLog }
      // A span belongs to the fiber that the router runs.
      const direct = listening.isTraced === true ? undefined : yield* makeDirect(parts, read)
      const mounts = yield* mounting({ ...parts, callerAddress })
      const connections = makeConnections({ drainMs, graceMs: listening.graceMs })
      const routes = HttpRouter.use((router) =>
        Effect.gen(function* () {
          yield* addRoutes(router, parts)
          yield* addDocs(router)
          yield* addStatus(router)
          yield* addNearby(router)
          yield* router.add("GET", "/.well-known/jwks.json", jwks(signing, parts))
          yield* router.add("POST", leakedKeyPath, leakedKeyRoute(parts))
          yield* router.add("GET", readyPath, readyRoute(parts, connections.isDraining))
          yield* addMounts(router, mounts)
          yield* addFallback(router, parts, notFoundPage)
        })
      )
      const served = HttpRouter.serve(routes, {
        disableLogger: true,
        disableListenLog: true,
        routerConfig
      }).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(
            () => logOthers(nodeServer(listening, newEnvelope, direct, connections), accessLog),
            {
              host: listening.host,
              port: listening.port,
              gracefulShutdownTimeout: drainMs
            }
          )
        )
      )
      return Layer.provideMerge(drainFirst(connections, listening.drainSeconds ?? 0), served)
    })
  )

/** Built after the server, and so ended before it: load balancers see `/ready` turn while calls are taken. */
const drainFirst = ({ drain }: Connections, seconds: number) =>
  Layer.effectDiscard(
    Effect.addFinalizer(() =>
      seconds === 0
        ? Effect.void
        : Effect.andThen(Effect.sync(drain), Effect.sleep(Duration.seconds(seconds)))
    )
  )

const nodeServer = (
  { isHttpsOnly = false, keepAliveSeconds = standardKeepAliveSeconds }: ListenAddress,
  newEnvelope: Parts["newEnvelope"],
  direct: Intercept | undefined,
  connections: Connections
) => {
  const server = createServer({
    ServerResponse: isHttpsOnly
      ? withStrictTransport(connections.ServerResponse)
      : connections.ServerResponse,
    maxHeaderSize: headerBytesMax,
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: timeoutsEveryMs,
    keepAliveTimeout: keepAliveSeconds * 1_000,
    // Java offers `Upgrade: h2c` on every request; with a listener for upgrades its body would be lost.
    shouldUpgradeCallback: () => false
  })
  envelopeClientErrors(server, newEnvelope, isHttpsOnly ? strictTransport : {})
  answerContinues(server)
  const checked = intercept(server, makeRejectHead(newEnvelope))
  return connections.attach(direct === undefined ? checked : intercept(checked, direct))
}

/** `POST` at `leakedKeyPath` (core/call/leakedKey.ts). */
export const leakedKeyRoute =
  ({ pipeline, newEnvelope, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.flatMap(pipeline.leakedKey.answer(edge.read(request, {}), newEnvelope(nowMs)), (answer) =>
        edge.send(request, answer)
      )
    )
