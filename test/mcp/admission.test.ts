import { connect } from "node:net"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { isOwn } from "../../adapters/mcp/makeMcp.ts"
import { bodyBytesMax } from "../../core/admission/body.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { baseUrl, customer, healthy, keyFor, supportUrl } from "../http/harness.ts"
import type { ErrorBody } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { inMemory } from "../http/stores.ts"
import { answerOf, message, ping, send } from "./posting.ts"
import type { PostResult } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`
const scope = 'scope="service:mcp read"'

describe("§5 MCP authentication: who is let in to /mcp", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  let member: Awaited<ReturnType<typeof newcomer>>
  const newcomer = () => site.run(customer())
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedLibrary)
    member = await newcomer()
  })
  afterAll(() => site.close())

  const ask = (
    authorization: string | undefined,
    more: { readonly body?: string; readonly path?: string } = {}
  ) => send(site.url, { headers: { authorization }, body: ping, ...more })

  const expectRefusal = (posted: PostResult, status: number, code: string): ErrorBody => {
    const body = JSON.parse(posted.text) as ErrorBody
    expect([posted.status, body.success, body.error.code]).toEqual([status, false, code])
    expect(posted.headers["x-request-id"]).toBe(body.meta.request_id)
    expect(body.error.docUrl).toContain(`${baseUrl}/docs/errors#`)
    return body
  }

  it("no Authorization: AUTH_MISSING, and where to begin (RFC 9728 §5.1)", async () => {
    const posted = await ask(undefined)
    expectRefusal(posted, 401, "AUTH_MISSING")
    expect(posted.headers["www-authenticate"]).toBe(`Bearer ${metadata}, ${scope}`)
  })

  it.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s is not exempt", async (method) => {
    expectRefusal(await send(site.url, { method }), 401, "AUTH_MISSING")
  })

  it("any API key, good or bad, is a bad token here", async () => {
    const test = await site.run(keyFor(member.organizationId, { mode: "test" }))
    const legacy = await site.run(keyFor(member.organizationId, { legacy: `vrt_${"k".repeat(30)}` }))
    for (const key of [member.key, test.key, legacy.key, "svc_live_mistyped", "vrt_unknown"]) {
      const posted = await ask(`Bearer ${key}`)
      expectRefusal(posted, 401, "AUTH_INVALID_TOKEN")
      expect(posted.headers["www-authenticate"]).toBe(`Bearer error="invalid_token", ${metadata}, ${scope}`)
      expect(posted.text).not.toContain(key)
    }
  })

  it("a token that ends while its message is under way is AUTH_INVALID_TOKEN", async () => {
    const { hostname, host, port } = new URL(site.url)
    const token = site.token({ organizationId: member.organizationId })
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${ping.length}\r\n\r\n${ping.slice(0, 5)}`
    )
    // What comes after it is answered, so it has come.
    expect((await ask(`Bearer ${token}`)).status).toBe(200)
    site.grants.clear()
    socket.write(ping.slice(5))
    const received = await text(socket)
    expect(received).toMatch(/^HTTP\/1\.1 401 /)
    expect(received).toContain("AUTH_INVALID_TOKEN")
  })

  it("a token that is unknown, or known no more, is AUTH_INVALID_TOKEN", async () => {
    const token = site.token({ organizationId: member.organizationId })
    expect((await ask(`Bearer ${token}`)).status).toBe(200)
    site.grants.clear()
    expectRefusal(await ask(`Bearer ${token}`), 401, "AUTH_INVALID_TOKEN")
    expectRefusal(await ask("Bearer x"), 401, "AUTH_INVALID_TOKEN")
  })

  it.each(["Basic dXNlcjpwYXNz", "Bearer", "Bearer a b", "a-token-alone"])(
    "a header that is no bearer's (%s) is AUTH_INVALID_FORMAT with the same challenge",
    async (authorization) => {
      const posted = await ask(authorization)
      expectRefusal(posted, 401, "AUTH_INVALID_FORMAT")
      expect(posted.headers["www-authenticate"]).toContain(metadata)
    }
  )

  it("RFC 6750 §2.3 a token in the query string is none", async () => {
    const token = site.token({ organizationId: member.organizationId })
    expectRefusal(await ask(undefined, { path: `/mcp?access_token=${token}` }), 401, "AUTH_MISSING")
  })

  it.each([[["service:mcp"]], [["read"]], [[]]])(
    "a token with the scopes %j alone lacks one: 403 and insufficient_scope",
    async (scopes) => {
      const posted = await ask(`Bearer ${site.token({ organizationId: member.organizationId, scopes })}`)
      const body = expectRefusal(posted, 403, "AUTHZ_SCOPE_REQUIRED")
      expect(body.error.details).toEqual({ required_scopes: ["service:mcp", "read"] })
      expect(posted.headers["www-authenticate"]).toBe(
        `Bearer error="insufficient_scope", ${metadata}, ${scope}`
      )
    }
  )

  it("a suspended organization is told what its keys are told, from the next request on", async () => {
    const { organizationId } = await newcomer()
    const token = site.token({ organizationId })
    const change = (_tag: "Suspend" | "Unsuspend") =>
      site.run(
        Effect.flatMap(Organizations, (organizations) =>
          organizations.change({
            organizationId,
            change: _tag === "Suspend" ? { _tag, reason: null } : { _tag }
          })
        )
      )
    await change("Suspend")
    const body = expectRefusal(await ask(`Bearer ${token}`), 401, "AUTH_KEY_SUSPENDED")
    expect(body.error.hint).toContain(supportUrl)
    await change("Unsuspend")
    expect((await ask(`Bearer ${token}`)).status).toBe(200)
  })

  it("a store of tokens that is unavailable: SERVER_UNAVAILABLE, never a guess", async () => {
    const token = site.token({ organizationId: member.organizationId })
    site.setAway(true)
    const posted = await ask(`Bearer ${token}`).finally(() => site.setAway(false))
    expectRefusal(posted, 503, "SERVER_UNAVAILABLE")
  })

  it("contract §1 a body above 256 KiB is VALIDATION_OUT_OF_RANGE, once its sender is known", async () => {
    const body = JSON.stringify({ filler: "x".repeat(bodyBytesMax) })
    expectRefusal(await ask(undefined, { body }), 401, "AUTH_MISSING")
    const token = site.token({ organizationId: member.organizationId })
    const said = expectRefusal(await ask(`Bearer ${token}`, { body }), 400, "VALIDATION_OUT_OF_RANGE")
    expect(said.error.details).toMatchObject({ fields: [{ path: "/body" }] })
  })

  describe("what the protocol itself answers, each for nothing", () => {
    const rows: ReadonlyArray<readonly [string, string, number, number]> = [
      ["what is no JSON", "{", 400, -32_700],
      ["an empty body", "", 400, -32_700],
      ["a batch", `[${ping},${ping}]`, 400, -32_600],
      ["an empty batch", "[]", 400, -32_600],
      ["what is no JSON-RPC", "{}", 400, -32_600],
      ["an unknown method", message("patients/list"), 200, -32_601],
      [
        "arguments that are no object",
        message("tools/call", { name: "coverage_lookup", arguments: "x" }),
        200,
        -32_602
      ],
      ["a name that every object has", message("tools/call", { name: "toString" }), 200, -32_602]
    ]
    it.each(rows)("%s", async (_, body, status, code) => {
      const token = site.token({ organizationId: member.organizationId })
      const posted = await ask(`Bearer ${token}`, { body })
      expect(posted.status).toBe(status)
      expect(answerOf(posted)).toMatchObject({ jsonrpc: "2.0", error: { code } })
      expect(posted.headers["x-request-id"]).toMatch(/^req_/)
    })

    it.each(["GET", "DELETE"])(
      "%s has nothing to answer without sessions: 405, and POST allowed",
      async (method) => {
        const token = site.token({ organizationId: member.organizationId })
        const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" }
        const posted = await send(site.url, { method, headers })
        expect([posted.status, posted.headers["allow"]]).toEqual([405, "POST"])
      }
    )

    it("a notification is taken with 202 and nothing more", async () => {
      const token = site.token({ organizationId: member.organizationId })
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })
      expect(await ask(`Bearer ${token}`, { body })).toMatchObject({ status: 202, text: "" })
    })

    it("arguments nested a hundred thousand deep are refused, and break nothing", async () => {
      const token = site.token({ organizationId: member.organizationId })
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const call = message("tools/call", { name: "coverage_lookup", arguments: { code: "deep" } })
      const body = call.replace('"deep"', deep)
      const said = answerOf(await ask(`Bearer ${token}`, { body }))
      expect(said).toMatchObject({ result: { isError: true } })
      expect(JSON.stringify(said)).toContain("VALIDATION_OUT_OF_RANGE")
    })

    it("and all of it left the credits where they were", async () => {
      const { organizationId } = member
      const asked = { organizationId, nowMs: Date.now() }
      const statement = await site.run(Effect.flatMap(Ledger, (ledger) => ledger.statement(asked)))
      expect(statement?.balance).toBe(starterCredits)
    })
  })

  describe("MCP Streamable HTTP: Host and Origin are checked before all else", () => {
    const own = baseUrl.slice("https://".length)
    const loopback = () => site.url.slice("http://".length)
    const port = () => new URL(site.url).port
    const rows: ReadonlyArray<
      readonly [string, () => string | undefined, () => string | undefined, boolean]
    > = [
      ["BASE_URL's host", () => own, () => undefined, true],
      ["BASE_URL's host in capitals", () => own.toUpperCase(), () => undefined, true],
      ["BASE_URL's host with its port written out", () => `${own}:443`, () => undefined, true],
      ["BASE_URL's host and origin", () => own, () => baseUrl, true],
      ["loopback in development", loopback, () => undefined, true],
      ["localhost and its own page", () => `localhost:${port()}`, () => `http://localhost:${port()}`, true],
      ["IPv6 loopback", () => `[::1]:${port()}`, () => undefined, true],
      ["a foreign Host", () => "evil.example", () => undefined, false],
      ["a Host that begins as ours", () => `${own}.evil.example`, () => undefined, false],
      ["a Host that begins as loopback", () => "127.0.0.1.evil.example", () => undefined, false],
      ["our host on another port", () => `${own}:8443`, () => undefined, false],
      ["a foreign Origin", () => own, () => "https://evil.example", false],
      ["a foreign Origin at loopback", loopback, () => "https://evil.example", false],
      ["another port of loopback", loopback, () => "http://localhost:1", false],
      ["our origin without its encryption", () => own, () => `http://${own}`, false],
      ["the null origin", () => own, () => "null", false],
      ["rebinding", () => "evil.example", () => "http://evil.example", false]
    ]
    it.each(rows)("%s", async (_, host, origin, passes) => {
      const token = site.token({ organizationId: member.organizationId })
      const headers = { authorization: `Bearer ${token}`, host: host(), origin: origin() }
      const posted = await send(site.url, { headers, body: ping })
      if (passes) expect(posted.status).toBe(200)
      else {
        expectRefusal(posted, 403, "AUTHZ_ORIGIN_NOT_ALLOWED")
        expect(posted.headers["www-authenticate"]).toBeUndefined()
      }
      expect(posted.headers["access-control-allow-origin"]).toBeUndefined()
    })

    it("contract §1 HTTP/1.1 without Host is VALIDATION_INVALID_FORMAT, as on every surface", async () => {
      const token = site.token({ organizationId: member.organizationId })
      const headers = { authorization: `Bearer ${token}`, host: undefined }
      const posted = await send(site.url, { headers, body: ping })
      expectRefusal(posted, 400, "VALIDATION_INVALID_FORMAT")
    })

    it("in production loopback is as foreign as any other name", () => {
      const passes = isOwn({ baseUrl, development: false })
      expect(passes({ host: own, origin: undefined })).toBe(true)
      expect(passes({ host: loopback(), origin: undefined })).toBe(false)
      expect(passes({ host: "localhost", origin: "http://localhost" })).toBe(false)
    })
  })
})
