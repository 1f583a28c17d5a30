import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { afterEach, describe, expect, it } from "vitest"
import { makeConnections } from "../../adapters/http/connections.ts"

/** A caller with an event loop of its own, which goes on while the server's is blocked. */
const callerProgram = `
const { parentPort, workerData } = require("node:worker_threads")
const { connect } = require("node:net")
const done = new Int32Array(workerData.done)
const report = () => { Atomics.add(done, 0, 1); Atomics.notify(done, 0) }
let socket
parentPort.on("message", (step) => {
  if (step === "connect") {
    socket = connect(workerData.port, "127.0.0.1", report)
    socket.on("data", (data) => parentPort.postMessage(String(data)))
    socket.on("error", (error) => parentPort.postMessage(error.code))
    socket.on("end", () => parentPort.postMessage("ended"))
  }
  if (step === "call") socket.write("GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n", report)
})
`

/** So long that a busy machine does not use it up between `close` and the call. */
const graceMs = 1_000

describe("contract §1 a server that ends while it is busy", () => {
  const workers: Array<Worker> = []
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())))

  const opened = async () => {
    const connections = makeConnections({ drainMs: 5_000, graceMs, headMs: graceMs })
    const { ServerResponse } = connections
    const server = connections.attach(createServer({ ServerResponse }, (_, response) => response.end("ok")))
    await once(server.listen(0, "127.0.0.1"), "listening")
    const done = new SharedArrayBuffer(4)
    const port = (server.address() as AddressInfo).port
    const worker = new Worker(callerProgram, { eval: true, workerData: { port, done } })
    workers.push(worker)
    await once(worker, "online")
    /** Has the caller take the steps, and blocks this thread until they are taken. */
    const blockWhile = (...steps: ReadonlyArray<string>): void => {
      for (const step of steps) {
        const before = Atomics.load(new Int32Array(done), 0)
        worker.postMessage(step)
        expect(Atomics.wait(new Int32Array(done), 0, before, 5_000)).not.toBe("timed-out")
      }
    }
    const next = async (): Promise<string> => String((await once(worker, "message"))[0])
    /** Closes the server, and blocks it where its timers are next while the caller sends a call. */
    const closeWhileCalling = async (afterMs: number, blockedMs: number): Promise<void> => {
      const ended = close(server)
      await pause(afterMs)
      await beforeTimers()
      blockWhile("call")
      block(blockedMs)
      expect(await next()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/)
      await ended
    }
    return { server, blockWhile, next, closeWhileCalling }
  }

  it("answers a call whose connection was not accepted yet", async () => {
    const { server, blockWhile, next } = await opened()
    blockWhile("connect", "call")
    const ended = close(server)
    expect(await next()).toMatch(/^HTTP\/1\.1 200 OK/)
    await ended
  })

  it("answers the first call of a new connection that came while it was blocked", async () => {
    const { server, blockWhile, closeWhileCalling } = await opened()
    const accepted = once(server, "connection")
    blockWhile("connect")
    await accepted
    await closeWhileCalling(100, graceMs + 200)
  })

  it("answers the next call of a kept connection that came while it was blocked", async () => {
    const { blockWhile, closeWhileCalling, next } = await opened()
    blockWhile("connect", "call")
    expect(await next()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: keep-alive/)
    await closeWhileCalling(100, graceMs + 200)
  })
})

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for the phase of the event loop just before timers. Timers run before input is read. */
const beforeTimers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Blocks the event loop, as a burst of work does. */
const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
