import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer } from "../http/harness.ts"
import { call, readPath, until } from "./calling.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

interface Span {
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: unknown }>
}

const calls = 7
const serverKind = 2

describe("what a collector is sent of a server over PostgreSQL", () => {
  let site: Site
  let collector: Server
  let spans: Array<Span> = []
  beforeAll(async () => {
    site = await openSite()
    collector = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        if (request.url === "/v1/traces") spans.push(...spansIn(JSON.parse(text)))
        response.end("{}")
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
  })
  afterAll(async () => {
    await site.close()
    collector.closeAllConnections()
    collector.close()
  })

  const traced = async (more: Readonly<Record<string, string>>) => {
    spans = []
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const server = await site.start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })
    const { key } = await site.run(customer({ pack: "scale" }))
    for (let nth = 0; nth < calls; nth++) expect((await call(server.url + readPath, key)).status).toBe(200)
    await until(() => spans.filter(({ kind }) => kind === serverKind).length === calls, 15_000)
    await server.end("SIGTERM")
    return spans
  }

  it("is one span a call", async () => {
    const sent = await traced({})
    expect(sent.length).toBe(calls)
    const keys = sent[0]?.attributes.map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining(["operation", "request_id", "http.response.status_code"]))
  }, 30_000)

  it("OTEL_SQL_SPANS: statements too, with the server's own address", async () => {
    const sent = await traced({ OTEL_SQL_SPANS: "1", DATABASE_URL: site.environment.DATABASE_URL })
    const statements = sent.filter(({ name }) => name.startsWith("sql."))
    expect(statements.length).toBeGreaterThan(0)
    for (const { attributes } of statements) expect(JSON.stringify(attributes)).not.toContain('"localhost"')
  }, 30_000)
})

const spansIn = (sent: {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
}): ReadonlyArray<Span> =>
  sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
