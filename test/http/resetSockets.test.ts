import { once } from "node:events"
import { connect } from "node:net"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

let served: Pick<ServedApp<never>, "url" | "close">
const thrown: Array<unknown> = []
const keep = (error: unknown): void => void thrown.push(error)
let listeners: ReadonlyArray<NodeJS.UncaughtExceptionListener>
beforeAll(async () => {
  served = await serve(Layer.mergeAll(inMemory, healthy, LocalLimits.layer))
  listeners = process.listeners("uncaughtException")
  process.removeAllListeners("uncaughtException").on("uncaughtException", keep)
})
afterAll(async () => {
  process.off("uncaughtException", keep)
  for (const listener of listeners) process.on("uncaughtException", listener)
  await served.close()
})

const heads = [
  "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
  "GET /api/v1/health HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n",
  "nonsense\r\n\r\n"
]

it("whoever asks for something odd and resets the connection ends nothing but that", async () => {
  const { port } = new URL(served.url)
  for (const head of heads)
    for (let times = 0; times < 5; times++) {
      const socket = connect(Number(port), "127.0.0.1")
      await once(socket, "connect")
      socket.write(head)
      await once(socket, "data")
      const closed = once(socket, "close")
      socket.resetAndDestroy()
      await closed
    }
  expect((await fetch(`${served.url}/api/v1/health`)).status).toBe(200)
  expect(thrown).toEqual([])
})
