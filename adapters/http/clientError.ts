import { STATUS_CODES } from "node:http"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { bodyBytesMax, headerBytesMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { fieldFault, refusedFields } from "../../core/error/fieldFaults.ts"
import type { Envelope, Answer } from "../../core/call/Call.ts"
import { refuse } from "../../core/call/answer.ts"
import { linger } from "./connections.ts"
import { malformedRequest } from "./line.ts"
import { codingRefusal } from "./request.ts"

/**
 * What Node's parser refuses before a request exists, by its error code (contract §1: over-long header
 * block).
 */
const refusals = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    refusedFields([
      fieldFault("/headers", "out_of_range", `The header block is larger than ${headerBytesMax} bytes.`)
    ])
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    refusedFields([fieldFault("/body", "out_of_range", `The body is larger than ${bodyBytesMax} bytes.`)])
  ],
  ["HPE_INVALID_TRANSFER_ENCODING", codingRefusal],
  ["HPE_INVALID_METHOD", refused("RESOURCE_NOT_FOUND")],
  ["ERR_HTTP_REQUEST_TIMEOUT", refused("SERVER_TIMEOUT")]
])
const unexpected = refusedFields([
  fieldFault("/headers/expect", "invalid_format", "`Expect` takes 100-continue, or is left out.")
])

/**
 * Node would answer these with a bare status line or by hanging up: they get the envelope of every other
 * error. A request without Host is let through by `requireHostHeader: false` and rejected by `headFault`.
 * Each answer also carries the headers of `more`.
 */
export const envelopeClientErrors = (
  server: Server,
  newEnvelope: (nowMs: number) => Envelope,
  more: Answer["headers"] = {}
): void => {
  const answered = (refusal: Refusal) => {
    const answer = refuse(newEnvelope(Date.now()), refusal)
    return { ...answer, headers: { ...answer.headers, ...more } }
  }
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable || isSilent(error, socket)) socket.destroy()
    else answerLast(socket, answered(refusals.get(error.code ?? "") ?? malformedRequest))
  })
  server.on("connect", (_request, socket) => {
    // Node hands the bare socket over: an error that nobody hears would end the process.
    socket.on("error", () => socket.destroy())
    answerLast(socket as Socket, answered(refused("RESOURCE_NOT_FOUND")))
  })
  server.on("checkExpectation", (_request, response) => {
    const { status, headers, body = "" } = answered(unexpected)
    const length = Buffer.byteLength(body)
    response.writeHead(status, { ...headers, "content-length": length, connection: "close" }).end(body)
  })
}

/** A connection that was opened and sent nothing, as load balancers and browsers do: there is no request. */
const isSilent = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket): boolean =>
  code === "ERR_HTTP_REQUEST_TIMEOUT" && bytesRead === 0

const answerLast = (socket: Socket, answer: Answer): void => {
  socket.write(written(answer))
  linger(socket)
}

/** The whole text of an answer, for a socket that has no response. */
const written = ({ body = "", headers, status }: Answer): string => {
  const length = String(Buffer.byteLength(body))
  const head = Object.entries({ ...headers, "content-length": length, connection: "close" })
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${lines}\r\n${body}`
}
