import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { connect } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { envelopeClientErrors } from "../../adapters/http/clientError.ts"
import type { Mount } from "../../adapters/http/Mount.ts"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inMemory } from "./stores.ts"

/** Reads a body from Node's request, as the authorization server and the forms do, and returns it. */
const echo: Mount = {
  paths: ["/oauth/token"],
  handle: ({ source }) =>
    Effect.map(
      Effect.promise(() => text(source as IncomingMessage)),
      (body) => HttpServerResponse.text(`echo ${body}`)
    )
}

describe("contract §1 the heads that clients and proxies send", () => {
  const ports = Layer.mergeAll(inMemory, healthy, LocalLimits.layer)
  let serving: ServedApp<Layer.Success<typeof ports>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(ports, [], { graceMs: 0, mounts: [echo], keepAliveSeconds: 33 })
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  const dial = (): Socket => connect(Number(new URL(serving.url).port), "127.0.0.1")

  /** Sends the bytes as they are. Resolves with everything that comes back until the server closes. */
  const answers = async (sent: string): Promise<string> => {
    const socket = dial()
    socket.write(sent)
    return text(socket)
  }

  const body = JSON.stringify({ codes: ["E0601"] })
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n"
  const last = "GET /api/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
  const sized = (sent: string) => `Content-Length: ${sent.length}\r\n\r\n${sent}`

  it.each([
    [
      "a POST of the API",
      () =>
        `POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\n${offer}${sized(body)}`,
      '"E0601":{'
    ],
    [
      "a POST to another surface",
      () => `POST /oauth/token HTTP/1.1\r\nHost: x\r\n${offer}${sized("grant")}`,
      "echo grant"
    ],
    [
      "a GET",
      () => `GET /api/v1/jurisdictions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${offer}\r\n`,
      '"mac_name"'
    ],
    [
      "an offer of a WebSocket",
      () =>
        "GET /docs/errors HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n" +
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      "<html"
    ]
  ])("ignores an offer to upgrade in %s, and keeps the connection", async (_name, sent, expected) => {
    const socket = dial()
    const ended = text(socket)
    socket.write(sent())
    await once(socket, "data")
    socket.write(last)
    const seen = await ended
    expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"])
    expect(seen).toContain(expected)
    expect(seen).toContain('"status":"healthy"')
  })

  it("sends 100 (Continue) at once to a form that waits for it, and only once", async () => {
    const socket = dial()
    socket.write("POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n")
    socket.write("Expect: 100-continue\r\n\r\n")
    const [first] = (await once(socket, "data")) as [Buffer]
    expect(first.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n")
    socket.write("grant")
    const rest = await text(socket)
    expect(rest).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(rest).toContain("echo grant")
  })

  const paths = ["/api/v1/health", "/api/sandbox/v1/health", "/docs/errors", "/oauth/token", "/nothing"]
  const wrongHeads = [
    ["two Hosts", "Host: x\r\nHost: y\r\n", "/headers/host"],
    ["the same Host twice", "Host: x\r\nhost: x\r\n", "/headers/host"],
    ["a list in Host", "Host: x, y\r\n", "/headers/host"],
    ["no Host", "", "/headers/host"],
    ["another coding", "Host: x\r\nTransfer-Encoding: identity\r\n", "/headers/transfer-encoding"],
    [
      "chunked twice",
      "Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
      "/headers/transfer-encoding"
    ],
    ["a second coding", "Host: x\r\nTransfer-Encoding: gzip, chunked\r\n", "/headers/transfer-encoding"]
  ] as const
  it.each(paths.flatMap((path) => wrongHeads.map((head) => [path, ...head] as const)))(
    "rejects %s with %s",
    async (path, _name, head, field) => {
      const seen = await answers(`GET ${path} HTTP/1.1\r\n${head}\r\n`)
      expect(seen).toMatch(/^HTTP\/1\.1 400 /)
      expect(seen.toLowerCase()).toContain("connection: close")
      expect(seen).toContain('"code":"VALIDATION_INVALID_FORMAT"')
      expect(seen).toContain(`"path":"${field}"`)
    }
  )

  it("answers HTTP/1.0 without Host, as load balancers probe", async () =>
    expect(await answers("GET /api/v1/health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK/))

  it("keeps an idle connection open for KEEP_ALIVE_SECONDS", async () => {
    const seen = await answers(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n${last}`)
    expect(seen.toLowerCase()).toContain("keep-alive: timeout=33\r\n")
  })

  it("sends the Vary of a 200 with its 304 too", async () => {
    const get = (tag?: string) =>
      fetch(`${serving.url}/api/v1/jurisdictions/JH`, {
        headers: { authorization: `Bearer ${key}`, ...(tag !== undefined && { "if-none-match": tag }) }
      })
    const whole = await get()
    const again = await get(whole.headers.get("etag") ?? "")
    expect([whole.status, again.status]).toEqual([200, 304])
    expect(whole.headers.get("vary")).toBe("Accept-Encoding")
    expect(again.headers.get("vary")).toBe("Accept-Encoding")
  })
})

describe("contract §1 a connection that sends nothing in time", () => {
  const times = { headersTimeout: 100, connectionsCheckingInterval: 20 }
  it.each([
    ["is closed without an answer", "", /^$/],
    ["gets an error if it sent half a head", "GET / HTTP/1.1\r\n", /"code":"SERVER_TIMEOUT"/]
  ])("%s", async (_name, sent, expected) => {
    const server = createServer(times)
    envelopeClientErrors(
      server,
      () => ({ requestId: "req_x", timestamp: "", publication: { baseUrl: "" } }) as never
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    socket.write(sent)
    expect(await text(socket)).toMatch(expected)
    server.close()
  })
})
