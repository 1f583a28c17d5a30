import type { Socket } from "node:net"
import { connect } from "node:net"
import { once } from "node:events"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import { inMemory } from "./stores.ts"

const opened = (ending: Parameters<typeof serve>[2]) =>
  serve(Layer.mergeAll(inMemory, healthy, LocalLimits.layer), [], ending)

const connected = async (url: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" })
  await once(socket, "connect")
  return socket
}

/** Everything that comes until the connection ends, or an error's code. */
const untilEnd = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    socket
      .on("data", (chunk: Buffer) => (text += chunk.toString()))
      .on("end", () => resolve(text))
      .on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"))
  })

const next = async (socket: Socket): Promise<string> => String((await once(socket, "data"))[0])

const health = "GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n"

describe("contract §1 while draining", () => {
  it("a kept connection's next request is answered, with Connection: close", async () => {
    const served = await opened({})
    const socket = await connected(served.url)
    socket.write(health)
    expect(await next(socket)).toMatch(/Connection: keep-alive/i)
    const ended = served.close()
    await new Promise((resolve) => setTimeout(resolve, 300))
    socket.write(health)
    const last = await untilEnd(socket)
    expect(last).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(last).toMatch(/Connection: close/i)
    await ended
  })

  it("an answer that was begun before says it too", async () => {
    const served = await opened({})
    const { key } = await served.run(customer())
    const socket = await connected(served.url)
    const body = '{"codes":["E0601"]}'
    socket.write(
      `POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 4)}`
    )
    await fetch(`${served.url}/api/v1/health`)
    const ended = served.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.write(body.slice(4))
    const last = await untilEnd(socket)
    expect(last).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(last).toMatch(/Connection: close/i)
    await ended
  })

  it.each([
    "",
    "GET /api/v1/health HTTP/1.1\r\nHo",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
  ])("a connection without a whole request holds up the end for no 2 s: %j", async (sent) => {
    const served = await opened({})
    const socket = await connected(served.url)
    socket.on("error", () => undefined)
    if (sent !== "") socket.write(sent)
    await fetch(`${served.url}/api/v1/health`)
    const beganMs = performance.now()
    await served.close()
    expect(performance.now() - beganMs).toBeLessThan(2_000)
  })

  it("DRAIN_SECONDS: /ready turns 503 first, and calls are answered meanwhile", async () => {
    const served = await opened({ drainSeconds: 1, graceMs: 0 })
    expect((await fetch(`${served.url}/ready`)).status).toBe(200)
    const beganMs = performance.now()
    const ended = served.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const ready = await fetch(`${served.url}/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ error: { code: "SERVER_UNAVAILABLE", retryable: true } })
    const call = await fetch(`${served.url}/api/v1/health`)
    expect([call.status, call.headers.get("connection")]).toEqual([200, "close"])
    await ended
    expect(performance.now() - beganMs).toBeGreaterThan(900)
  })
})

describe("contract §1 an answer sent before the whole body was read", () => {
  const refusedPost = (length: number) =>
    "POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_live_mistyped\r\n" +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

  it("says Connection: close and reaches a caller who goes on sending", async () => {
    const served = await opened({ graceMs: 0 })
    for (let round = 0; round < 20; round++) {
      const socket = await connected(served.url)
      const answer = untilEnd(socket)
      socket.write(refusedPost(400_000))
      for (let sent = 0; sent < 400_000; sent += 50_000) {
        socket.write("x".repeat(50_000))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      const text = await answer
      expect(text).toMatch(/^HTTP\/1\.1 401 /)
      expect(text).toMatch(/Connection: close/i)
    }
    await served.close()
  })

  it("a body that came with its head costs nobody the connection", async () => {
    const served = await opened({ graceMs: 0 })
    const socket = await connected(served.url)
    for (let round = 0; round < 2; round++) {
      socket.write(`${refusedPost(2)}{}`)
      const text = await next(socket)
      expect(text).toMatch(/^HTTP\/1\.1 401 /)
      expect(text).toMatch(/Connection: keep-alive/i)
    }
    socket.destroy()
    await served.close()
  })

  it("a head that is too large is answered while it is still being sent", async () => {
    const served = await opened({ graceMs: 0 })
    const socket = await connected(served.url)
    const answer = untilEnd(socket)
    socket.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n")
    for (let line = 0; line < 40; line++) {
      socket.write(`X-Long-${line}: ${"x".repeat(4_000)}\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*Connection: close/i)
    await served.close()
  })
})

describe("contract §1 HTTP/1.0", () => {
  it.each(["", "Host: x\r\n"])("is answered, and its connection ended: %j", async (host) => {
    const served = await opened({ graceMs: 0 })
    for (const path of ["/api/v1/health", "/ready", "/docs"]) {
      const socket = await connected(served.url)
      socket.write(`GET ${path} HTTP/1.0\r\n${host}\r\n`)
      expect(await untilEnd(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
    }
    await served.close()
  })
})

describe("contract §1 a caller who is too slow", () => {
  it("is told so once ten seconds were not enough for the head of a request", async () => {
    const served = await opened({ graceMs: 0 })
    const socket = await connected(served.url)
    const beganMs = performance.now()
    socket.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n")
    expect(await untilEnd(socket)).toContain("SERVER_TIMEOUT")
    const elapsedMs = performance.now() - beganMs
    expect(elapsedMs).toBeGreaterThan(9_900)
    expect(elapsedMs).toBeLessThan(12_500)
    await served.close()
  })
})
