import type { Server } from "node:http"
import type { Answer } from "../../core/call/Call.ts"
import type { Meter, Route } from "./Route.ts"
import { operationRow } from "../../core/operation/catalogue.ts"

/** Takes a line of the access log. */
export type AccessLog = (line: string) => void

/** Paths that operations are on; their lines come from the route, which knows more. */
const operationPaths = /^\/api\/(v1|sandbox\/v1)\//

/** A line for each answered call of a route: nothing that was sent but the method, and no path. */
export const loggedMeter =
  (log: AccessLog | undefined) =>
  (meter: Meter, { operation, surface }: Route): Meter => {
    if (log === undefined) return meter
    const { method } = operationRow(operation)
    return (answer, elapsedMs) => {
      meter(answer, elapsedMs)
      log(lineOf({ method, operation, surface, request_id: requestIdOf(answer) }, answer.status, elapsedMs))
    }
  }

/** A line for every answer besides: pages, documents, OAuth, MCP; of paths only whose surface they are. */
export const logOthers = (server: Server, log: AccessLog | undefined): Server =>
  log === undefined
    ? server
    : server.prependListener("request", ({ method = "", url = "" }, response) => {
        if (operationPaths.test(url)) return
        const startedMs = performance.now()
        response.once("finish", () =>
          log(lineOf({ method, surface: surfaceOf(url) }, response.statusCode, performance.now() - startedMs))
        )
      })

const surfaces = ["mcp", "oauth", "docs", "dashboard", "metrics", "ready", "status", "assets"] as const

/** The first step of a path where it is one of ours; nothing that a caller made up. */
const surfaceOf = (url: string): string =>
  surfaces.find((name) => url === `/${name}` || url.startsWith(`/${name}/`) || url.startsWith(`/${name}?`)) ??
  "other"

const requestIdOf = ({ headers }: Answer): string | undefined => headers["x-request-id"]

const lineOf = (
  facts: Readonly<Record<string, string | null | undefined>>,
  status: number,
  elapsedMs: number
): string =>
  JSON.stringify({
    time: new Date().toISOString(),
    ...facts,
    status,
    duration_ms: Math.round(elapsedMs * 1_000) / 1_000
  })
