import { createServer, request as ask } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { afterEach, expect, it } from "vitest"
import { intercept, makeDirect } from "../../adapters/http/direct.ts"
import { makeNodeRead } from "../../adapters/http/request.ts"
import { makeNewEnvelope } from "../../core/call/answer.ts"
import type { Answer } from "../../core/call/Call.ts"
import { settings } from "./settings.ts"

/** A server whose calls are all answered alike, and whose router says that it was asked. */
const serving = async (answering: () => Answer): Promise<number> => {
  const newEnvelope = await Effect.runPromise(Effect.provide(makeNewEnvelope, settings))
  const pipeline = {
    ...unused,
    operation: () => ({
      answer: () => Effect.sync(answering),
      begin: (_request: unknown, _envelope: unknown, onAnswer: (answer: Answer) => void) =>
        onAnswer(answering())
    })
  }
  const direct = await Effect.runPromise(
    makeDirect(
      { pipeline, newEnvelope },
      makeNodeRead((peer) => peer)
    )
  )
  server = intercept(createServer(), direct)
  server.on("request", (_, response) => void response.writeHead(299).end())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}
let server: Server
const unused = {
  leakedKey: { begin: () => undefined, answer: () => Effect.die("unused") },
  tool: () => Effect.die("unused")
}

afterEach(() => void server.close())

/** The status, or why there was none. */
const asked = (port: number, options: object, body?: string): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = ask({ port, host: "127.0.0.1", agent: false, ...options }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on("error", ({ message }) => resolve(message))
    sent.end(body)
  })

const plain: Answer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: "{}",
  cost: 1
}

it("answers the catalogue's operations and leaves the rest to the router", async () => {
  const port = await serving(() => plain)
  expect(await asked(port, { path: "/api/v1/health" })).toBe(200)
  expect(await asked(port, { path: "/api/sandbox/v1/health" })).toBe(200)
  expect(await asked(port, { path: "/api/v1/health", method: "HEAD" })).toBe(299)
  expect(await asked(port, { path: "/api/v1/nothing" })).toBe(299)
  expect(await asked(port, { path: "/api/v1/health", method: "POST" })).toBe(299)
  expect(await asked(port, { path: "/api/v1/webhooks/1", method: "PATCH" }, "{}")).toBe(200)
})

it("a call that throws is answered as a bug and ends nothing else", async () => {
  const port = await serving(() => {
    throw new Error("planted")
  })
  expect(await asked(port, { path: "/api/v1/health" })).toBe(500)
  expect(await asked(port, { path: "/api/v1/nothing" })).toBe(299)
})

it("an answer that cannot be written ends its connection and nothing else", async () => {
  const port = await serving(() => ({ ...plain, headers: { "x-broken": "line\nfeed" } }))
  expect(await asked(port, { path: "/api/v1/health" })).toBe("socket hang up")
  expect(await asked(port, { path: "/api/v1/nothing" })).toBe(299)
})
