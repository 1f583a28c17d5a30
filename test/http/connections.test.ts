import type { Socket } from "node:net"
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { Keys } from "../../core/port/Keys.ts"
import { customer, healthy, serve } from "./harness.ts"
import { inMemory } from "./stores.ts"

const opened = () => serve(Layer.mergeAll(inMemory, healthy, LocalLimits.layer))

describe("RFC 9110 §10.1.1 Expect: 100-continue", () => {
  const head = (key: string, body: string) =>
    `POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n` +
    "Connection: close\r\n\r\n"
  it("a caller who waits for leave to send its body is given it, and then its answer", async () => {
    const served = await opened()
    const { key } = await served.run(customer())
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
    socket.write(head(key, body))
    expect(await received(socket, "\r\n\r\n")).toBe("HTTP/1.1 100 Continue\r\n\r\n")
    socket.write(body)
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
    await served.close()
  })

  it("one who is refused before its body is read is told that, and not asked for it", async () => {
    const served = await opened()
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
    socket.write(head("svc_live_mistyped", body))
    expect(await received(socket, "\r\n\r\n")).toMatch(/^HTTP\/1\.1 401 Unauthorized/)
    socket.destroy()
    await served.close()
  })
})

describe("contract §1, Keys: a revoked key is dead", () => {
  it.each([
    ["revoke", "AUTH_KEY_REVOKED"],
    ["suspend", "AUTH_KEY_SUSPENDED"]
  ] as const)(
    "also to a call that began before its %s and whose body comes after it",
    async (action, code) => {
      const served = await opened()
      const { key, keyId } = await served.run(customer())
      const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
      socket.write(`${closing(key)}\r\n${body.slice(0, 5)}`)
      // What comes after it is answered, so it has come.
      await fetch(`${served.url}/api/v1/health`)
      await served.run(Effect.flatMap(Keys, ({ change }) => change({ keyId, action, reason: null })))
      socket.write(body.slice(5))
      const answer = await received(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized/)
      expect(answer).toContain(code)
      await served.close()
    }
  )
})

describe("a header that may stand but once, and stands twice", () => {
  it.each([
    ["X-Idempotency-Key: one\r\nX-Idempotency-Key: two", "VALIDATION_INVALID_FORMAT"],
    ["X-Idempotency-Key: one\r\nX-Idempotency-Key: one", "VALIDATION_INVALID_FORMAT"],
    ["Authorization: Bearer vrt_other", "AUTH_INVALID_FORMAT"],
    ["Content-Type: application/json", "REQUEST_UNSUPPORTED_CONTENT_TYPE"]
  ])("is refused: %j", async (more, code) => {
    const served = await opened()
    const { key } = await served.run(customer())
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
    socket.write(`${closing(key)}${more}\r\n\r\n${body}`)
    expect(await received(socket)).toContain(code)
    await served.close()
  })
})

describe("contract §4 a server that ends", () => {
  it("does not wait for a connection that is answered meanwhile and kept by its caller", async () => {
    const served = await opened()
    const { key } = await served.run(customer())
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
    socket.write(
      `POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
    )
    // What comes after it is answered, so it has come.
    await fetch(`${served.url}/api/v1/health`)
    const ended = served.close()
    await refusing(served.url)
    socket.write(body.slice(5))
    expect(await received(socket, "}}")).toMatch(/^HTTP\/1\.1 200 OK/)
    const answeredMs = performance.now()
    await ended
    // Kept alive it would stay for 75 s, and the drain waits for 12.
    expect(performance.now() - answeredMs).toBeLessThan(6_000)
    socket.destroy()
  })
})

/** The headers of a call after which the connection closes, but for the line that ends them. */
const closing = (key: string) =>
  `POST /api/v1/codes/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`

const body = JSON.stringify({ codes: ["E0601"] })

/** Until nobody new is let in. */
const refusing = async (url: string): Promise<void> => {
  while (
    await fetch(`${url}/api/v1/health`).then(
      () => true,
      () => false
    )
  );
}

/** What comes until these words, or until the end. */
const received = (socket: Socket, until?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    const done = () => {
      socket.off("data", onData).off("end", done)
      resolve(text)
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString()
      if (until !== undefined && text.includes(until)) done()
    }
    socket.on("data", onData).on("end", done).on("error", reject)
  })
