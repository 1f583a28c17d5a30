import { describe, expect, it } from "vitest"
import { serviceWithReceiver } from "./serviceWithReceiver.ts"
import { acceptingVerifiers } from "./receiving.ts"
import type { Arrival } from "./receiving.ts"
import { services } from "./stores.ts"

describe.each(services)("§4.4 tests of an endpoint over real sockets, over %s", (_, service) => {
  const { call, data, create, shown, log, nowMs, move, arrivals, answers } = serviceWithReceiver(service)

  /** A receiver that answers what it verifies with 200. */
  const verifying = (secret: unknown, otherwise: number) => (arrival: Omit<Arrival, "status">) =>
    acceptingVerifiers(String(secret), { ...arrival, status: 0 }, nowMs()).length === 2 ? 200 : otherwise

  it("two pings differ by nothing but their signature: who refuses the forged one enforces", async () => {
    const { id, secret } = await create()
    answers(verifying(secret, 401))
    expect(await data("testWebhook", `/webhooks/${String(id)}/test`)).toEqual({
      delivery_id: expect.any(Number) as number,
      endpoint_id: id,
      event: "test.ping",
      http_status: 200,
      success: true,
      error: null,
      signature_validation: "enforced",
      created_at: expect.any(String) as string
    })
    expect(arrivals()).toHaveLength(2)
    const [one, other] = arrivals()
    expect(one?.event.type).toBe("test.ping")
    expect(one?.headers["webhook-id"]).not.toBe(other?.headers["webhook-id"])
    expect(one?.headers["webhook-signature"]?.length).toBe(other?.headers["webhook-signature"]?.length)
  })

  it("who takes the forged ping does not enforce; of who fails at it nothing is known", async () => {
    const { id, secret } = await create()
    const tested = () => data("testWebhook", `/webhooks/${String(id)}/test`)
    answers(() => 204)
    expect(await tested()).toMatchObject({
      success: true,
      http_status: 204,
      signature_validation: "not_enforced"
    })
    answers(verifying(secret, 500))
    expect(await tested()).toMatchObject({ success: true, signature_validation: "unknown" })
    answers(() => 401)
    expect(await tested()).toMatchObject({
      success: false,
      http_status: 401,
      error: "The receiver answered 401.",
      signature_validation: "unknown"
    })
    expect(await log(id)).toMatchObject([
      { event: "test.ping", status: "failed", attempts: 1, http_status: 401, next_attempt_at: null },
      { status: "delivered" },
      { status: "delivered" }
    ])
    expect(await shown(id)).toMatchObject({ failure_count: 0 })
  })

  it("the order of the two pings is one of chance", async () => {
    const firsts = new Set<boolean>()
    for (let time = 0; time < 30 && firsts.size < 2; time++) {
      const { id, secret } = await create()
      await data("testWebhook", `/webhooks/${String(id)}/test`)
      const [first] = arrivals()
      firsts.add(first !== undefined && acceptingVerifiers(String(secret), first, nowMs()).length === 2)
      arrivals().length = 0
    }
    expect(firsts.size).toBe(2)
  })

  it("more than six tests of an endpoint in a minute are refused, and spend nothing", async () => {
    const [one, another] = [await create(), await create()]
    const test = (id: unknown, key?: string) =>
      call("POST", `/webhooks/${String(id)}/test`, key === undefined ? {} : { key })
    for (let time = 0; time < 6; time++) expect((await test(one["id"])).status).toBe(200)
    const refused = await test(one["id"], "seventh")
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect(refused.headers.get("x-ratelimit-limit")).toBe("6")
    expect(refused.headers.get("x-credits-cost")).toBe("0")
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50)
    expect(refused.body.error.details).toEqual({
      retry_after_seconds: Number(refused.headers.get("retry-after"))
    })
    expect(await log(one["id"])).toHaveLength(6)
    expect(arrivals()).toHaveLength(12)
    expect((await test(another["id"])).headers.get("x-ratelimit-limit")).toBe("1000")
    move(61_000)
    const later = await test(one["id"], "seventh")
    expect([later.status, later.headers.get("idempotent-replayed")]).toEqual([200, null])
    expect((await test(one["id"], "seventh")).headers.get("idempotent-replayed")).toBe("true")
    expect(await log(one["id"])).toHaveLength(7)
  })
})
