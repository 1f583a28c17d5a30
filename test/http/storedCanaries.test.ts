import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { command } from "../cli/commandLine.ts"
import { browserOf, hiddenIn, password } from "../dashboard/browsing.ts"
import type { Browser } from "../dashboard/browsing.ts"
import { until } from "../faults/calling.ts"
import { openSite } from "../faults/site.ts"
import type { Site } from "../faults/site.ts"
import type { RunningServer } from "../faults/server.ts"
import {
  storedName,
  canaries,
  filesWritten,
  inHeader,
  inPath,
  inSpacedPath,
  stem,
  tracesIn
} from "../kit/canaries.ts"
import { databaseText, redisText } from "../kit/written.ts"
import { customer } from "./harness.ts"

const loopbackPort = "9"

describe("phi.md: identifiers planted in every stored name and URL are found nowhere", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "coverage-canaries-"))
  const responses: Array<string> = []
  let site: Site
  let server: RunningServer
  let collector: Server
  let exported = ""
  let accessLog = ""
  let owner: Browser
  let home: string
  let key: string

  beforeAll(async () => {
    collector = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => (exported += chunk.toString()))
      request.on("end", () => response.end("{}"))
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
    site = await openSite()
    server = await site.start({
      DATA_DIR: dataDir,
      LOG_LEVEL: "trace",
      ACCESS_LOG: "1",
      OTEL_SQL_SPANS: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      WEBHOOK_LOOPBACK: loopbackPort
    })
    server.child.stdout?.on("data", (chunk: Buffer) => (accessLog += chunk.toString()))
    const record = { scopes: ["read", "write"] } as const
    key = (await site.run(customer({ pack: "scale", record }))).key
    owner = await signUp("owner@clinic.example")
  }, 120_000)

  afterAll(async () => {
    await site.close()
    collector.closeAllConnections()
    collector.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Signs up by the link that the server writes to its log. */
  const signUp = async (email: string): Promise<Browser> => {
    const browser = browserOf(server)
    await browser.post("/signup", { email })
    await until(() => server.said().includes("/verify?token="), 20_000)
    const path = /\/verify\?token=[^\s"\\]+/.exec(server.said())?.[0] ?? ""
    const page = await browser.get(path)
    await browser.post("/verify", { ...hiddenIn(page.text), name: "Ada", password })
    return browser
  }

  const postForm = async (path: string, values: Readonly<Record<string, string>>) => {
    const got = await owner.post(path, values)
    responses.push(got.text, JSON.stringify([...got.headers]))
    return got
  }
  const expectFormFault = async (path: string, field: string, values: Readonly<Record<string, string>>) => {
    const { status, text } = await postForm(path, values)
    expect([values[field], status]).toEqual([values[field], 422])
    expect(text).toContain(`id="${field}-fault"`)
  }

  const send = async (
    method: string,
    path: string,
    sent: {
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
      readonly key?: string
    }
  ) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${sent.key ?? key}`,
        "content-type": "application/json",
        ...sent.headers
      },
      body: JSON.stringify(sent.body ?? {})
    })
    const text = await response.text()
    responses.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, text }
  }
  const expectRefusal = async (at: string, ...call: Parameters<typeof send>) => {
    const { status, text } = await send(...call)
    const { error } = JSON.parse(text) as {
      readonly error: { readonly code: string; readonly details: unknown }
    }
    expect([JSON.stringify(call), status, error.code]).toEqual([JSON.stringify(call), 400, "PHI_NOT_ALLOWED"])
    expect(error.details).toMatchObject({ findings: [{ path: at }] })
  }

  it("the dashboard stores names and URLs without identifiers", async () => {
    const created = await postForm("/dashboard/new", { name: storedName })
    home = created.location.replace(/\/usage$/, "")
    expect(home).toMatch(/^\/dashboard\/org_/)
    const organizationId = home.split("/")[2] as OrganizationId
    const change = { _tag: "Pack", pack: "scale", nowMs: Date.now() } as const
    await site.run(
      Effect.flatMap(Organizations, (organizations) => organizations.change({ organizationId, change }))
    )
    expect((await postForm(`${home}/keys`, { name: storedName, lifetime: "" })).text).toContain("svc_live_")
    const url = `http://127.0.0.1:${loopbackPort}/${storedName}`
    expect((await postForm(`${home}/webhooks`, { url, events: "*" })).text).toContain("whsec_")
  })

  it("names of organizations are rejected on the pages that create and rename one", async () => {
    for (const name of canaries()) await expectFormFault("/dashboard/new", "name", { name })
    for (const name of canaries()) await expectFormFault(`${home}/settings`, "name", { name })
  })

  it("names of keys are rejected on their page", async () => {
    for (const name of canaries()) await expectFormFault(`${home}/keys`, "name", { name, lifetime: "" })
  })

  it("webhook URLs are rejected on the pages that add and change an endpoint", async () => {
    const listed = (await owner.get(`${home}/webhooks`)).text
    const endpoint = /webhooks\/(\d+)"/.exec(listed)?.[1] ?? "none"
    for (const place of [`${home}/webhooks`, `${home}/webhooks/${endpoint}`])
      for (const part of inSpacedPath())
        await expectFormFault(place, "url", { url: `http://127.0.0.1:${loopbackPort}/${part}`, events: "*" })
  })

  it.each(["/api/v1", "/api/sandbox/v1"])(
    "webhook URLs and idempotency keys are rejected at %s",
    async (base) => {
      const testKey = async () => {
        const { text } = await send("POST", `${base}/keys`, {})
        return (JSON.parse(text) as { readonly data: { readonly key: string } }).data.key
      }
      // A test key has 60 cost units a minute.
      const newKey = async () => ({ key: base.includes("sandbox") ? await testKey() : key })
      let asked = await newKey()
      const url = "https://ok.example.com"
      for (const part of inSpacedPath()) {
        const body = { url: `${url}/${part}`, events: ["*"] }
        await expectRefusal("/body/url", "POST", `${base}/webhooks`, { ...asked, body })
        await expectRefusal("/body/url", "PATCH", `${base}/webhooks/1`, { ...asked, body: { url: body.url } })
      }
      const writes = [
        ["POST", "/webhooks", { url, events: ["*"] }],
        ["PATCH", "/webhooks/1", { status: "paused" }],
        ["POST", "/compliance/ack", { diff_id: 1 }],
        ["POST", "/codes/batch", { codes: ["E0601"] }]
      ] as const
      for (const [method, path, body] of writes)
        for (const name of ["x-idempotency-key", "idempotency-key"]) {
          asked = await newKey()
          for (const text of inHeader())
            await expectRefusal(`/headers/${name}`, method, base + path, {
              ...asked,
              body,
              headers: { [name]: text }
            })
        }
      asked = await newKey()
      for (const notes of canaries())
        await expectRefusal("/body/notes", "POST", `${base}/compliance/ack`, {
          ...asked,
          body: { diff_id: 1, notes }
        })
    }
  )

  it("names of organizations and keys are rejected by the command line", async () => {
    const environment = { ...site.environment, DATA_DIR: dataDir }
    const words = ["--org", home.split("/")[2] ?? "", "--scopes", "read"]
    const run = async (line: ReadonlyArray<string>, name: string, stdin?: string) => {
      const ran = await command([...line, "--name", name, "--json"], environment, stdin)
      responses.push(ran.stdout, ran.stderr)
      expect([name, ran.code]).toEqual([name, 1])
      expect(ran.stderr).toContain("PHI_NOT_ALLOWED")
    }
    for (const name of canaries().slice(0, 6)) {
      await run(["org", "create"], name)
      await run(["keys", "create", ...words], name)
      await run(["keys", "adopt", ...words], name, `vrt_${stem}_legacy`)
    }
  }, 120_000)

  it("names, redirect URIs and document addresses of OAuth clients are rejected", async () => {
    const register = async (metadata: object) => {
      const { status, text } = await send("POST", "/oauth/register", { body: metadata })
      return { status, text }
    }
    const redirect = "http://127.0.0.1:6274/cb"
    const texts = canaries()
    for (const name of texts.slice(0, 4))
      expect((await register({ client_name: name, redirect_uris: [redirect] })).status).toBe(400)
    for (const part of inPath().slice(0, 4))
      expect((await register({ redirect_uris: [`${redirect}/${part}`] })).status).toBe(400)
    const query = new URLSearchParams({
      client_id: `https://app.example/${inPath()[0]}.json`,
      redirect_uri: redirect,
      response_type: "code"
    })
    const got = await owner.get(`/oauth/authorize?${query.toString()}`)
    responses.push(got.text)
    expect(got.status).toBeGreaterThanOrEqual(400)
  }, 30_000)

  it("no response, row, Redis value, log line, span or file contains any of them", async () => {
    const { tables, text } = await site.run(databaseText)
    expect(tables.length).toBeGreaterThan(10)
    expect(text.split(storedName).length).toBeGreaterThan(3)
    expect(tracesIn(text)).toEqual([])
    const shared = await redisText(site.redis.url)
    expect(shared).toContain("org")
    expect(tracesIn(shared)).toEqual([])
    expect(responses.length).toBeGreaterThan(500)
    expect(tracesIn(responses.join("\n"))).toEqual([])
    await until(() => exported.includes("POST createWebhook"), 20_000)
    await server.end("SIGTERM")
    expect(exported).toContain("sql.")
    expect(tracesIn(exported)).toEqual([])
    expect(accessLog).toContain("createWebhook")
    expect(tracesIn(accessLog)).toEqual([])
    expect(server.said()).toContain("email not sent")
    expect(tracesIn(server.said())).toEqual([])
    const folder = await site.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          Effect.andThen(
            sql`checkpoint`,
            sql<{ readonly folder: string }>`
            select setting as folder from pg_settings where name = 'data_directory'`
          ),
          ([row]) => row?.folder ?? ""
        )
      )
    )
    const written = filesWritten(folder)
    expect(written.accepted.length).toBeGreaterThan(1)
    expect(written.traced).toEqual([])
    expect(filesWritten(dataDir).traced).toEqual([])
    expect(tracesIn(`a ${Buffer.from(stem).toString("hex")} and 7QW4.XK2`)).toHaveLength(2)
  }, 60_000)
})
