import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"

/** Where telemetry goes, and as whom. */
export interface ExportTarget {
  /** The collector's address, without `/v1/traces`; its user name and password are sent as a header. */
  readonly endpoint: Redacted.Redacted
  readonly version: string
  /** Whether the spans of statements are sent with those of calls. */
  readonly sqlSpans?: boolean
}

/**
 * Spans that Effect's server and client would open by themselves name URLs with their queries, and addresses;
 * those of a call are ours (adapters/http/tracing.ts). Nor is a receiver of webhooks told of our traces.
 */
const silent = Layer.mergeAll(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen)(() => true),
  Layer.succeed(HttpClient.TracerDisabledWhen)(() => true),
  Layer.succeed(HttpClient.TracerPropagationEnabled)(false)
)

/** Traces, metrics and logs to an OpenTelemetry collector (OTLP over HTTP, JSON); nothing waits for it. */
export const layer = ({ endpoint, sqlSpans = false, version }: ExportTarget): Layer.Layer<never> =>
  Otlp.layerJson({
    ...addressOf(new URL(Redacted.value(endpoint))),
    resource: { serviceName: "coverage-policy", serviceVersion: version },
    loggerMergeWithExisting: true
  }).pipe(Layer.provide(FetchHttpClient.layer), sqlSpans ? (all) => all : callsAlone, Layer.merge(silent))

/**
 * Splits the address into a URL without credentials, which `fetch` demands, and Basic authentication
 * (RFC 7617).
 */
const addressOf = (url: URL) => {
  const [user, password] = [url.username, url.password].map(decodeURIComponent)
  Object.assign(url, { username: "", password: "" })
  const baseUrl = url.href.replace(/\/+$/, "")
  if (!user && !password) return { baseUrl }
  const credentials = Buffer.from(`${user}:${password}`, "utf8").toString("base64")
  return { baseUrl, headers: { authorization: `Basic ${credentials}` } }
}

/** One span a call: those of statements and of what a call does inside are made, and sent to nobody. */
const callsAlone = <A>(exporting: Layer.Layer<A>): Layer.Layer<A> =>
  Layer.effect(
    Tracer.Tracer,
    Effect.map(Tracer.Tracer, (tracer) =>
      Tracer.make({
        span: (options) => (options.kind === "server" ? tracer.span(options) : new Tracer.NativeSpan(options))
      })
    )
  ).pipe(Layer.provideMerge(exporting)) as unknown as Layer.Layer<A>
