import { connect } from "node:net"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Mount } from "../../adapters/http/Mount.ts"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inMemory } from "./stores.ts"

const ports = Layer.mergeAll(inMemory, healthy, LocalLimits.layer)

/** Responses of the forms that other surfaces use: the router's, and Node's own. */
const mounts: ReadonlyArray<Mount> = [
  { paths: ["/routed"], handle: () => Effect.succeed(HttpServerResponse.redirect("/docs")) },
  {
    paths: ["/bare"],
    handle: (request) =>
      Effect.sync(() => {
        toServerResponse(request).end("bare")
        return HttpServerResponse.empty()
      })
  }
]

describe("contract §1 Strict-Transport-Security", () => {
  let secured: ServedApp<Layer.Success<typeof ports>>
  let plain: ServedApp<Layer.Success<typeof ports>>
  let key = ""
  beforeAll(async () => {
    plain = await serve(ports, [], { graceMs: 0, mounts })
    secured = await serve(ports, [], { graceMs: 0, mounts, isHttpsOnly: true })
    await secured.run(seedLibrary)
    key = (await secured.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => Promise.all([secured.close(), plain.close()]))

  const answer = async ({ url }: { readonly url: string }, sent: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.write(sent)
    return text(socket)
  }
  const get = (path: string, more = "", method = "GET") =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`

  const requests: ReadonlyArray<readonly [name: string, status: number, sent: () => string]> = [
    ["a read", 200, () => get("/api/v1/policies/L33831", `Authorization: Bearer ${key}\r\n`)],
    [
      "a compressed list",
      200,
      () => get("/api/v1/policies", `Authorization: Bearer ${key}\r\nAccept-Encoding: gzip\r\n`)
    ],
    ["a refused call", 401, () => get("/api/v1/policies")],
    ["a sandbox call", 200, () => get("/api/sandbox/v1/health")],
    ["an unknown path", 404, () => get("/api/v1/nowhere")],
    ["a preflight", 204, () => get("/api/v1/policies", "Origin: https://app.example\r\n", "OPTIONS")],
    ["a page of the documentation", 200, () => get("/docs/errors")],
    ["a redirect of the documentation", 308, () => get("/docs/errors/")],
    ["an empty answer", 204, () => get("/favicon.ico")],
    ["a missing page", 404, () => get("/nowhere", "Accept: text/html\r\n")],
    ["openapi.json for HEAD", 200, () => get("/openapi.json", "", "HEAD")],
    ["the status page", 200, () => get("/status")],
    ["the probe of load balancers", 200, () => get("/ready")],
    ["the public keys", 200, () => get("/.well-known/jwks.json")],
    ["another surface", 302, () => get("/routed")],
    ["a surface that writes by itself", 200, () => get("/bare")],
    ["a request without Host", 400, () => "GET /docs HTTP/1.1\r\n\r\n"],
    ["a request that is not HTTP", 400, () => "GET /docs NONSENSE\r\n\r\n"],
    ["an over-long head", 400, () => get("/docs", `X: ${"x".repeat(200_000)}\r\n`)],
    ["an unknown method", 404, () => get("/docs", "", "BREW")],
    ["a tunnel", 404, () => get("example.com:443", "", "CONNECT")],
    ["an unknown expectation", 400, () => get("/docs", "Expect: miracles\r\n")],
    ["HTTP/1.0", 200, () => "GET /ready HTTP/1.0\r\n\r\n"]
  ]

  it.each(requests)(
    "is on the answer to %s once in production, and never elsewhere",
    async (_, status, sent) => {
      const value = /^strict-transport-security: (.*)\r$/gim
      const secure = await answer(secured, sent())
      expect(secure).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect([...secure.matchAll(value)].map(([, found]) => found)).toEqual([
        "max-age=31536000; includeSubDomains"
      ])
      const open = await answer(plain, sent().replace(key, "none"))
      expect(open).not.toMatch(value)
      expect(open).toMatch(/^HTTP\/1\.1 \d{3} /)
    }
  )
})
