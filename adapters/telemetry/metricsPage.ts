import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { processMetrics } from "./processMetrics.ts"
import { contains, parseAddress, parseNetwork } from "../../core/network/address.ts"

/** Where Prometheus asks from: the machine itself or a private network, and through no proxy. */
const near = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"].flatMap(
  (cidr) => parseNetwork(cidr) ?? []
)

const forwarded = ["x-forwarded-for", "forwarded", "via", "x-real-ip"]

/** The metrics of this process in Prometheus' text format. */
const ownMetrics = Effect.map(PrometheusMetrics.format(), (text) => `${text}\n${processMetrics()}`)

/**
 * The metrics, of all workers where there are several: `gather` makes one page of them. To whoever asks from
 * elsewhere, or through a proxy, the path does not exist.
 */
export const metricsPage = (gather: (own: Effect.Effect<string>) => Effect.Effect<string> = (own) => own) => {
  const page = gather(ownMetrics)
  return {
    paths: ["/metrics"],
    handle: (request: HttpServerRequest.HttpServerRequest) =>
      isNear(request.source as IncomingMessage)
        ? Effect.map(page, (text) =>
            HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
          )
        : Effect.succeed(HttpServerResponse.empty({ status: 404 }))
  } as const
}

const isNear = ({ headers, method, socket }: IncomingMessage): boolean => {
  const address = parseAddress(socket.remoteAddress ?? "")
  return (
    (method === "GET" || method === "HEAD") &&
    address !== undefined &&
    near.some((network) => contains(network, address)) &&
    forwarded.every((name) => headers[name] === undefined)
  )
}
