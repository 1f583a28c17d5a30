import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { SMTPServer } from "smtp-server"
import type { SMTPServerDataStream } from "smtp-server"

/** An email as it reached the mail server: who it is for by the envelope, and its bytes as text. */
export interface ArrivedEmail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly source: string
  /** Who signed in at the mail server; undefined: nobody. */
  readonly account: string | undefined
}

/** A mail server on loopback, which refuses one address and takes every other email. */
export const mailServer = Effect.gen(function* () {
  const arrived = yield* Queue.unbounded<ArrivedEmail>()
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => smtpServer((email) => Queue.offerUnsafe(arrived, email))),
    (server) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
  )
  const net = server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(net, "listening"))
  return { port: portOf(net.address()), next: Queue.take(arrived), size: Queue.size(arrived) }
})

export const refusedAddress = "refused@example.com"

/** A server that takes connections and never says a word; `connected` waits for the first. */
export const silentServer = Effect.gen(function* () {
  const connections = yield* Queue.unbounded<void>()
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    Queue.offerUnsafe(connections, undefined)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => void server.close())
  )
  return { port: portOf(server.address()), connected: Queue.take(connections) }
})

const smtpServer = (deliver: (email: ArrivedEmail) => void) =>
  new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    hideSTARTTLS: true,
    onAuth: ({ username }, _session, answer) => answer(null, { user: username ?? "" }),
    onRcptTo: ({ address }, _session, answer) =>
      answer(
        address === refusedAddress ? Object.assign(new Error("no such box"), { responseCode: 550 }) : null
      ),
    onData: (stream: SMTPServerDataStream, { envelope, user }, answer) => {
      const pieces: Array<Buffer> = []
      stream.on("data", (piece: Buffer) => pieces.push(piece))
      stream.on("end", () => {
        deliver({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(pieces).toString("utf8"),
          account: user
        })
        answer(null)
      })
    }
  })

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0
