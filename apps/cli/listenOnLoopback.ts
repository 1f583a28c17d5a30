import { createServer } from "node:http"
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"

/** No delivery is near this long; what is longer is none. */
const bodyBytesMax = 1_048_576

/** A request that arrived, its body whole. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Listens on the loopback while the scope lasts; a POST is answered with the status that `judge` gives. */
export const listenOnLoopback = (
  port: number,
  judge: (arrival: Arrival) => number
): Effect.Effect<void, CommandRefused, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(open(port, judge), (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
  )

const open = (port: number, judge: (arrival: Arrival) => number) =>
  Effect.callback<Server, CommandRefused>((resume) => {
    const server = createServer((request, response) => answer(request, response, judge))
    server.once("error", () =>
      resume(refuse("VALIDATION_ERROR", `Port ${port} cannot be listened on: it is in use, or not allowed.`))
    )
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })

const answer = (
  request: IncomingMessage,
  response: ServerResponse,
  judge: (arrival: Arrival) => number
): void => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  })
  request.on("error", () => {})
  request.on("end", () => {
    const isDelivery = request.method === "POST" && bytes <= bodyBytesMax
    const arrival = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    response.writeHead(isDelivery ? judge(arrival) : 405).end()
  })
}
