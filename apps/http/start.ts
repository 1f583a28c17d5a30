import { createServer } from "node:net"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { isSqlError } from "effect/sql/SqlError"
import { databaseFailure } from "../../adapters/postgres/failure.ts"
import { version } from "../version.ts"
import * as Http from "../../adapters/http/server.ts"
import { ConfigRefused, readConfig } from "./config.ts"
import type { Config } from "./config.ts"
import { serverLayers } from "./layers.ts"
import { mountsOf } from "./mounts.ts"
import { isWorker, supervise } from "./workers.ts"

/**
 * Starts the service, or says in one sentence why it cannot. SIGTERM drains the calls in flight and exits
 * with 0.
 */
export const start = async (): Promise<void> => {
  const config = await configOrExit()
  const supervised = config.workers > 1 && !isWorker()
  const running: Effect.Effect<never, unknown> = supervised
    ? supervise(config, () => announce(config))
    : serveUntilStopped(config)
  running.pipe(
    Effect.tapCause((cause) =>
      Effect.sync(() => Cause.hasInterruptsOnly(cause) || say(sentenceOf(cause, config)))
    ),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatJson)])),
    Effect.provideService(References.MinimumLogLevel, config.logLevel),
    // Every statement makes a span, and where nothing is exported that is work for nobody.
    Effect.provideService(References.TracerEnabled, isTraced(config)),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}

const serveUntilStopped = (config: Config) =>
  Layer.launch(
    Http.layer(listeningOf(config), mountsOf(config)).pipe(
      Layer.provide(serverLayers(config, isWorker() ? "command" : "server")),
      Layer.provide(telemetry(config)),
      Layer.tap(() => Effect.sync(() => isWorker() || announce(config)))
    )
  )

const listeningOf = (config: Config) => ({
  host: config.host,
  port: config.port,
  trustedProxies: config.trustedProxies,
  isTraced: isTraced(config),
  isHttpsOnly: config.environment === "production",
  keepAliveSeconds: config.keepAliveSeconds,
  drainSeconds: config.drainSeconds,
  accessLog: config.accessLog ? (line: string) => void process.stdout.write(`${line}\n`) : undefined
})

const isTraced = ({ otlpEndpoint }: Config): boolean => otlpEndpoint !== undefined

/** Exports nothing unless the operator says where to. */
const telemetry = ({ otlpEndpoint, sqlSpans }: Config): Layer.Layer<never> =>
  otlpEndpoint === undefined
    ? Layer.empty
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("../../adapters/telemetry/export.ts")),
          ({ layer }) => layer({ endpoint: otlpEndpoint, version, sqlSpans })
        )
      )

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

const configOrExit = async (): Promise<Config> => {
  try {
    const port = process.env["PORT"] === "0" ? String(await freePort()) : undefined
    return readConfig(port === undefined ? process.env : { ...process.env, PORT: port })
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error
    say(error.message)
    return process.exit(1)
  }
}

/** PORT=0: the system chooses, and BASE_URL can then name the port before the server listens. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const announce = (config: Config): void => {
  process.stdout.write(`listening on ${config.baseUrl}\n`)
  const bound = `http://${addressOf(config)}`
  if (bound !== config.baseUrl) process.stdout.write(`bound to ${bound}\n`)
  if (process.stdout.isTTY) process.stdout.write(nextSteps(config.baseUrl))
}

const addressOf = ({ host, port }: Config): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

const nextSteps = (baseUrl: string): string => `
Open ${baseUrl}/signup for an account, keys and the usage page. Or try next, in another terminal:
  curl ${baseUrl}/api/v1/health
  npm run --silent cli -- org create --name "My organization"
  npm run --silent cli -- keys create --org <organization_id> --name first --scopes read
  npm run --silent cli -- import mcd <folder or CMS zip>
  curl -H "Authorization: Bearer <key>" "${baseUrl}/api/v1/policies?q=wheelchair"
Operations and errors: ${baseUrl}/docs
`

/** Why the start failed, in one sentence: our own where we know, else what broke and where to look. */
const sentenceOf = (cause: Cause.Cause<unknown>, config: Config): string => {
  const error = Cause.squash(cause)
  if (!(error instanceof Error)) return "The service could not start."
  const text = `${error.message} ${String(error.cause ?? "")}`
  if (text.includes("EADDRINUSE")) {
    return `Port ${config.port} is already in use: stop what listens there, or set another PORT.`
  }
  if (text.includes("EACCES"))
    return `Port ${config.port} may not be used by this user: set a PORT above 1023.`
  if (isSqlError(error) || text.includes("SqlError")) return databaseFailure(error).says
  return error.message
}
