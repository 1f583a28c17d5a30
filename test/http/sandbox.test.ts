import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { catalogue, isKeyed, operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { refusalCodes, standIns } from "../../core/operation/Operation.ts"
import { examples, sandboxRequest } from "../../core/sandbox/examples.ts"
import type { ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import type { KeyHash, KeyId } from "../../core/key/state.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Keys } from "../../core/port/Keys.ts"
import { changeKey } from "../../core/admin/issueKeys.ts"
import { fixtureReleaseId } from "../../core/sandbox/testKey.ts"
import { movableClock } from "./clock.ts"
import { customer, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { sandboxOver, errorOf, sandboxClient, sandboxStores } from "./sandboxCalls.ts"

const noon = Date.UTC(2026, 2, 10, 12)
/** §5.6 */
const sevenDaysMs = 7 * 24 * 3_600_000
const certified = "certified:derived_decision:read"

/** What the rows say is refused, and by which code. */
const refusedRequests = operationIds.flatMap((id) => {
  const { refusals } = operationRow(id)
  return refusalCodes(refusals).flatMap((code) => {
    const request = refusals[code] ?? undefined
    return request === undefined ? [] : [[id, code, sandboxRequest(id, request)] as const]
  })
})

describe.each(sandboxStores)("the sandbox, keys and records in %s", (_, stores) => {
  const clock = movableClock(noon)
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  const { ask, call, create, send, testKey } = sandboxClient(() => serving.url)
  beforeAll(async () => {
    serving = await serve(sandboxOver(stores, clock), ["127.0.0.0/8"])
  })
  afterAll(() => serving.close())

  /** Another caller, behind a trusted proxy. */
  let callers = 0
  const stranger = () => {
    callers += 1
    return { "x-forwarded-for": `203.0.113.${callers}` }
  }

  it("§5.6 a key is made for whoever asks: read and write, for seven days", async () => {
    const response = await create(undefined, { authorization: "Basic nonsense", ...stranger() })
    expect(response.status).toBe(200)
    expect(response.headers.get("x-ratelimit-limit")).toBe("60")
    expect(response.headers.get("x-credits-cost")).toBe("0")
    expect(response.headers.has("x-credits-remaining")).toBe(false)
    const { data } = (await response.json()) as { readonly data: Record<string, unknown> }
    expect(data["key"]).toMatch(/^svc_test_[0-9a-hjkmnp-tv-z]{27}_[0-9a-hjkmnp-tv-z]{4}$/)
    expect(data).toMatchObject({ scopes: ["read", "write"], release_id: null })
    const leftMs = Date.parse(String(data["expires_at"])) - noon
    expect(leftMs).toBeGreaterThanOrEqual(sevenDaysMs)
    expect(leftMs).toBeLessThan(sevenDaysMs + 60_000)
    expect(() =>
      SchemaParser.decodeUnknownSync(catalogue.createTestKey.success, { onExcessProperty: "error" })(data)
    ).not.toThrow()
  })

  it("contract §3 the body is optional, and its scopes are judged", async () => {
    const scopesOf = async (body?: unknown) => (await testKey(body)).scopes
    expect(await scopesOf({})).toEqual(["read", "write"])
    expect(await scopesOf({ scopes: ["read", "read"] })).toEqual(["read"])
    expect(await testKey({ scopes: [certified] })).toMatchObject({
      scopes: [certified],
      release_id: fixtureReleaseId
    })
    const refusedBy = async (body: unknown) => errorOf(await create(body, stranger()))
    expect(await refusedBy({ scopes: [certified, "read"] })).toMatchObject({
      code: "VALIDATION_INVALID_FORMAT",
      details: { fields: [{ path: "/body/scopes" }] }
    })
    expect((await refusedBy({ scopes: ["root"] })).code).toBe("VALIDATION_INVALID_FORMAT")
    expect((await refusedBy({ scopes: [] })).code).toBe("VALIDATION_OUT_OF_RANGE")
    expect((await refusedBy({ scopes: "read" })).code).toBe("VALIDATION_ERROR")
    expect((await refusedBy([])).code).toBe("VALIDATION_ERROR")
    const text = await ask("/keys", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } })
    expect((await errorOf(text)).code).toBe("REQUEST_UNSUPPORTED_CONTENT_TYPE")
  })

  it("§2.5 a key is shown once: X-Idempotency-Key is looked at, and each call makes a new key", async () => {
    const keyed = { "x-idempotency-key": "once" }
    const keys = await Promise.all([1, 2].map(async () => (await create(undefined, keyed)).text()))
    expect(new Set(keys.map((text) => /svc_test_\w+/.exec(text)?.[0])).size).toBe(2)
    const wrong = await create(undefined, { "x-idempotency-key": "x".repeat(256) })
    expect((await errorOf(wrong)).code).toBe("VALIDATION_OUT_OF_RANGE")
  })

  it.each<[string, (address: string, index: number) => string]>([
    ["an address written as IPv4 and as IPv6", (four, index) => (index % 2 === 0 ? four : `::ffff:${four}`)],
    ["an address that a proxy sends with its port", (four, index) => `${four}:${17_085 + index}`],
    ["an IPv6 /64", (_four, index) => `[2001:db8:0:7:${index}::${index}]:443`]
  ])("contract §3 makes 60 keys a minute for %s, and none at another's cost", async (_name, written) => {
    const address = stranger()["x-forwarded-for"]
    const from = (index: number) => ({ "x-forwarded-for": written(address, index) })
    const one = from(0)
    const made = await Promise.all(
      Array.from({ length: 70 }, (_unused, index) => create(undefined, from(index)))
    )
    expect(made.filter(({ status }) => status === 200)).toHaveLength(60)
    const refused = made.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const response of refused) {
      expect((await errorOf(response)).code).toBe("RATE_LIMIT_EXCEEDED")
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect(response.headers.get("x-ratelimit-remaining")).toBe("0")
    }
    expect((await create(undefined, stranger())).status).toBe(200)
    clock.move(60_001)
    expect((await create(undefined, one)).status).toBe(200)
  })

  it("contract §3 the live surface makes no test keys", async () => {
    const response = await fetch(`${serving.url}/api/v1/keys`, { method: "POST" })
    expect((await errorOf(response)).code).toBe("RESOURCE_NOT_FOUND")
  })

  it("§8.1.4 60 calls a minute for each test key, and no credits", async () => {
    const [first, second] = [await testKey(), await testKey()]
    const answers = await Promise.all(Array.from({ length: 61 }, () => call("/jurisdictions", first.key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.length - refused.length, refused.length]).toEqual([60, 1])
    expect(refused[0]?.headers.get("x-ratelimit-limit")).toBe("60")
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    const other = await call("/jurisdictions", second.key)
    expect(other.status).toBe(200)
    expect(other.headers.get("ratelimit-policy")).toBe('"minute";q=60;w=60')
    expect(other.headers.get("x-credits-cost")).toBe("0")
    expect(other.headers.has("x-credits-remaining")).toBe(false)
  })

  it("§3.2 a test key opens the sandbox for seven days and not a moment longer", async () => {
    const { key } = await testKey()
    clock.move(sevenDaysMs - 5_000)
    expect((await call("/jurisdictions", key)).status).toBe(200)
    clock.move(5_000)
    expect((await errorOf(await call("/jurisdictions", key))).code).toBe("AUTH_KEY_EXPIRED")
    clock.move(-sevenDaysMs)
  })

  it("§3.2 an operator suspends, lifts and revokes a test key like any other", async () => {
    const { key } = await testKey()
    const found = Effect.gen(function* () {
      const { sha256Hex } = yield* Crypto
      return yield* (yield* Keys).find(sha256Hex(key) as KeyHash)
    })
    const keyId = (await serving.run(found))?.key.keyId ?? ("key_" as KeyId)
    const states: Array<string> = []
    for (const action of ["suspend", "unsuspend", "revoke"] as const) {
      const shown = await serving.run(changeKey({ keyId, action, reason: null }))
      const answered = await call("/jurisdictions", key)
      states.push(`${shown?.state} ${answered.status === 200 ? 200 : (await errorOf(answered)).code}`)
    }
    expect(states).toEqual(["suspended AUTH_KEY_SUSPENDED", "valid 200", "revoked AUTH_KEY_REVOKED"])
  })

  it("§5.3 a live key, a legacy key and an OAuth token are refused", async () => {
    const live = await serving.run(customer({ pack: "scale" }))
    const legacy = await serving.run(customer({ legacy: `vrt_${live.keyId}` }))
    for (const key of [live.key, legacy.key, "t".repeat(43), "a.b.c"])
      expect((await errorOf(await call("/jurisdictions", key))).code).toBe("AUTH_SANDBOX_TEST_KEY_REQUIRED")
  })

  it("contract §3 health and keys ignore Authorization; a gone key answers what it always did", async () => {
    const health = await ask("/health", { headers: { authorization: "nonsense" } })
    expect(health.status).toBe(200)
    expect(health.headers.has("x-credits-cost")).toBe(false)
    const unknown = await call("/jurisdictions", "svc_test_nonsense")
    expect((await errorOf(unknown)).code).toBe("AUTH_KEY_NOT_FOUND")
  })

  it("contract §3 what one key writes is not there for another: its idempotency keys", async () => {
    const [first, second] = [await testKey(), await testKey()]
    const post = (key: string, codes: ReadonlyArray<string>) =>
      call("/codes/batch", key, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-idempotency-key": "shared"
        },
        body: JSON.stringify({ codes })
      })
    const ran = await post(first.key, ["E0650"])
    expect([ran.status, ran.headers.get("idempotent-replayed")]).toEqual([200, null])
    const replayed = await post(first.key, ["E0650"])
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([200, "true"])
    expect((await errorOf(await post(first.key, ["E0652"]))).code).toBe("REQUEST_IDEMPOTENCY_CONFLICT")
    const others = await post(second.key, ["E0652"])
    expect([others.status, others.headers.get("idempotent-replayed")]).toEqual([200, null])
  })

  /** The example with the ids of an endpoint and a delivery that the key has made. */
  const ownExample = async (example: ReservedRequest, key: string): Promise<ReservedRequest> => {
    if (!example.path.includes(standIns.webhook)) return example
    const sent = async (id: "createWebhook" | "acknowledgeChange") =>
      (await (await send(examples[id], key)).json()) as { readonly data: { readonly id: number } }
    const webhook = String((await sent("createWebhook")).data.id)
    await sent("acknowledgeChange")
    const log = (await (await call(`/webhooks/${webhook}/deliveries`, key)).json()) as {
      readonly data: ReadonlyArray<{ readonly delivery_id: number }>
    }
    const delivery = String(log.data[0]?.delivery_id)
    const path = example.path.replace(standIns.webhook, webhook).replace(standIns.delivery, delivery)
    return { ...example, path }
  }

  it.each(operationIds.filter(isKeyed))("%s answers its documented example from the fixtures", async (id) => {
    const example = examples[id]
    const { key } = await testKey(example.authorization === "certified" ? { scopes: [certified] } : undefined)
    const response = await send(await ownExample(example, key), key)
    const body = (await response.json()) as { readonly data: unknown; readonly meta: Record<string, unknown> }
    expect([response.status, response.headers.get("x-credits-cost")]).toEqual([200, "0"])
    const row = catalogue[id]
    const parse = SchemaParser.decodeUnknownSync(row.success as never, { onExcessProperty: "error" })
    expect(() => parse(body.data as never)).not.toThrow()
    if ("coverage" in row) {
      expect(body.meta["data_as_of"]).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(body.meta["disclaimer"]).toContain("Synthetic fixtures")
    }
  })

  it.each(refusedRequests)("%s refuses the request that its row says is %s", async (_, code, example) => {
    // An address gets sixty keys a minute.
    clock.move(60_000)
    const { key } = await testKey(example.authorization === "certified" ? { scopes: [certified] } : undefined)
    const response = await send(await ownExample(example, key), key)
    expect((await errorOf(response)).code).toBe(code)
  })

  it("contract §3 the fixtures are not the live library: what one holds the other does not", async () => {
    const { key } = await testKey()
    expect((await call("/policies/L90003", key)).status).toBe(200)
    const live = await serving.run(customer())
    const response = await fetch(`${serving.url}/api/v1/policies/L90003`, {
      headers: { authorization: `Bearer ${live.key}` }
    })
    expect((await errorOf(response)).code).toBe("RESOURCE_POLICY_NOT_FOUND")
  })
})
