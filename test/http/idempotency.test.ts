import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, keyFor, serve } from "./harness.ts"
import type { Customer, ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

describe.each(services)("§4.6.2 X-Idempotency-Key over HTTP, over %s", (_, ports) => {
  const clock = movableClock(Date.UTC(2026, 2, 10, 12))
  const composed = () =>
    Layer.mergeAll(ports(), MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedLibrary)
  })
  afterAll(() => serving.close())

  const send = async (key: string, named: Readonly<Record<string, string>>, body: string) => {
    const response = await fetch(`${serving.url}/api/v1/codes/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...named },
      body
    })
    return { response, body: (await response.json()) as Answered }
  }
  const post = (key: string, idempotencyKey: string, body: string) =>
    send(key, { "x-idempotency-key": idempotencyKey }, body)
  const charged = ({ organizationId }: Customer) =>
    serving.run(
      Effect.map(
        Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() })),
        (statement) => statement?.charged
      )
    )
  const lookup = JSON.stringify({ codes: ["E0601", "ZZZZZ"], include: ["rvu"] })

  it("a repeat gets status and body under its own request id, says so, and spends nothing", async () => {
    const found = await serving.run(customer())
    const first = await post(found.key, "one", lookup)
    const again = await post(
      found.key,
      "one",
      JSON.stringify({ include: ["rvu"], codes: ["E0601", "ZZZZZ"] })
    )
    expect([first.response.status, again.response.status]).toEqual([200, 200])
    expect(again.body.data).toEqual(first.body.data)
    expect(first.body.meta).not.toHaveProperty("cached")
    expect(again.body.meta).toMatchObject({ cached: true, idempotency_key: "one", total_codes: 2 })
    expect(again.body.meta["request_id"]).not.toBe(first.body.meta["request_id"])
    expect(again.response.headers.get("idempotent-replayed")).toBe("true")
    expect(first.response.headers.get("x-credits-cost")).toBe("4")
    expect(again.response.headers.get("x-credits-cost")).toBe("0")
    expect(again.response.headers.get("x-ratelimit-remaining")).toBe("52")
    expect(await charged(found)).toBe(4)
  })

  it("contract §1 Idempotency-Key is the same key by the standard's name", async () => {
    const { key } = await serving.run(customer())
    await post(key, "named", lookup)
    const again = await send(key, { "idempotency-key": "named" }, lookup)
    expect(again.body.meta).toMatchObject({ cached: true, idempotency_key: "named" })
    const both = await send(key, { "x-idempotency-key": "named", "idempotency-key": "named" }, lookup)
    expect(both.body.meta).toMatchObject({ cached: true })
  })

  it("contract §1 two names with different values are rejected, and nothing runs", async () => {
    const { key } = await serving.run(customer())
    const differing = { "x-idempotency-key": "one", "idempotency-key": "two" }
    const { response, body } = await send(key, differing, lookup)
    const { error } = body as unknown as ErrorBody
    expect([response.status, error.code, error.details?.fields?.[0]?.path]).toEqual([
      400,
      "VALIDATION_ERROR",
      "/headers/idempotency-key"
    ])
    expect(response.headers.get("x-credits-cost")).toBe("0")
    for (const named of ["one", "two"])
      expect((await post(key, named, lookup)).body.meta).not.toHaveProperty("cached")
  })

  it("one name is another for another organization, the same for another key of the same", async () => {
    const [one, other] = [await serving.run(customer()), await serving.run(customer())]
    const sibling = await serving.run(keyFor(one.organizationId))
    await post(one.key, "shared", lookup)
    expect((await post(other.key, "shared", lookup)).body.meta).not.toHaveProperty("cached")
    expect((await post(sibling.key, "shared", lookup)).body.meta).toMatchObject({ cached: true })
  })

  it("twenty at once with one key run once: the rest are told to wait, or get the answer again", async () => {
    const found = await serving.run(customer({ pack: "build" }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(found.key, "race", lookup)))
    const codes = answers.map(({ response, body }) =>
      response.status === 200 ? "200" : (body as unknown as ErrorBody).error.code
    )
    expect(codes).toContain("200")
    expect(codes.filter((code) => code !== "200" && code !== "REQUEST_IDEMPOTENCY_IN_PROGRESS")).toEqual([])
    expect(answers.filter(({ response }) => response.headers.get("x-credits-cost") === "4")).toHaveLength(1)
    expect(await charged(found)).toBe(4)
  })

  it.each([
    ["", 400],
    ["k".repeat(255), 200],
    ["k".repeat(256), 400],
    ["caf\u00e9", 400]
  ])("contract §1 a key is 1 to 255 printable ASCII characters: %j is %i", async (key, status) => {
    const { key: bearer } = await serving.run(customer())
    expect((await post(bearer, key, lookup)).response.status).toBe(status)
  })

  it("a refused call leaves its key unused, and a kept answer lasts 24 hours", async () => {
    const found = await serving.run(customer({ credits: 900 }))
    expect((await post(found.key, "later", "{}")).response.status).toBe(400)
    expect((await post(found.key, "later", lookup)).body.meta).not.toHaveProperty("cached")
    clock.move(86_400_000 - 60_000)
    expect((await post(found.key, "later", lookup)).body.meta).toMatchObject({ cached: true })
    clock.move(120_000)
    expect((await post(found.key, "later", lookup)).body.meta).not.toHaveProperty("cached")
    expect(await charged(found)).toBe(8)
  })

  it("§8.3 credits that cannot cover the write refuse it, keep nothing, and leave the key free", async () => {
    const found = await serving.run(customer())
    for (let time = 0; time < 25; time++) {
      if (time % 12 === 0) clock.move(61_000)
      await post(found.key, `spend${time}`, lookup)
    }
    clock.move(61_000)
    const short = await post(found.key, "short", lookup)
    expect(short.response.status).toBe(402)
    const { details } = (short.body as unknown as ErrorBody).error
    expect(details).toEqual({ requests_required: 4, requests_available: 0 })
    await serving.run(
      Effect.flatMap(Ledger, (ledger) =>
        ledger.grant({
          organizationId: found.organizationId,
          amount: 10,
          grantId: `grant_${found.keyId}`,
          atMs: Date.now()
        })
      )
    )
    const paid = await post(found.key, "short", lookup)
    expect(paid.response.status).toBe(200)
    expect(paid.body.meta).not.toHaveProperty("cached")
  })
})

interface Answered {
  readonly data: unknown
  readonly meta: Readonly<Record<string, unknown>>
}
