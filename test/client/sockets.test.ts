import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, describe, expect, it } from "vitest"
import { makeClient } from "../../adapters/client/client.ts"
import { key } from "./flavours.ts"

type Serves = (request: IncomingMessage, response: ServerResponse) => void

const whole = JSON.stringify({ success: true, data: { status: "healthy" }, meta: { request_id: "req_1" } })
const type = { "content-type": "application/json" }

/** The platform's own fetch over real connections; what it does is not ours to pretend. */
describe("the client over sockets", () => {
  const servers: Array<Server> = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })
  const listening = async (serves: Serves): Promise<string> => {
    const server = createServer(serves)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const asked = async (serves: Serves, attemptSeconds = 15) => {
    const client = makeClient({
      baseUrl: await listening(serves),
      key,
      maxRetries: 0,
      attemptSeconds,
      answerBytesMax: 1_048_576
    })
    return client.listPayers()
  }

  it.each<readonly [string, Serves, string]>([
    ["hangs up at once", ({ socket }) => socket.destroy(), "CONNECTION_LOST"],
    [
      "resets in the middle of the body",
      (_, response) => {
        response
          .writeHead(200, { ...type, "content-length": whole.length })
          .write(whole.slice(0, 9), () => response.socket?.resetAndDestroy())
      },
      "CONNECTION_LOST"
    ],
    [
      "ends before the length that it told",
      (_, response) =>
        response
          .writeHead(200, { ...type, "content-length": whole.length + 1 })
          .write(whole, () => response.socket?.end()),
      "CONNECTION_LOST"
    ],
    ["drips", (_, response) => dripping(response.writeHead(200, type)), "TIMED_OUT"],
    ["never answers", () => {}, "TIMED_OUT"],
    ["sends without end", (_, response) => endless(response.writeHead(200, type)), "ANSWER_TOO_LARGE"],
    [
      "sends little that unpacks to much",
      (_, response) =>
        response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(gzipSync(" ".repeat(8_388_608))),
      "ANSWER_TOO_LARGE"
    ],
    [
      "answers 502 in HTML",
      (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<p>"),
      "GATEWAY_FAILED"
    ]
  ])("a server that %s is told as what it is", async (_, serves, code) => {
    await expect(asked(serves, code === "TIMED_OUT" ? 0.3 : 15)).rejects.toMatchObject({
      _tag: "CallFailed",
      code
    })
  })

  it("nobody listens: told with the platform's word for it", async () => {
    const baseUrl = await listening(() => {})
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve))
    const client = makeClient({ baseUrl, maxRetries: 0 })
    await expect(client.health()).rejects.toMatchObject({ code: "CONNECTION_LOST", hint: "ECONNREFUSED" })
  })

  it("§2.5 a redirect is not followed, so that nobody else sees the key", async () => {
    const visits: Array<string | undefined> = []
    const elsewhere = await listening((request, response) => {
      visits.push(request.headers.authorization)
      response.end(whole)
    })
    const away: Serves = (_, response) =>
      response.writeHead(307, { location: `${elsewhere}/api/v1/payers` }).end()
    await expect(asked(away)).rejects.toMatchObject({ code: "REDIRECTED", status: 307 })
    expect(visits).toEqual([])
  })

  it("a sound answer is read, however it is cut", async () => {
    const serves: Serves = (_, response) => {
      response.writeHead(200, type)
      for (const byte of Buffer.from(whole.replace("healthy", "é🩺"))) response.write(Buffer.of(byte))
      response.end()
    }
    expect((await asked(serves)).data).toEqual({ status: "é🩺" })
  })
})

/** A byte now and then keeps the connection from being idle. */
const dripping = (response: ServerResponse): void => {
  const drip = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(drip))
}

const endless = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write("x".repeat(16_384)));
  }
  response.on("drain", more)
  more()
}
