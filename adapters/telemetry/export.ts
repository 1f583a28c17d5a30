import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"

/** Where telemetry goes, and as whom. */
export interface ExportTarget {
  /** The collector's address, without `/v1/traces`. */
  readonly endpoint: string
  readonly version: string
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
export const layer = ({ endpoint, version }: ExportTarget): Layer.Layer<never> =>
  Otlp.layerJson({
    baseUrl: endpoint,
    resource: { serviceName: "coverage-policy", serviceVersion: version },
    loggerMergeWithExisting: true
  }).pipe(Layer.provide(FetchHttpClient.layer), Layer.merge(silent))
