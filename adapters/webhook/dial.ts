import { connect as connectSocket, isIPv6 } from "node:net"
import type { LookupFunction, Socket } from "node:net"
import { buildConnector } from "undici"
import { isSameAddress } from "../../core/webhook/address.ts"
import type { Target } from "../../core/webhook/target.ts"

/** Where one connection may go. */
export interface Route {
  readonly target: Target
  /** What the host resolved to for this very connection, or the host itself where it is an address. */
  readonly addresses: ReadonlyArray<string>
  /** Asked of every address before it is dialled, and of the one that answered before a byte is sent. */
  readonly admits: (address: string) => boolean
  /** Authorities to trust in place of the public ones; tests alone. */
  readonly certificates?: string
}

/** An address was not admitted; nothing was sent. */
export class DialRefused extends Error {}
/** The connection stands, and the handshake or the certificate failed. */
export class HandshakeFailed extends Error {}

export interface Dialer {
  readonly connect: buildConnector.connector
  readonly close: () => void
  /** Bytes that came over the wire so far, TLS included. */
  readonly bytesRead: () => number
}

/**
 * Dials one connection for undici, and can close it at any stage. The look-up hands out the pinned
 * addresses and asks nobody, so that the addresses judged are those dialled; an address in the URL skips
 * the look-up, and is judged beside the others before. TLS keeps the name of the URL.
 */
export const makeDialer = (route: Route): Dialer => {
  let dialled: Socket | undefined
  const upgrade = upgradeToTls(route)
  return {
    close: () => dialled?.destroy(),
    bytesRead: () => dialled?.bytesRead ?? 0,
    connect: (options, callback) => {
      if (!admitsAll(route)) {
        callback(new DialRefused(), null)
        return
      }
      const socket = connectSocket({
        host: route.target.host,
        port: route.target.port,
        lookup: pinned(route),
        autoSelectFamily: true,
        noDelay: true
      })
      dialled = socket
      const failed = (error: Error) => callback(error, null)
      socket.once("error", failed)
      socket.once("connect", () => {
        socket.off("error", failed)
        // Its owner hears of a later error by the connection's closing; unheard it would end the process.
        socket.on("error", () => {})
        if (!isPinned(route, socket.remoteAddress)) {
          socket.destroy()
          callback(new DialRefused(), null)
        } else if (route.target.secure) upgrade({ ...options, httpSocket: socket }, callback)
        else callback(null, socket)
      })
    }
  }
}

const admitsAll = ({ addresses, admits }: Route): boolean => addresses.length > 0 && addresses.every(admits)

const isPinned = ({ addresses, admits }: Route, remote: string | undefined): boolean =>
  remote !== undefined &&
  admits(remote) &&
  addresses.some((address) => isSameAddress({ one: address, other: remote }))

const pinned =
  ({ addresses, admits }: Route): LookupFunction =>
  (_name, options, callback) => {
    const found = addresses.filter(admits).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (first === undefined) callback(new DialRefused(), "", 0)
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  }

/** HTTP/1.1 alone is offered, no session is kept, and no setting of the environment turns the checks off. */
const upgradeToTls = ({ target, certificates }: Route): buildConnector.connector => {
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: 0,
    rejectUnauthorized: true,
    ...(target.hostIs === "name" ? { servername: target.host } : {}),
    ...(certificates === undefined ? {} : { ca: certificates })
  })
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket)
      else callback(new HandshakeFailed("", { cause: error }), null)
    })
}
