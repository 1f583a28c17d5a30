import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { processMetrics } from "./processMetrics.ts"
import { contains, parseAddress, parseNetwork } from "../../core/network/address.ts"
import type { Network } from "../../core/network/address.ts"

/** Where Prometheus asks from: the machine itself or a private network, and through no proxy. */
const near = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"].flatMap(
  (cidr) => parseNetwork(cidr) ?? []
)

const forwarded = ["x-forwarded-for", "forwarded", "via", "x-real-ip"]

/** The metrics of this process in Prometheus' text format. */
const ownMetrics = Effect.map(PrometheusMetrics.format(), (text) => `${text}\n${processMetrics()}`)

interface MetricsOptions {
  /** TRUSTED_PROXIES: these peers forward requests of others. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Combines the metrics of all workers into one page; absent: the metrics of this process. */
  readonly gather?: (own: Effect.Effect<string>) => Effect.Effect<string>
}

/**
 * Returns the page of the metrics. It is 404 for callers outside of this machine and its private network, for
 * trusted proxies, and for requests with a header that a proxy adds.
 */
export const metricsPage = ({ gather = (own) => own, trustedProxies }: MetricsOptions) => {
  const page = gather(ownMetrics)
  const proxies = trustedProxies.flatMap((cidr) => parseNetwork(cidr) ?? [])
  return {
    paths: ["/metrics"],
    handle: (request: HttpServerRequest.HttpServerRequest) =>
      isNear(request.source as IncomingMessage, proxies)
        ? Effect.map(page, (text) =>
            HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
          )
        : Effect.succeed(HttpServerResponse.empty({ status: 404 }))
  } as const
}

const isNear = ({ headers, method, socket }: IncomingMessage, proxies: ReadonlyArray<Network>): boolean => {
  const address = parseAddress(socket.remoteAddress ?? "")
  return (
    (method === "GET" || method === "HEAD") &&
    address !== undefined &&
    near.some((network) => contains(network, address)) &&
    !proxies.some((network) => contains(network, address)) &&
    forwarded.every((name) => headers[name] === undefined)
  )
}
