import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import * as Http from "../../adapters/http/server.ts"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { layer as exporting } from "../../adapters/telemetry/export.ts"
import { metricsPage } from "../../adapters/telemetry/metricsPage.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import * as meters from "../../core/call/meters.ts"
import { customer, healthy, settings } from "../http/harness.ts"
import { memoryReceivers } from "../http/settings.ts"
import { inMemory } from "../http/stores.ts"

const servingBehind = (trustedProxies: ReadonlyArray<string>) =>
  Http.layer({ host: "127.0.0.1", port: 0, trustedProxies, graceMs: 0, isTraced: true }, () =>
    Effect.succeed([metricsPage({ trustedProxies })])
  ).pipe(
    Layer.provideMerge(
      Sandbox.layer.pipe(
        Layer.provideMerge(Layer.mergeAll(inMemory, healthy, LocalLimits.layer, memoryReceivers)),
        Layer.provideMerge(settings)
      )
    )
  )
const serving = servingBehind([])

const urlOf = Effect.map(HttpServer.HttpServer, ({ address }) =>
  "port" in address ? `http://127.0.0.1:${address.port}` : ""
)

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers })
    return { status: response.status, text: await response.text() }
  })

/** What the lines of a metric with these labels add up to: a process counts from its start. */
const sumOf = (text: string, name: string, labels: ReadonlyArray<string>): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0)

describe("what Prometheus reads", () => {
  it("counts calls, their time and their credits by operation, and names nobody", () =>
    Effect.gen(function* () {
      const url = yield* urlOf
      const { key, organizationId } = yield* customer()
      const before = (yield* get(`${url}/metrics`)).text
      yield* get(`${url}/api/v1/policies`, { authorization: `Bearer ${key}` })
      yield* get(`${url}/api/v1/policies/L99999`, { authorization: `Bearer ${key}` })
      yield* get(`${url}/api/v1/policies`)
      const { status, text } = yield* get(`${url}/metrics`)
      expect(status).toBe(200)
      const more = (name: string, ...labels: ReadonlyArray<string>) =>
        sumOf(text, name, labels) - sumOf(before, name, labels)
      const list = 'operation="listPolicies"'
      expect(more("coverage_calls_total", list, 'status="200"')).toBe(1)
      expect(more("coverage_calls_total", list, 'status="401"')).toBe(1)
      expect(more("coverage_calls_total", 'operation="getPolicy"', 'status="404"')).toBe(1)
      expect(more("coverage_call_seconds_count", list)).toBe(2)
      expect(more("coverage_credits_spent_total", list)).toBe(1)
      for (const secret of [key, organizationId, "L99999", "127.0.0.1"]) expect(text).not.toContain(secret)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(serving)), Effect.runPromise))

  it("contract §1 is there for HEAD without a body", () =>
    Effect.gen(function* () {
      const url = yield* urlOf
      const head = yield* Effect.promise(() => fetch(`${url}/metrics`, { method: "HEAD" }))
      expect([head.status, yield* Effect.promise(() => head.text())]).toEqual([200, ""])
      expect(head.headers.get("content-type")).toMatch(/^text\/plain/)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(serving)), Effect.runPromise))

  it("is not there for who asks through a proxy, or with another method", () =>
    Effect.gen(function* () {
      const url = yield* urlOf
      const through = yield* get(`${url}/metrics`, { "x-forwarded-for": "203.0.113.9" })
      expect(through.status).toBe(404)
      expect(JSON.parse(through.text)).toMatchObject({
        success: false,
        error: { code: "RESOURCE_NOT_FOUND" }
      })
      const posted = yield* Effect.promise(() => fetch(`${url}/metrics`, { method: "POST" }))
      expect(posted.status).toBe(404)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(serving)), Effect.runPromise))
})

describe("contract §4 /metrics behind proxies", () => {
  const statusBehind = (trustedProxies: ReadonlyArray<string>) =>
    Effect.flatMap(urlOf, (url) => get(`${url}/metrics`)).pipe(
      Effect.map(({ status }) => status),
      Effect.scoped,
      Effect.provide(Layer.fresh(servingBehind(trustedProxies)))
    )

  it("is not there for a peer that TRUSTED_PROXIES names, whatever its headers", () =>
    Effect.gen(function* () {
      expect(yield* statusBehind(["127.0.0.0/8"])).toBe(404)
      expect(yield* statusBehind(["192.0.2.0/24", "127.0.0.1"])).toBe(404)
      expect(yield* statusBehind(["192.0.2.0/24", "::1/128"])).toBe(200)
    }).pipe(Effect.runPromise))
})

describe("the dashboard's file", () => {
  it("asks for metrics that there are", () => {
    const file = readFileSync(join(import.meta.dirname, "../../docs/operating/dashboard.json"), "utf8")
    const source = readFileSync(join(import.meta.dirname, "../../core/call/meters.ts"), "utf8")
    const asked = new Set(
      [...file.matchAll(/coverage_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ""))
    )
    const workers = readFileSync(join(import.meta.dirname, "../../apps/http/workers.ts"), "utf8")
    const restarts = /# TYPE (coverage_[a-z_]+)/.exec(workers)?.[1] ?? ""
    const named = new Set([...source.matchAll(/"(coverage_[a-z_]+)"/g)].map(([, name]) => name))
    expect([...asked].filter((name) => !named.has(name))).toEqual([restarts])
    expect([...named].filter((name) => name !== undefined && !asked.has(name))).toEqual([])
    expect(Object.keys(meters).length).toBe(named.size)
  })
})

/** A collector that keeps what it is sent, by path, and the credentials that came with it. */
const collector = Effect.acquireRelease(
  Effect.callback<Collector>((resume) => {
    const sent = new Map<string, string>()
    const credentials = new Set<string | undefined>()
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const path = request.url ?? ""
        credentials.add(request.headers.authorization)
        sent.set(path, (sent.get(path) ?? "") + Buffer.concat(chunks).toString("utf8"))
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          sent,
          credentials,
          close: () => server.closeAllConnections() ?? server.close()
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)

interface Collector {
  readonly url: string
  readonly sent: Map<string, string>
  readonly credentials: Set<string | undefined>
  readonly close: () => void
}

describe("what an OpenTelemetry collector is sent", () => {
  it("is a span for each call under the caller's trace, and the metrics; no key and no identifier", () =>
    Effect.gen(function* () {
      const { url: endpoint, sent } = yield* collector
      const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
      const secrets = yield* Effect.gen(function* () {
        const url = yield* urlOf
        const { key } = yield* customer()
        const headers = { authorization: `Bearer ${key}`, traceparent: `00-${trace}-00f067aa0ba902b7-01` }
        yield* get(`${url}/api/v1/policies?q=canary-of-a-query`, headers)
        return [key, "canary-of-a-query"]
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Layer.fresh(serving).pipe(
            Layer.provideMerge(exporting({ endpoint: Redacted.make(endpoint), version: "0.0.0" }))
          )
        )
      )
      // What was gathered is sent when the layer ends.
      const spans = sent.get("/v1/traces") ?? ""
      expect(spans).toContain('"GET listPolicies"')
      expect(spans).toContain(trace)
      expect(spans).toMatch(/"request_id"/)
      expect(sent.get("/v1/metrics") ?? "").toContain("coverage_calls_total")
      for (const text of sent.values()) for (const secret of secrets) expect(text).not.toContain(secret)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("comes with the user name and password of the address as Basic authentication", () =>
    Effect.gen(function* () {
      const { credentials, sent, url } = yield* collector
      const endpoint = Redacted.make(`${url.replace("//", "//user:p%40ss@")}/`)
      yield* Effect.logInfo("one line").pipe(
        Effect.provide(Layer.fresh(exporting({ endpoint, version: "0.0.0" })))
      )
      expect(sent.get("/v1/logs") ?? "").toContain("one line")
      const basic = Buffer.from("user:p@ss").toString("base64")
      expect(credentials).toEqual(new Set([`Basic ${basic}`]))
    }).pipe(Effect.scoped, Effect.runPromise))
})
