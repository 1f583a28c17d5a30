import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { Socket } from "node:net"
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { reservedInputs } from "../../core/sandbox/reservedInputs.ts"
import { reservedPrefix } from "../../core/sandbox/injectFault.ts"
import { movableClock } from "./clock.ts"
import { baseUrl, customer, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { sandboxOver, errorOf, sandboxClient, sandboxStores } from "./sandboxCalls.ts"

const noon = Date.UTC(2026, 2, 10, 12)

describe.each(sandboxStores)("contract §3 every error on demand, keys and records in %s", (_, stores) => {
  const clock = movableClock(noon)
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  const { ask, call, create, provoke, testKey } = sandboxClient(() => serving.url)
  const peers = new Set<string>()
  const seen = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    socket.once("connect", () => peers.add(socket.remoteAddress ?? "a Unix socket"))
  }
  beforeAll(async () => {
    subscribe("net.client.socket", seen)
    serving = await serve(sandboxOver(stores, clock))
  })
  // Each test has a minute of its own, for 60 keys of this address.
  beforeEach(() => clock.move(61_000))
  afterAll(async () => {
    unsubscribe("net.client.socket", seen)
    await serving.close()
  })

  const expectRefusal = async (response: Response, code: ErrorCode) => {
    const row = errorRow(code)
    const body = (await response.json()) as ErrorBody
    expect([body.error.code, response.status]).toEqual([code, row.status])
    expect(body).toMatchObject({
      success: false,
      error: {
        // A fault of a field is told by its name.
        message: body.error.details?.fields?.[0]?.message ?? row.message,
        retryable: row.retryable,
        docUrl: `${baseUrl}/docs/errors#${errorAnchor(code)}`
      }
    })
    expect("details" in body.error).toBe(row.details !== undefined)
    expect(body.meta.request_id).toBe(response.headers.get("x-request-id"))
    expect(response.headers.has("retry-after")).toBe(row.status === 429)
    return body.error
  }

  it.each(errorCodes)("the documented request for %s is answered with it", async (code) => {
    const { key } = await testKey()
    await expectRefusal(await provoke(reservedInputs[code], key), code)
  })

  it.each(errorCodes)("%s by a reserved value, in a query, a path, or a body at any depth", async (code) => {
    const { key } = await testKey()
    const value = reservedPrefix + code
    const body = JSON.stringify({ codes: ["E0650", value], other: { any: [value] } })
    await expectRefusal(await call(`/jurisdictions?anything=${value}`, key), code)
    await expectRefusal(await call(`/policies/${value}`, key), code)
    await expectRefusal(await call(`/webhooks/${value}`, key, { method: "DELETE" }), code)
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    await expectRefusal(await call("/codes/batch", key, { method: "POST", headers, body }), code)
  })

  it("any operation, those without a key included", async () => {
    for (const id of operationIds) {
      const { key } = await testKey()
      const row = operationRow(id)
      const path = row.path.replaceAll(/\{\w+\}/g, "1")
      const init = row.method === "GET" ? {} : { method: row.method }
      const json = { "content-type": "application/json", authorization: `Bearer ${key}` }
      const scoped = row.requirement === "certified" ? (await testKey(certified)).key : key
      const headers = { ...json, authorization: `Bearer ${scoped}` }
      const sent = row.body === undefined ? {} : { body: "{}" }
      const url = `${path}?x=${reservedPrefix}SERVER_TIMEOUT`
      const response = await call(url, scoped, { ...init, headers, ...sent })
      expect([id, (await errorOf(response)).code]).toEqual([id, "SERVER_TIMEOUT"])
    }
    await expectRefusal(
      await create({ scopes: [`${reservedPrefix}RATE_LIMIT_EXCEEDED`] }),
      "RATE_LIMIT_EXCEEDED"
    )
    await expectRefusal(await ask(`/health?x=${reservedPrefix}SERVER_UNAVAILABLE`), "SERVER_UNAVAILABLE")
  })

  it("contract §1 the checks before the injected one go first", async () => {
    const { key } = await testKey({ scopes: ["read"] })
    const late = `x=${reservedPrefix}SERVER_TIMEOUT`
    await expectRefusal(await ask(`/policies?${late}`), "AUTH_MISSING")
    await expectRefusal(await call(`/webhooks?${late}`, key), "AUTHZ_SCOPE_REQUIRED")
    await expectRefusal(
      await call(`/codes/batch?${late}`, key, { method: "POST", body: "{}" }),
      "REQUEST_UNSUPPORTED_CONTENT_TYPE"
    )
    await expectRefusal(
      await call(`/webhooks?x=${reservedPrefix}RATE_LIMIT_EXCEEDED`, key),
      "RATE_LIMIT_EXCEEDED"
    )
  })

  it("contract §1 what refuses at step 5 uses nothing, what refuses later has used its cost", async () => {
    const { key } = await testKey()
    const remaining = async (code: ErrorCode) => {
      const response = await call(`/jurisdictions?x=${reservedPrefix}${code}`, key)
      return [response.headers.get("x-ratelimit-remaining"), response.headers.get("x-credits-cost")]
    }
    expect(await remaining("RATE_LIMIT_EXCEEDED")).toEqual(["0", "0"])
    expect(await remaining("AUTH_KEY_REVOKED")).toEqual([null, null])
    expect(await remaining("SERVER_TIMEOUT")).toEqual(["59", "0"])
    expect(await remaining("RESOURCE_NOT_FOUND")).toEqual(["58", "0"])
  })

  it("§8.2 an injected limit has the headers of a real one", async () => {
    const { key } = await testKey()
    const headersOf = async (code: ErrorCode) =>
      (await call(`/jurisdictions?x=${reservedPrefix}${code}`, key)).headers
    const day = await headersOf("RATE_QUOTA_EXCEEDED")
    expect(day.get("ratelimit")).toBe(`"day";r=0;t=${day.get("retry-after")}`)
    expect(Number(day.get("x-ratelimit-reset"))).toBe(Date.UTC(2026, 2, 11) / 1_000)
    expect(Number(day.get("retry-after"))).toBeGreaterThan(30_000)
    expect((await headersOf("RATE_CONCURRENT_EXCEEDED")).get("retry-after")).toBe("1")
    expect((await headersOf("RATE_LIMIT_EXCEEDED")).get("retry-after")).toBe("2")
    expect((await headersOf("BILLING_CREDITS_EXHAUSTED")).get("x-credits-remaining")).toBe("0")
  })

  it("contract §1 an injected 4xx of the operation is kept under its key, a 5xx is not", async () => {
    const { key } = await testKey()
    const replays = async (code: ErrorCode) => {
      const post = () =>
        call("/codes/batch", key, {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "x-idempotency-key": code
          },
          body: JSON.stringify({ codes: [reservedPrefix + code] })
        })
      await post()
      return (await post()).headers.get("idempotent-replayed")
    }
    expect(await replays("RESOURCE_NOT_FOUND")).toBe("true")
    expect(await replays("SERVER_TIMEOUT")).toBeNull()
  })

  it("only the whole value provokes, and in the sandbox alone", async () => {
    const { key } = await testKey()
    for (const q of ["how to provoke:SERVER_TIMEOUT", "provoke:NOTHING", "provoke:server_timeout"])
      expect((await call(`/policies?q=${encodeURIComponent(q)}`, key)).status).toBe(200)
    const live = await serving.run(customer())
    const response = await fetch(`${serving.url}/api/v1/jurisdictions?x=${reservedPrefix}SERVER_TIMEOUT`, {
      headers: { authorization: `Bearer ${live.key}` }
    })
    expect(response.status).toBe(200)
  })

  it("contract §3 nothing was sent out", () => {
    expect([...peers].filter((peer) => !local.has(peer))).toEqual([])
    expect(peers.size).toBeGreaterThan(0)
  })
})

const certified = { scopes: ["certified:derived_decision:read"] }
const local = new Set(["127.0.0.1", "::1", "a Unix socket"])
