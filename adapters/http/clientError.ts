import type { Server } from "node:http"
import type { Socket } from "node:net"
import { bodyBytesMax, headerBytesMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import { fieldFault, refusedFields } from "../../core/operation/validate.ts"
import type { Envelope } from "../../core/workflow/reply.ts"
import { refuse, seal } from "../../core/workflow/reply.ts"

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
  ["ERR_HTTP_REQUEST_TIMEOUT", refused("SERVER_TIMEOUT")]
])
const malformed = refusedFields([fieldFault("/", "invalid", "The request is not valid HTTP/1.1.")])

/** Node would answer these with a bare status line: they get the envelope of every other error. */
export const envelopeClientErrors = (server: Server, opening: (nowMs: number) => Envelope): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    const envelope = opening(Date.now())
    const answer = seal(envelope, refuse(envelope, refusals.get(error.code ?? "") ?? malformed))
    const body = answer.body ?? ""
    const head = Object.entries({
      ...answer.headers,
      "content-length": String(Buffer.byteLength(body)),
      connection: "close"
    })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    socket.end(`HTTP/1.1 ${answer.status} ${statusTexts[answer.status] ?? "Error"}\r\n${lines}\r\n${body}`)
  })
}

const statusTexts: Readonly<Record<number, string>> = { 400: "Bad Request", 500: "Internal Server Error" }
