import { createServer, request } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { readBody } from "../../adapters/http/request.ts"
import type { BodyReading } from "../../core/admission/body.ts"

const reading = (source: IncomingMessage): Promise<BodyReading> =>
  Effect.runPromise(readBody(source, () => undefined))

it("a caller who left before its body was asked for keeps nobody waiting", async () => {
  const read = Promise.withResolvers<BodyReading>()
  const server = createServer((incoming) => {
    incoming.once("close", () => setImmediate(() => read.resolve(reading(incoming))))
    outgoing.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const outgoing = request({ port, host: "127.0.0.1", method: "POST", headers: { "content-length": "9" } })
  outgoing.on("error", () => undefined)
  outgoing.write("{")
  expect(await read.promise).toEqual({ _tag: "Malformed" })
  server.close()
})
