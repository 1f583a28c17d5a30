import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { bodyBytesMax } from "../../core/admission/body.ts"
import { errorCodes } from "../../core/error/table.ts"
import { inMemory } from "./stores.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"

describe("step 1: what is no operation", () => {
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports, ["127.0.0.0/8"])
  })
  afterAll(() => serving.close())
  const codeAt = async (method: string, path: string) => {
    const response = await fetch(serving.url + path, { method })
    return `${response.status} ${((await response.json()) as ErrorBody).error.code}`
  }

  it.each([
    ["GET", "/api/v1/nothing", "404 RESOURCE_NOT_FOUND"],
    ["POST", "/api/v1/policies", "404 RESOURCE_NOT_FOUND"],
    ["PUT", "/api/v1/health", "404 RESOURCE_NOT_FOUND"],
    ["PROPFIND", "/api/v1/health", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/API/V1/health", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/api/v1//health", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/api/v1/health/", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/api/v1/policies/%zz", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/", "404 RESOURCE_NOT_FOUND"],
    ["OPTIONS", "/docs", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/api/public/v1/codes/lookup?code=E0601", "404 COMMERCIAL_SURFACE_UNAVAILABLE"],
    ["POST", "/api/public/v1", "404 COMMERCIAL_SURFACE_UNAVAILABLE"],
    ["GET", "/api/public/v1beta/codes", "404 RESOURCE_NOT_FOUND"],
    ["OPTIONS", "/api/v1beta/policies", "404 RESOURCE_NOT_FOUND"],
    ["GET", "/api/sandbox/v1/policies", "401 AUTH_MISSING"]
  ])("%s %s is %s, in an envelope", async (method, path, expected) =>
    expect(await codeAt(method, path)).toBe(expected)
  )

  it("contract §1 OPTIONS on an API path is 204 without credential, reflecting the origin", async () => {
    const response = await fetch(`${serving.url}/api/v1/codes/batch`, {
      method: "OPTIONS",
      headers: { origin: "https://a.example" }
    })
    expect(response.status).toBe(204)
    expect(response.headers.get("access-control-allow-origin")).toBe("https://a.example")
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "authorization, content-type, x-idempotency-key, idempotency-key"
    )
  })

  it("contract §1 an over-long header block and a body above 256 KiB are envelopes too", async () => {
    const headers = await fetch(`${serving.url}/api/v1/health`, { headers: { "x-long": "x".repeat(20_000) } })
    expect([headers.status, ((await headers.json()) as ErrorBody).error.code]).toEqual([
      400,
      "VALIDATION_OUT_OF_RANGE"
    ])
    const { key } = await serving.run(customer())
    const body = await fetch(`${serving.url}/api/v1/codes/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: " ".repeat(bodyBytesMax + 1)
    })
    expect([body.status, ((await body.json()) as ErrorBody).error.code]).toEqual([
      400,
      "VALIDATION_OUT_OF_RANGE"
    ])
  })

  it("contract §4 TRUSTED_PROXIES: the nearest address that is no such proxy is the caller's", async () => {
    const { key } = await serving.run(customer({ record: { allowedCidrs: ["203.0.113.0/24"] } }))
    const from = async (forwarded: string) =>
      (
        await fetch(`${serving.url}/api/v1/policies`, {
          headers: { authorization: `Bearer ${key}`, "x-forwarded-for": forwarded }
        })
      ).status
    expect(await from("203.0.113.7")).toBe(200)
    expect(await from("203.0.113.7, 127.0.0.9")).toBe(200)
    expect(await from("203.0.113.7, 198.51.100.1")).toBe(403)
    expect(await from("::ffff:203.0.113.7")).toBe(200)
  })

  it("§7.1 /docs/errors has an anchor for every code, so that every docUrl resolves", async () => {
    const page = await fetch(`${serving.url}/docs/errors`)
    const text = await page.text()
    for (const code of errorCodes) expect(text).toContain(`id="${code.toLowerCase().replaceAll("_", "-")}"`)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect((await fetch(`${serving.url}/docs`)).status).toBe(200)
    const sandbox = await (await fetch(`${serving.url}/docs/sandbox`)).text()
    for (const code of errorCodes) expect(sandbox).toContain(`<code>${code}</code>`)
  })
})
