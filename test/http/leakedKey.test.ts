import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { Audit } from "../../core/port/Audit.ts"
import { makeKey } from "../../core/key/Key.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

const ports = Layer.mergeAll(inMemory, healthy, LocalLimits.layer)
let served: ServedApp<Layer.Success<typeof ports>>
beforeAll(async () => {
  served = await serve(ports)
})
afterAll(() => served.close())

const show = async (body: string, type = "application/json") => {
  const response = await fetch(`${served.url}/security/leaked-key`, {
    method: "POST",
    headers: { "content-type": type },
    body
  })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text) }
}

const use = (key: string) =>
  fetch(`${served.url}/api/v1/policies`, { headers: { authorization: `Bearer ${key}` } })

describe("a leaked key that is shown to the service", () => {
  it("is revoked at once, with a line in its owner's log, and again says the same", async () => {
    const { key, keyId, organizationId } = await served.run(customer())
    expect((await use(key)).status).toBe(200)
    const first = await show(JSON.stringify({ key }))
    expect(first).toMatchObject({
      status: 200,
      json: { success: true, data: { key_id: keyId, revoked: true } }
    })
    expect(first.text).not.toContain(key)
    const refused = await use(key)
    const refusal = (await refused.json()) as ErrorBody
    expect([refused.status, refusal.error.code]).toEqual([401, "AUTH_KEY_REVOKED"])
    expect((await show(JSON.stringify({ key }))).json.data).toEqual(first.json.data)
    const log = await served.run(
      Effect.flatMap(Audit, ({ list }) => list({ organizationId, before: null, limit: 10 }))
    )
    expect(log.entries.filter(({ action }) => action === "key.revoked")).toMatchObject([
      { actor: { kind: "service" }, subject: keyId, detail: "shown to the service as leaked" }
    ])
  })

  it("is said to be unknown, in one way, where nobody issued it or it is mistyped", async () => {
    const stranger = makeKey({ mode: "live", randomBytes: new Uint8Array(27).fill(7) })
    const told = new Set<string>()
    for (const key of [stranger, `${stranger.slice(0, -1)}0`, "vrt_ours?", "hello", "svc_live_"]) {
      const { status, text, json } = await show(JSON.stringify({ key }))
      expect([status, json.error.code], key).toEqual([401, "AUTH_KEY_NOT_FOUND"])
      expect(text).not.toContain(stranger)
      told.add(JSON.stringify(json.error))
    }
    expect(told.size).toBe(1)
    expect([...told][0]).toContain("No key was revoked")
  })

  it("is asked for in JSON, and what is not one is told so", async () => {
    expect((await show("{}")).json.error).toMatchObject({
      code: "VALIDATION_REQUIRED_FIELD",
      details: { fields: [{ path: "/body/key" }] }
    })
    expect((await show("{")).json.error.code).toBe("VALIDATION_INVALID_JSON")
    expect((await show("key=1", "application/x-www-form-urlencoded")).json.error.code).toBe(
      "REQUEST_UNSUPPORTED_CONTENT_TYPE"
    )
  })

  it.each([
    ["a key that is no text", '{"key":5}', "VALIDATION_ERROR", "/body/key"],
    ["a list", "[]", "VALIDATION_ERROR", "/body"],
    ["an empty key", '{"key":""}', "VALIDATION_OUT_OF_RANGE", "/body/key"],
    [
      "a key that no header could carry",
      `{"key":"${"k".repeat(200_000)}"}`,
      "VALIDATION_OUT_OF_RANGE",
      "/body/key"
    ],
    ["too large a body", `{"key":"${"k".repeat(300_000)}"}`, "VALIDATION_OUT_OF_RANGE", "/body"],
    ["too deep a body", `${'{"key":'.repeat(2_000)}1${"}".repeat(2_000)}`, "VALIDATION_OUT_OF_RANGE", "/body"]
  ])("reads %s as an operation would", async (_what, body, code, path) => {
    const { json, status } = await show(body)
    expect([status, json.error]).toMatchObject([400, { code, details: { fields: [{ path }] } }])
  })

  it("takes no patient data beside the key", async () => {
    const { error } = (await show(JSON.stringify({ key: "hello", note: "ssn 123-45-6789" }))).json
    expect(error.code).toBe("PHI_NOT_ALLOWED")
  })

  it.each(["GET", "PUT", "OPTIONS"])(
    "contract §1 %s of its path is not found, as everywhere",
    async (method) => {
      const response = await fetch(`${served.url}/security/leaked-key`, { method })
      const { error } = (await response.json()) as ErrorBody
      expect([response.status, error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
  )
})
