import { ServerResponse } from "node:http"
import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"

/** An ended connection is read on for so long: bytes left unread would make the system discard the answer. */
const lingerMs = 1_000

/** While the server closes: how long a kept connection may still send a request, or the rest of a body. */
const standardGraceMs = 1_000

/** How long connections may take to end. */
export interface EndingTimes {
  /** Calls in flight. */
  readonly drainMs: number
  /** Kept connections, and bodies that are incomplete; absent: 1 s. */
  readonly graceMs?: number | undefined
  /** Connections that were just accepted and have not sent a whole head; absent: 100 ms. */
  readonly headMs?: number | undefined
}

const standardHeadMs = 100

/** While the server closes, connections are looked through this often. */
const sweepMs = 50

/** Before a draining server stops listening, its answers keep connections open for this long. */
const settleMs = 50

/** The most connections that are accepted after the server began to close: more than a backlog holds. */
const acceptedWhileClosingMax = 1_024

/** The connections of a server, and how they end. */
export interface Connections {
  /** To be given to `createServer`: it says `Connection: close` where the connection cannot be kept. */
  readonly ServerResponse: typeof ServerResponse
  /** Has `server.close` end connections as described at `makeConnections`. */
  readonly attach: (server: Server) => Server
  /** From now on every answer says `Connection: close`. */
  readonly drain: () => void
  readonly isDraining: () => boolean
}

/**
 * Ends connections without a reset (contract §1). An answer that is sent before the whole body was read, and
 * every answer while draining, says `Connection: close`; the rest of what its caller sends is read and thrown
 * away for up to a second.
 *
 * `server.close` accepts the connections that the system has already opened, stops listening, and drains. A
 * connection without a whole head is closed at once. One kept from an earlier call, or whose body is
 * incomplete, is waited for up to `graceMs`, since a request may be on its way. Calls in flight have
 * `drainMs`.
 */
export const makeConnections = ({
  drainMs,
  graceMs = standardGraceMs,
  headMs = standardHeadMs
}: EndingTimes): Connections => {
  const open = new Map<Socket, ServerResponse | undefined>()
  let draining = false
  let settling = false

  class ClosingResponse extends ServerResponse {
    constructor(...made: ConstructorParameters<typeof ServerResponse>) {
      super(...made)
      open.set(made[0].socket, this)
    }
    override writeHead(...head: Array<unknown>): this {
      if ((draining && !settling) || isUnread(this.req)) this.shouldKeepAlive = false
      return super.writeHead(...(head as [number]))
    }
  }

  const drain = (): void => {
    draining = true
  }

  const sweep = (elapsedMs: number): void => {
    for (const [socket, response] of open) {
      if (response === undefined) {
        if (elapsedMs >= headMs) socket.destroy()
      } else if (response.writableFinished) {
        if (elapsedMs >= graceMs) linger(socket)
      } else if (elapsedMs >= (response.req.complete ? drainMs : graceMs)) socket.destroy()
    }
  }

  const attach = (server: Server): Server => {
    server.on("connection", (socket: Socket) => {
      open.set(socket, undefined)
      socket.once("close", () => open.delete(socket))
      // Node calls this when a last answer was written, and would close the connection at once.
      socket.destroySoon = () => linger(socket)
    })
    // `close` would call it, and reset callers who send their next request at that moment.
    server.closeIdleConnections = () => undefined
    const close = server.close.bind(server)
    server.close = (closed) => {
      // A caller told to close its connection would open another one just when listening stops.
      settling = true
      const settled = () => {
        settling = false
        drain()
        const sinceMs = performance.now()
        // Checks connections only after pending input is read, since a busy server reads late. The time is
        // taken before that: work that blocks between the reading and the check counts for the next one.
        const sweeping = setInterval(() => setImmediate(sweep, performance.now() - sinceMs), sweepMs)
        server.once("close", () => clearInterval(sweeping))
        close(closed)
      }
      setTimeout(() => acceptWaiting(server, settled), draining ? settleMs : 0)
      return server
    }
    return server
  }

  return {
    ServerResponse: ClosingResponse as typeof ServerResponse,
    attach,
    drain,
    isDraining: () => draining
  }
}

/** Accepts the waiting connections, one per turn of the event loop, since closing would reset them. */
const acceptWaiting = (server: Server, accepted: () => void): void => {
  let waiting = true
  let turnsLeft = acceptedWhileClosingMax
  const onConnection = (): void => {
    waiting = true
  }
  const turn = (): void => {
    if (waiting && turnsLeft-- > 0) {
      waiting = false
      // The first may run before the next connections are looked for.
      setImmediate(setImmediate, turn)
    } else {
      server.off("connection", onConnection)
      accepted()
    }
  }
  server.on("connection", onConnection)
  turn()
}

/** Whether a request has a body of which something has not arrived. */
export const isUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** Sends what was written, and the end; what comes from now on is thrown away. */
export const linger = (socket: Socket): void => {
  if (socket.destroyed || lingering.has(socket)) return
  lingering.add(socket)
  socket.removeAllListeners("data").on("data", () => undefined)
  socket.resume().end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(timer))
}

const lingering = new WeakSet<Socket>()
