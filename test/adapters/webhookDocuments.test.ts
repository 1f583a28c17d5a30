import { gzipSync } from "node:zlib"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { layer as memoryAddresses } from "../../adapters/memory/Addresses.ts"
import { layer as guarded } from "../../adapters/webhook/Documents.ts"
import type { Resolution } from "../../core/port/Addresses.ts"
import { Documents } from "../../core/port/Documents.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import { httpReceiver } from "../kit/receivers.ts"
import type { LocalServer } from "../kit/receivers.ts"

/** Asks a server on the loopback, which the policy allows. */
const ask = (server: LocalServer, deadlineMs = 5_000) =>
  Effect.flatMap(Documents, ({ get }) => get({ url: server.url, deadlineMs })).pipe(
    Effect.provide(
      Layer.provide(guarded({ ...publicTargets, loopbackPorts: [server.port] }), memoryAddresses())
    )
  )

const refused = { _tag: "Refused" }

describe("core/port/Documents.ts over the guard", () => {
  it.live("a document is fetched by a GET that shows nothing of us", () =>
    Effect.gen(function* () {
      const received: Array<unknown> = []
      const server = yield* httpReceiver(({ headers, method, url }, answer) => {
        received.push([method, url, headers.accept, headers.cookie, headers.authorization])
        answer
          .writeHead(200, { "content-type": "application/json", "cache-control": "max-age=7" })
          .end('{"é":1}')
      })
      const fetched = yield* ask(server)
      expect(fetched).toMatchObject({ _tag: "Fetched", status: 200, text: '{"é":1}' })
      expect(fetched._tag === "Fetched" && fetched.headers["cache-control"]).toBe("max-age=7")
      expect(received).toEqual([["GET", "/in", "application/json", undefined, undefined]])
    })
  )

  it.live("law 3: a redirect is an answer that is not followed", () =>
    Effect.gen(function* () {
      const inner = yield* httpReceiver((_, answer) => answer.end("{}"))
      const server = yield* httpReceiver((_, answer) => answer.writeHead(302, { location: inner.url }).end())
      expect(yield* ask(server)).toMatchObject({ _tag: "Fetched", status: 302 })
      expect(inner.connections()).toBe(0)
    })
  )

  it.live("law 4: more than 64 KiB, an encoding, what is no UTF-8, and silence are refused", () =>
    Effect.gen(function* () {
      const long = yield* httpReceiver((_, answer) => answer.end("x".repeat(64 * 1_024 + 1)))
      const packed = yield* httpReceiver((_, answer) =>
        answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}"))
      )
      const named = yield* httpReceiver((_, answer) =>
        answer.writeHead(200, { "content-encoding": "br" }).end("{}")
      )
      const latin = yield* httpReceiver((_, answer) => answer.end(Buffer.from([0x22, 0xe9, 0x22])))
      for (const server of [long, packed, named, latin]) expect(yield* ask(server)).toEqual(refused)
      const full = yield* httpReceiver((_, answer) => answer.end("x".repeat(64 * 1_024)))
      expect(yield* ask(full)).toMatchObject({ _tag: "Fetched" })
      const silent = yield* httpReceiver(() => {})
      expect(yield* ask(silent, 200)).toEqual(refused)
    })
  )

  it.live("law 2: a name whose address changes after it was judged is not dialled", () =>
    Effect.gen(function* () {
      const server = yield* httpReceiver((_, answer) => answer.end("{}"))
      let reads = 0
      const addresses = Object.defineProperty([""], 0, {
        get: () => (reads++ === 0 ? "93.184.216.34" : "127.0.0.1")
      })
      const resolver = memoryAddresses(() => ({ _tag: "Resolved", addresses }))
      const url = `https://rebind.customer.com:${server.port}/client.json`
      const fetched = yield* Effect.flatMap(Documents, ({ get }) => get({ url, deadlineMs: 1_000 })).pipe(
        Effect.provide(Layer.provide(guarded({ ...publicTargets, ports: [server.port] }), resolver))
      )
      expect([fetched, server.connections()]).toEqual([refused, 0])
    })
  )

  it.live("law 2: nothing is sent to an address that is not public, by name or by number", () =>
    Effect.gen(function* () {
      const server = yield* httpReceiver((_, answer) => answer.end("{}"))
      const inside = (): Resolution => ({ _tag: "Resolved", addresses: ["8.8.8.8", "127.0.0.1"] })
      const urls = [
        server.url,
        `https://127.0.0.1:${server.port}/`,
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://inside.example.com/client.json"
      ]
      for (const url of urls)
        expect(
          yield* Effect.flatMap(Documents, ({ get }) => get({ url, deadlineMs: 1_000 })).pipe(
            Effect.provide(Layer.provide(guarded(), memoryAddresses(inside)))
          )
        ).toEqual(refused)
      expect(server.connections()).toBe(0)
    })
  )
})
