import type { IncomingMessage, Server } from "node:http"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import type { Mount } from "./Mount.ts"

/**
 * Treats a request that expects 100 (Continue) as any other; the code that reads its body sends the 100. So
 * a call that is rejected for its head gets its answer instead of the 100 (RFC 9110 §10.1.1).
 */
export const answerContinues = (server: Server): Server =>
  server.on("checkContinue", (request, response) => void server.emit("request", request, response))

/** Sends 100 (Continue) to a caller that expects it before a handler that reads the body by itself. */
export const sendContinueFirst =
  (handle: Mount["handle"]): Mount["handle"] =>
  (request) => {
    const { headers } = request.source as IncomingMessage
    if (headers.expect !== undefined) {
      toServerResponse(request).writeContinue()
      // Otherwise `readBody` would send it again.
      delete headers.expect
    }
    return handle(request)
  }
