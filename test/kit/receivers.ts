import { createServer as createHttp } from "node:http"
import type { RequestListener } from "node:http"
import { createServer as createTcp } from "node:net"
import type { AddressInfo, Server, Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A server on a free port of the loopback, gone with its scope and all its connections. */
export interface LocalServer {
  readonly port: number
  readonly url: string
  /** Connections that were opened so far. */
  readonly connections: () => number
  /** Connections that are open now. */
  readonly open: () => number
}

/** A receiver that speaks HTTP. */
export const httpReceiver = (listener: RequestListener): Effect.Effect<LocalServer, never, Scope.Scope> =>
  listen(createHttp(listener))

/** A receiver that says whatever it likes. */
export const rawReceiver = (
  speak: (socket: Socket) => void
): Effect.Effect<LocalServer, never, Scope.Scope> =>
  listen(
    createTcp((socket) => {
      socket.on("error", () => {})
      speak(socket)
    })
  )

/** Any server of sockets, listening while its scope lasts. */
export const listen = (server: Server): Effect.Effect<LocalServer, never, Scope.Scope> => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on("connection", (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  const connecting = Effect.callback<LocalServer>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(
        Effect.succeed({
          port,
          url: `http://127.0.0.1:${port}/in`,
          connections: () => connections,
          open: () => sockets.size
        })
      )
    })
  })
  return Effect.acquireRelease(connecting, () =>
    Effect.callback<void>((resume) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resume(Effect.void))
    })
  )
}
