import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { Route } from "../../adapters/webhook/dial.ts"
import { exchange } from "../../adapters/webhook/exchange.ts"
import { isPublicAddress } from "../../core/webhook/address.ts"
import type { Target } from "../../core/webhook/target.ts"
import { listen, rawReceiver } from "../kit/receivers.ts"
import type { LocalServer } from "../kit/receivers.ts"

/** A certificate of hooks.customer.com that signs itself, made for these tests. */
const certificate = readFileSync("test/fixtures/tls/receiver.cert.pem", "utf8")
const key = readFileSync("test/fixtures/tls/receiver.key.pem", "utf8")

const target = (server: LocalServer, changes: Partial<Target> = {}): Target => ({
  secure: true,
  host: "hooks.customer.com",
  hostIs: "name",
  port: server.port,
  origin: `https://${changes.host ?? "hooks.customer.com"}:${server.port}`,
  path: "/in",
  ...changes
})
const loopback = { addresses: ["127.0.0.1"], admits: () => true } as const
const ask = (route: Route, deadlineMs = 5_000) =>
  exchange(route, { method: "POST", url: "", headers: {}, body: "{}", deadlineMs })

const secureReceiver = (saw: Array<unknown> = []) =>
  listen(
    createServer({ cert: certificate, key, ALPNProtocols: ["h2", "http/1.1"] }, (incoming, answer) => {
      const { servername, alpnProtocol } = incoming.socket as unknown as Readonly<Record<string, unknown>>
      saw.push({ servername, alpnProtocol, host: incoming.headers.host })
      answer.end("well")
    })
  )

describe("outbound safety 5: TLS", () => {
  it.live("keeps the name of the URL while it dials the pinned address, and speaks HTTP/1.1", () =>
    Effect.gen(function* () {
      const saw: Array<unknown> = []
      const server = yield* secureReceiver(saw)
      const received = yield* ask({ ...loopback, target: target(server), certificates: certificate })
      expect(received).toMatchObject({ _tag: "Heard", status: 200 })
      expect(saw).toEqual([
        {
          servername: "hooks.customer.com",
          alpnProtocol: "http/1.1",
          host: `hooks.customer.com:${server.port}`
        }
      ])
    })
  )

  it.live("refuses a certificate that nobody vouches for, and one of another name", () =>
    Effect.gen(function* () {
      const saw: Array<unknown> = []
      const server = yield* secureReceiver(saw)
      const refused = { _tag: "Failed", cause: "tls", status: null }
      expect(yield* ask({ ...loopback, target: target(server) })).toEqual(refused)
      const other = target(server, { host: "other.customer.com" })
      expect(yield* ask({ ...loopback, target: other, certificates: certificate })).toEqual(refused)
      const literal = target(server, { host: "127.0.0.1", hostIs: "address" })
      expect(yield* ask({ ...loopback, target: literal, certificates: certificate })).toEqual(refused)
      expect(saw).toEqual([])
    })
  )

  it.live(
    "a handshake that is answered with something else fails, one that never ends meets the deadline",
    () =>
      Effect.gen(function* () {
        const plain = yield* rawReceiver((socket) =>
          socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
        )
        expect(yield* ask({ ...loopback, target: target(plain) })).toMatchObject({ cause: "tls" })
        const silent = yield* rawReceiver((socket) => socket.resume())
        const received = yield* ask({ ...loopback, target: target(silent) }, 200)
        expect(received).toEqual({ _tag: "Failed", cause: "timeout", status: null })
        while (silent.open() > 0) yield* Effect.sleep(5)
      })
  )
})

describe("outbound safety 5: the address dialled", () => {
  const blocked = { _tag: "Failed", cause: "blocked", status: null }
  const unheard = (bytes: Array<unknown>) =>
    rawReceiver((socket) => socket.on("data", (chunk) => bytes.push(chunk)))

  it.live("is judged again when it is dialled, for a name and for an address", () =>
    Effect.gen(function* () {
      const server = yield* unheard([])
      const pinned = { addresses: ["127.0.0.1"], admits: isPublicAddress }
      const literal = target(server, { host: "127.0.0.1", hostIs: "address" })
      for (const secure of [true, false])
        for (const one of [target(server, { secure }), { ...literal, secure }])
          expect(yield* ask({ ...pinned, target: one })).toEqual(blocked)
      expect(yield* ask({ target: target(server), addresses: [], admits: () => true })).toEqual(blocked)
      const mixed = ["127.0.0.1", "10.0.0.1"]
      const admits = (address: string) => address === "127.0.0.1"
      expect(yield* ask({ target: target(server), addresses: mixed, admits })).toEqual(blocked)
      expect(server.connections()).toBe(0)
    })
  )

  it.live("is judged again at the look-up, and once more when the connection is made", () =>
    Effect.gen(function* () {
      const bytes: Array<unknown> = []
      const server = yield* unheard(bytes)
      const judgedPublic = (times: number) => {
        let judged = 0
        return () => ++judged <= times
      }
      const named = { target: target(server), addresses: ["127.0.0.1"] }
      const literal = { ...named, target: target(server, { host: "127.0.0.1", hostIs: "address" }) }
      expect(yield* ask({ ...named, admits: judgedPublic(1) })).toEqual(blocked)
      expect(server.connections()).toBe(0)
      expect(yield* ask({ ...named, admits: judgedPublic(2) })).toEqual(blocked)
      expect(yield* ask({ ...literal, admits: judgedPublic(1) })).toEqual(blocked)
      while (server.open() > 0) yield* Effect.sleep(5)
      expect([server.connections(), bytes]).toEqual([2, []])
    })
  )

  it.live("is compared with the pinned ones before the first byte, that of TLS included", () =>
    Effect.gen(function* () {
      const bytes: Array<unknown> = []
      const server = yield* unheard(bytes)
      // An address in the URL is dialled without a look-up: here another than the one that was judged.
      const literal = target(server, { host: "127.0.0.1", hostIs: "address" })
      for (const secure of [true, false]) {
        const route = { target: { ...literal, secure }, addresses: ["93.184.216.34"], admits: () => true }
        expect(yield* ask(route)).toEqual(blocked)
      }
      while (server.open() > 0) yield* Effect.sleep(5)
      expect([server.connections(), bytes]).toEqual([2, []])
    })
  )
})
