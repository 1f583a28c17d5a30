import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { Customer, ServedApp } from "./harness.ts"
import { services } from "./stores.ts"
import { webhookClient } from "./webhookCalls.ts"

const noon = Date.UTC(2026, 2, 10, 12)
const writer = { pack: "scale", record: { scopes: ["write"] } } as const
const url = "https://hooks.clinic.example.org/in/5551234567?t=1"
const events = ["compliance.acknowledged"]

describe.each(services)("contract §2 /webhooks, over %s", (_, service) => {
  const clock = movableClock(noon)
  const composed = () =>
    Layer.mergeAll(service(), MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let owner: Customer
  let other: Customer
  beforeAll(async () => {
    serving = await serve(composed())
  })
  beforeEach(async () => {
    owner = await serving.run(customer(writer))
    other = await serving.run(customer(writer))
  })
  afterAll(() => serving.close())
  const base = () => `${serving.url}/api/v1`
  const { call, code, data, endpoint } = webhookClient(base, () => owner.key)
  const strangers = webhookClient(base, () => other.key)
  const charged = ({ organizationId }: Customer) =>
    serving.run(
      Effect.flatMap(Ledger, (ledger) =>
        Effect.map(ledger.statement({ organizationId, nowMs: noon }), (statement) => statement?.charged)
      )
    )

  it("§2.2 an endpoint is created active and without failures; its secret is shown this once", async () => {
    const made = await data("createWebhook", "/webhooks", { body: { url, events: [...events, ...events] } })
    const { secret, ...shown } = made
    expect(shown).toMatchObject({ url, events, status: "active", failure_count: 0 })
    expect(shown["created_at"]).toBe(shown["updated_at"])
    expect(String(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await data("listWebhooks", "/webhooks")).toEqual([shown])
    expect(await strangers.data("listWebhooks", "/webhooks")).toEqual([])
  })

  it("§4.2 needs the write or admin scope and the Scale pack", async () => {
    const asked = async (pack: "build" | "scale", scope: "read" | "write" | "admin") => {
      const { key } = await serving.run(customer({ pack, record: { scopes: [scope] } }))
      return webhookClient(base, () => key).code("GET", "/webhooks")
    }
    expect(await asked("scale", "read")).toBe("AUTHZ_SCOPE_REQUIRED")
    expect(await asked("build", "write")).toBe("BILLING_FEATURE_REQUIRED")
    expect(await asked("scale", "admin")).toBe("200")
  })

  const urls: ReadonlyArray<readonly [string, unknown, string, string]> = [
    ["missing", undefined, "VALIDATION_REQUIRED_FIELD", "required"],
    ["of another type", 7, "VALIDATION_ERROR", "invalid"],
    ["empty", "", "VALIDATION_OUT_OF_RANGE", "out_of_range"],
    ["too long", `https://a.org/${"x".repeat(2_048)}`, "VALIDATION_OUT_OF_RANGE", "out_of_range"],
    ["no URL", "hooks", "VALIDATION_INVALID_FORMAT", "invalid_format"],
    ["of http", "http://hooks.example.com/in", "VALIDATION_INVALID_FORMAT", "invalid_format"],
    ["of a loopback nobody allowed", "http://127.0.0.1:4000/", "VALIDATION_INVALID_FORMAT", "invalid_format"],
    ["with a user name", "https://me@hooks.example.com", "VALIDATION_INVALID_FORMAT", "invalid_format"],
    ["with a tab", "https://hooks.example.com/\t", "VALIDATION_INVALID_FORMAT", "invalid_format"],
    ["of a private address", "https://10.0.0.8/in", "VALIDATION_ERROR", "not_public"],
    ["of a mapped address", "https://[::ffff:8.8.8.8]/", "VALIDATION_ERROR", "not_public"],
    ["of a reserved name", "https://hooks.internal/", "VALIDATION_ERROR", "not_public"],
    ["of another port", "https://hooks.example.com:8443/", "VALIDATION_ERROR", "not_public"],
    ["that resolves to a private address", "https://private.example.com/", "VALIDATION_ERROR", "not_public"],
    ["that does not resolve", "https://unresolved.example.com/", "VALIDATION_ERROR", "not_public"]
  ]
  it.each(urls)("§2.2 a URL %s: %j is %s", async (_name, bad, expected, fault) => {
    const made = await endpoint()
    const create = { url: bad, events }
    for (const told of [
      await call("POST", "/webhooks", { body: create }),
      ...(bad === undefined ? [] : [await call("PATCH", `/webhooks/${made["id"]}`, { body: { url: bad } })])
    ]) {
      expect([told.status, told.body.error.code]).toEqual([400, expected])
      const message: unknown = expect.any(String)
      expect(told.body.error.details).toEqual({ fields: [{ path: "/body/url", code: fault, message }] })
      expect(JSON.stringify(told.body)).not.toMatch(/10\.0\.0\.8|8\.8\.8\.8|127\.0\.0\.1/)
    }
    expect(await data("listWebhooks", "/webhooks")).toHaveLength(1)
  })

  it.each([
    [[], "VALIDATION_OUT_OF_RANGE", "/body/events"],
    [Array.from({ length: 21 }, () => "*"), "VALIDATION_OUT_OF_RANGE", "/body/events"],
    [["policy.changed"], "VALIDATION_INVALID_FORMAT", "/body/events/0"],
    [["*", "test.ping"], "VALIDATION_INVALID_FORMAT", "/body/events/1"],
    ["*", "VALIDATION_ERROR", "/body/events"]
  ])("§6 events %j are %s", async (wrong, expected, path) => {
    const told = await call("POST", "/webhooks", { body: { url, events: wrong } })
    expect(told.body.error.code).toBe(expected)
    expect(told.body.error.details).toMatchObject({ fields: [{ path }] })
  })

  it("§4.3 PATCH changes what it names, and updated_at with it", async () => {
    const { secret: _secret, ...made } = await endpoint()
    clock.move(5_000)
    const patched = await data("updateWebhook", `/webhooks/${made["id"]}`, { body: { status: "paused" } })
    expect(patched).toEqual({ ...made, status: "paused", updated_at: patched["updated_at"] })
    expect(Date.parse(String(patched["updated_at"]))).toBeGreaterThan(Date.parse(String(made["updated_at"])))
    const both = { url: "https://other.example.com/", events, status: "active" }
    expect(await data("updateWebhook", `/webhooks/${made["id"]}`, { body: both })).toMatchObject(both)
  })

  it.each([
    [{}, "VALIDATION_REQUIRED_FIELD", "/body"],
    [{ colour: "red" }, "VALIDATION_REQUIRED_FIELD", "/body"],
    [{ status: "disabled" }, "VALIDATION_INVALID_FORMAT", "/body/status"],
    [{ status: "deleted" }, "VALIDATION_INVALID_FORMAT", "/body/status"],
    [{ events: [] }, "VALIDATION_OUT_OF_RANGE", "/body/events"],
    [[], "VALIDATION_ERROR", "/body"]
  ])("§4.3 PATCH with %j is %s", async (body, expected, path) => {
    const { id } = await endpoint()
    const told = await call("PATCH", `/webhooks/${id}`, { body })
    expect([told.status, told.body.error.code]).toEqual([400, expected])
    expect(told.body.error.details).toMatchObject({ fields: [{ path }] })
  })

  it("DELETE hides an endpoint for good", async () => {
    const { id } = await endpoint()
    expect(await data("deleteWebhook", `/webhooks/${id}`)).toEqual({ id, deleted: true })
    expect(await data("listWebhooks", "/webhooks")).toEqual([])
    expect(await code("DELETE", `/webhooks/${id}`)).toBe("RESOURCE_NOT_FOUND")
  })

  it("another organization's, a deleted and an absent endpoint are 404 everywhere", async () => {
    const [theirs, gone] = [await strangers.endpoint(), await endpoint()]
    await data("deleteWebhook", `/webhooks/${gone["id"]}`)
    const body = { since: "2026-03-10T00:00:00Z", until: "2026-03-11T00:00:00Z" }
    for (const id of [theirs["id"], gone["id"], 2 ** 53 - 1]) {
      const path = `/webhooks/${id}`
      for (const told of [
        await call("PATCH", path, { body: { status: "active" } }),
        await call("PATCH", path, { body: { url: "https://private.example.com/" } }),
        await call("DELETE", path),
        await call("POST", `${path}/test`),
        await call("POST", `${path}/rotate-secret`),
        await call("POST", `${path}/replay`, { body }),
        await call("GET", `${path}/deliveries`),
        await call("POST", `${path}/deliveries/1/replay`)
      ]) {
        expect([told.status, told.body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
        expect(told.headers.get("x-credits-cost")).toBe("1")
      }
    }
    expect(await strangers.data("listWebhooks", "/webhooks")).toMatchObject([
      { id: theirs["id"], status: "active", updated_at: theirs["updated_at"] }
    ])
  })

  it.each([
    ["seven", "VALIDATION_INVALID_FORMAT"],
    ["1.5", "VALIDATION_INVALID_FORMAT"],
    ["9007199254740992", "VALIDATION_OUT_OF_RANGE"],
    ["-1", "VALIDATION_OUT_OF_RANGE"]
  ])("contract §1 the id %s is %s", async (id, expected) => {
    expect(await code("DELETE", `/webhooks/${id}`)).toBe(expected)
  })

  it("contract §2 at most 50 endpoints that are not deleted, however many are created at once", async () => {
    const made = await Promise.all(
      Array.from({ length: 52 }, () => call("POST", "/webhooks", { body: { url, events } }))
    )
    const refused = made.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.error.code)).toEqual(["VALIDATION_ERROR", "VALIDATION_ERROR"])
    expect(refused[0]?.body.error.details).toMatchObject({ fields: [{ path: "/body", code: "too_many" }] })
    const [first] = (await data("listWebhooks", "/webhooks")) as never as ReadonlyArray<{
      readonly id: number
    }>
    await data("deleteWebhook", `/webhooks/${first?.id}`)
    expect(await code("POST", "/webhooks", { body: { url, events } })).toBe("200")
  })

  it("§4.6.2 created twice with one key it is one endpoint, and the repeat tells its secret", async () => {
    const sent = { body: { url, events }, key: "create" }
    const [first, again] = [await call("POST", "/webhooks", sent), await call("POST", "/webhooks", sent)]
    expect(again.body.data).toEqual(first.body.data)
    expect(first.body.data).toMatchObject({ secret: expect.stringMatching(/^whsec_/) as string })
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(await data("listWebhooks", "/webhooks")).toHaveLength(1)
    expect(await charged(owner)).toBe(2)
    const racing = await Promise.all(
      Array.from({ length: 10 }, () => call("POST", "/webhooks", { ...sent, key: "race" }))
    )
    const answered = racing.map(({ status, body }) => (status === 200 ? "200" : body.error.code))
    expect(new Set(answered)).toContain("200")
    expect(answered.filter((one) => one !== "200" && one !== "REQUEST_IDEMPOTENCY_IN_PROGRESS")).toEqual([])
    expect(await data("listWebhooks", "/webhooks")).toHaveLength(2)
  })

  it("contract §1 a resolver that is down: nothing is made, kept under a key or spent", async () => {
    const made = await endpoint()
    const before = await charged(owner)
    const body = { url: "https://resolver-down.example.com/", events }
    for (const told of [
      await call("POST", "/webhooks", { body, key: "down" }),
      await call("POST", "/webhooks", { body, key: "down" }),
      await call("POST", "/webhooks", { body }),
      await call("PATCH", `/webhooks/${made["id"]}`, { body })
    ]) {
      expect([told.status, told.body.error.code]).toEqual([503, "SERVER_UPSTREAM_UNAVAILABLE"])
      expect(told.headers.get("x-credits-cost")).toBe("0")
      expect(told.headers.get("idempotent-replayed")).toBeNull()
    }
    expect(await charged(owner)).toBe(before)
    expect(await data("listWebhooks", "/webhooks")).toMatchObject([{ url: made["url"] }])
  })

  it("rotate-secret shows a new secret this once, and until when the old one signs too", async () => {
    const made = await endpoint()
    const turned = await data("rotateWebhookSecret", `/webhooks/${made["id"]}/rotate-secret`)
    expect(turned["secret"]).toMatch(/^whsec_/)
    expect(turned["secret"]).not.toBe(made["secret"])
    const leftMs = Date.parse(String(turned["previous_secret_expires_at"])) - noon
    expect(leftMs).toBeGreaterThanOrEqual(86_400_000)
    expect(leftMs).toBeLessThan(86_400_000 + 120_000)
    expect(JSON.stringify(await data("listWebhooks", "/webhooks"))).not.toContain("whsec_")
  })
})
