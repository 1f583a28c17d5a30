import { gzipSync } from "node:zlib"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { layer as memoryAddresses } from "../../adapters/memory/Addresses.ts"
import { excerptBytesMax, layer as guarded } from "../../adapters/webhook/Receiver.ts"
import type { Resolution } from "../../core/port/Addresses.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { errorOf } from "../../core/webhook/Outcome.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import { httpReceiver, rawReceiver } from "../kit/receivers.ts"
import type { LocalServer } from "../kit/receivers.ts"

const headers = { "content-type": "application/json", "webhook-id": "msg_1" }

/** Sends one message to a receiver on the loopback, which the policy allows, within the time given. */
const postTo = (server: LocalServer, deadlineMs = 5_000) =>
  Effect.flatMap(Receiver, ({ post }) =>
    post({ url: server.url, headers, body: '{"é":1}', deadlineMs })
  ).pipe(
    Effect.provide(
      Layer.provide(guarded({ ...publicTargets, loopbackPorts: [server.port] }), memoryAddresses())
    )
  )

const withNames = <Value>(
  answers: (name: string) => Resolution,
  use: (receiver: Receiver["Service"]) => Effect.Effect<Value>
) => Effect.flatMap(Receiver, use).pipe(Effect.provide(Layer.provide(guarded(), memoryAddresses(answers))))

const request = { headers, body: "{}", deadlineMs: 5_000 }

describe("contract §2 what a receiver answers", () => {
  it.live("a 2xx is read, and what was sent arrives as it was signed", () =>
    Effect.gen(function* () {
      const received: Array<unknown> = []
      const server = yield* httpReceiver((incoming, answer) => {
        incoming.setEncoding("utf8")
        let body = ""
        incoming.on("data", (chunk: string) => (body += chunk))
        incoming.on("end", () => {
          received.push([incoming.method, incoming.url, incoming.headers["webhook-id"], body])
          answer.writeHead(204).end()
        })
      })
      expect(yield* postTo(server)).toEqual({
        _tag: "Answered",
        status: 204,
        retryAfterMs: null,
        excerpt: ""
      })
      expect(received).toEqual([["POST", "/in", "msg_1", '{"é":1}']])
    })
  )

  it.live("an error keeps its status, Retry-After and at most 1 KiB of text", () =>
    Effect.gen(function* () {
      const body = `\u0000\u001B[31mtoo many\n${"x".repeat(5_000)}`
      const server = yield* httpReceiver((_, answer) =>
        answer.writeHead(429, { "retry-after": "7" }).end(body)
      )
      const outcome = yield* postTo(server)
      expect(outcome).toMatchObject({ _tag: "Answered", status: 429, retryAfterMs: 7_000 })
      const excerpt = outcome._tag === "Answered" ? outcome.excerpt : ""
      expect(excerpt.startsWith("\uFFFD\uFFFD[31mtoo many\nxxx")).toBe(true)
      expect(excerpt).toHaveLength(excerptBytesMax)
    })
  )

  it.live("a redirect is an answer that is not followed, wherever it leads", () =>
    Effect.gen(function* () {
      const inner = yield* httpReceiver((_, answer) => answer.end("secret"))
      for (const status of [301, 302, 303, 307, 308]) {
        const server = yield* httpReceiver((_, answer) =>
          answer.writeHead(status, { location: inner.url }).end()
        )
        const outcome = yield* postTo(server)
        expect(outcome).toMatchObject({ _tag: "Answered", status })
        expect(errorOf(outcome)).toMatch(/redirects are not followed/)
      }
      expect(inner.connections()).toBe(0)
    })
  )

  it.live("410 is told as 410", () =>
    Effect.gen(function* () {
      const server = yield* httpReceiver((_, answer) => answer.writeHead(410).end())
      expect(yield* postTo(server)).toMatchObject({ status: 410 })
    })
  )
})

describe("outbound safety 6: an answer that means harm", () => {
  it.live("a compressed bomb is never opened, and of its bytes no more than the bound is read", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(40 * 1_024 * 1_024))
      const server = yield* httpReceiver((_, answer) =>
        answer.writeHead(200, { "content-encoding": "gzip" }).end(bomb)
      )
      expect(yield* postTo(server)).toMatchObject({ _tag: "Answered", status: 200, excerpt: "" })
    })
  )

  it.live("an endless body ends at 64 KiB with the status it came with", () =>
    Effect.gen(function* () {
      let sent = 0
      const server = yield* httpReceiver((_, answer) => {
        answer.writeHead(200)
        const piece = Buffer.alloc(16_384, "x")
        const more = (): void => {
          while (!answer.destroyed && answer.write(piece)) sent += piece.length
          if (!answer.destroyed) answer.once("drain", more)
        }
        more()
      })
      expect(yield* postTo(server)).toMatchObject({ _tag: "Answered", status: 200 })
      yield* untilClosed(server)
      expect(sent).toBeLessThan(32 * 1_024 * 1_024)
    })
  )

  it.live("a body that drips is ended by the deadline, and the connection with it", () =>
    Effect.gen(function* () {
      const server = yield* httpReceiver((_, answer) => {
        answer.writeHead(200)
        const dripping = setInterval(() => answer.write("x"), 20)
        answer.on("close", () => clearInterval(dripping))
      })
      expect(yield* postTo(server, 300)).toEqual({ _tag: "Failed", cause: "timeout", status: 200 })
      yield* untilClosed(server)
    })
  )

  it.live("silence is ended by the deadline", () =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => socket.resume())
      expect(yield* postTo(server, 200)).toEqual({ _tag: "Failed", cause: "timeout", status: null })
      yield* untilClosed(server)
    })
  )

  const raw: ReadonlyArray<readonly [says: string, answer: string, cause: string, status: number | null]> = [
    ["headers beyond 16 KiB", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, "not_http", null],
    ["what is not HTTP", "220 mail.customer.com ESMTP\r\n", "not_http", null],
    ["an answer that is cut off", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab", "network", 200],
    ["no answer at all", "", "network", null],
    ["a switch of protocols", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", "network", null]
  ]
  it.live.each(raw)("%s is a failure", ([, answer, cause, status]) =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => socket.once("data", () => socket.end(answer)))
      expect(yield* postTo(server)).toEqual({ _tag: "Failed", cause, status })
    })
  )

  it.live("a connection reset and one refused are failures of the network", () =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => socket.once("data", () => socket.resetAndDestroy()))
      const gone = yield* Effect.scoped(rawReceiver(() => {}))
      for (const one of [server, gone])
        expect(yield* postTo(one)).toEqual({ _tag: "Failed", cause: "network", status: null })
    })
  )

  const floods = [
    ["extensions of a chunk", "1;a=", "y"],
    ["zeros before a chunk's size", "", "0"],
    ["a trailer", "0\r\nx: ", "y"]
  ] as const
  it.live.each(floods)("%s without end ends long before the deadline", ([, opening, letter]) =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => {
        const piece = Buffer.alloc(65_536, letter)
        const more = (): void => {
          while (!socket.destroyed && socket.write(piece));
          if (!socket.destroyed) socket.once("drain", more)
        }
        socket.once("data", () => {
          socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${opening}`)
          more()
        })
      })
      expect(yield* postTo(server, 30_000)).toEqual({ _tag: "Failed", cause: "not_http", status: 200 })
      yield* untilClosed(server)
    })
  )

  it.live("a flood of early hints ends long before the deadline", () =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => {
        const hints = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(50)
        const more = (): void => {
          while (!socket.destroyed && socket.write(hints));
          if (!socket.destroyed) socket.once("drain", more)
        }
        socket.once("data", more)
      })
      expect(yield* postTo(server, 30_000)).toEqual({ _tag: "Failed", cause: "not_http", status: null })
    })
  )

  it.live("two early hints before the answer are no harm", () =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) =>
        socket.once("data", () =>
          socket.end(
            `${"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(2)}HTTP/1.1 204 No Content\r\n\r\n`
          )
        )
      )
      expect(yield* postTo(server)).toMatchObject({ _tag: "Answered", status: 204 })
    })
  )

  it.live("a caller that is interrupted leaves no connection behind", () =>
    Effect.gen(function* () {
      const server = yield* rawReceiver((socket) => socket.resume())
      yield* Effect.timeoutOption(postTo(server, 60_000), 200)
      yield* untilClosed(server)
      expect(server.connections()).toBe(1)
    })
  )
})

describe("outbound safety 4 and 5: names", () => {
  it.live("a name that was public when it was judged and is not when it is dialled is refused", () =>
    Effect.gen(function* () {
      const answers = [["93.184.216.34"], ["127.0.0.1"]]
      const url = "https://rebind.customer.com/"
      const [judged, posted] = yield* withNames(
        () => ({ _tag: "Resolved", addresses: answers.shift() ?? [] }),
        ({ judge, post }) => Effect.all([judge(url), post({ ...request, url })])
      )
      expect(judged).toEqual({ _tag: "Allowed" })
      expect(posted).toEqual({ _tag: "Failed", cause: "blocked", status: null })
    })
  )

  it.live("a name that cannot be looked up, and one that does not exist, are told apart", () =>
    Effect.gen(function* () {
      const url = "https://hooks.customer.com/"
      const rows = [
        ["ResolverDown", { _tag: "ResolverDown" }, "resolver_down"],
        ["Unresolved", { _tag: "Refused", reason: "unresolved" }, "unresolved"]
      ] as const
      for (const [tag, verdict, cause] of rows)
        yield* withNames(
          () => ({ _tag: tag }),
          ({ judge, post }) =>
            Effect.gen(function* () {
              expect(yield* judge(url)).toEqual(verdict)
              expect(yield* post({ ...request, url })).toEqual({ _tag: "Failed", cause, status: null })
            })
        )
    })
  )

  it.live("no name is looked up for a URL that its text refuses, nor for an address", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      yield* withNames(
        (name) => {
          asked.push(name)
          return { _tag: "Unresolved" }
        },
        ({ judge }) =>
          Effect.forEach(["https://127.0.0.1/", "https://8.8.8.8/", "https://localhost/", "nonsense"], judge)
      )
      expect(asked).toEqual([])
    })
  )

  it.live("loopback is refused in both verbs where no port of it is allowed", () =>
    Effect.gen(function* () {
      const server = yield* httpReceiver((_, answer) => answer.end())
      yield* withNames(
        () => ({ _tag: "Unresolved" }),
        ({ judge, post }) =>
          Effect.gen(function* () {
            expect(yield* judge(server.url)).toMatchObject({ _tag: "Refused" })
            expect(yield* post({ ...request, url: server.url })).toMatchObject({ cause: "blocked" })
          })
      )
      expect(server.connections()).toBe(0)
    })
  )
})

/** Waits until the receiver has no connection of ours; the test's own time bounds it. */
const untilClosed = (server: LocalServer) =>
  Effect.gen(function* () {
    while (server.open() > 0) yield* Effect.sleep(5)
  })
