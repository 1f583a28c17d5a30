import { describe, expect, it } from "vitest"
import { serviceWithReceiver } from "./serviceWithReceiver.ts"
import { acceptingVerifiers, eventually } from "./receiving.ts"
import { services } from "./stores.ts"
import type { Row } from "./webhookCalls.ts"

const dayMs = 86_400_000
const both = ["svix", "standardwebhooks"]

describe.each(services)("contract §2 deliveries over real sockets, over %s", (_, service) => {
  const {
    code,
    data,
    create,
    acknowledge,
    patch,
    shown,
    log,
    settled,
    arrived,
    nowMs,
    move,
    arrivals,
    answers,
    stranger
  } = serviceWithReceiver(service)

  it("an acknowledgement arrives signed and thin, and the log says so", async () => {
    const { id, secret } = await create()
    await acknowledge(1)
    const [arrival] = await arrived(1)
    if (arrival === undefined) throw new Error("nothing arrived")
    expect(acceptingVerifiers(String(secret), arrival, nowMs())).toEqual(both)
    expect(arrival.event).toEqual({
      id: arrival.headers["webhook-id"],
      type: "compliance.acknowledged",
      timestamp: expect.any(String) as string,
      api_version: "v1",
      data: {
        acknowledgement_ids: [expect.any(Number)],
        diff_ids: [1],
        policy_ids: [expect.any(String)],
        acknowledged_at: expect.any(String) as string
      }
    })
    expect(await settled(id)).toMatchObject({
      webhook_id: arrival.event.id,
      status: "delivered",
      attempts: 1,
      http_status: 200,
      error: null,
      next_attempt_at: null
    })
  })

  it("svix and standardwebhooks verify pings and deliveries before, during, after a rotation", async () => {
    const { id, secret: first } = await create()
    const accepted = async (secrets: ReadonlyArray<unknown>) => {
      const [arrival] = await arrived(1)
      if (arrival === undefined) throw new Error("nothing arrived")
      arrivals().length = 0
      return secrets.map((secret) => acceptingVerifiers(String(secret), arrival, nowMs()))
    }
    const tested = async (secrets: ReadonlyArray<unknown>) => {
      await data("testWebhook", `/webhooks/${String(id)}/test`)
      const seen = arrivals().map((arrival) =>
        secrets.map((secret) => acceptingVerifiers(String(secret), arrival, nowMs()))
      )
      arrivals().length = 0
      return seen.toSorted((one, other) => other.flat().length - one.flat().length)
    }
    const before = [first]
    expect(await tested(before)).toEqual([[both], [[]]])
    await acknowledge(1)
    expect(await accepted(before)).toEqual([both])

    const { secret: second } = await data("rotateWebhookSecret", `/webhooks/${String(id)}/rotate-secret`)
    const secrets = [first, second]
    expect(await tested(secrets)).toEqual([
      [both, both],
      [[], []]
    ])
    await acknowledge(2)
    expect(await accepted(secrets)).toEqual([both, both])

    move(dayMs + 1_000)
    await acknowledge(3)
    expect(await accepted(secrets)).toEqual([[], both])
    expect(await tested(secrets)).toEqual([
      [[], both],
      [[], []]
    ])
  })

  it("§2.2 failure_count counts failed attempts of real deliveries, and updated_at stays", async () => {
    const made = await create()
    answers(() => 500)
    await acknowledge(1)
    expect(await settled(made["id"])).toMatchObject({
      status: "pending",
      attempts: 1,
      http_status: 500,
      error: "The receiver answered 500."
    })
    expect(await shown(made["id"])).toMatchObject({ failure_count: 1, updated_at: made["updated_at"] })
    expect(await data("testWebhook", `/webhooks/${String(made["id"])}/test`)).toMatchObject({
      success: false
    })
    expect(await shown(made["id"])).toMatchObject({ failure_count: 1 })

    const [, delivery] = await log(made["id"])
    const path = `/webhooks/${String(made["id"])}/deliveries/${String(delivery?.["delivery_id"])}/replay`
    const replayed = await data("replayDelivery", path)
    expect(replayed).toMatchObject({ webhook_id: delivery?.["webhook_id"], status: "pending" })
    const failedTwice = (one: Row | undefined) => one?.["failure_count"] === 2
    expect(await eventually(() => shown(made["id"]), failedTwice)).toMatchObject({ failure_count: 2 })

    answers(() => 200)
    await data("replayDelivery", path)
    const sound = await eventually(
      () => shown(made["id"]),
      (one) => one?.["failure_count"] === 0
    )
    expect(sound).toMatchObject({ failure_count: 0, status: "active", updated_at: made["updated_at"] })
    const ids = arrivals()
      .filter(({ event }) => event.type !== "test.ping")
      .map(({ headers }) => headers["webhook-id"])
    expect(ids).toEqual(Array(3).fill(delivery?.["webhook_id"]))
  })

  it("§3.1 410 disables, status active resets failure_count and resumes what waited", async () => {
    const made = await create()
    answers(() => 410)
    await acknowledge(1)
    const gone = await eventually(
      () => shown(made["id"]),
      (one) => one?.["status"] === "disabled"
    )
    expect(gone).toMatchObject({ status: "disabled", failure_count: 1 })
    await acknowledge(2)
    expect((await log(made["id"])).map((one) => one["status"])).toEqual(["held", "pending"])
    expect(await data("testWebhook", `/webhooks/${String(made["id"])}/test`)).toMatchObject({
      http_status: 410
    })

    answers(() => 200)
    move(1_000)
    const active = await patch(made["id"], { status: "active" })
    expect(active).toMatchObject({ status: "active", failure_count: 0 })
    expect(active["updated_at"]).not.toBe(made["updated_at"])
    const resumed = await eventually(
      () => log(made["id"], "?status=delivered"),
      (rows) => rows.length > 0
    )
    expect(resumed).toMatchObject([{ attempts: 2, http_status: 200 }])
    expect(await log(made["id"], "?status=held")).toHaveLength(1)
  })

  it("while paused events are held, and a replay of their window sends them with their ids", async () => {
    const { id } = await create()
    await patch(id, { status: "paused" })
    const since = new Date(nowMs() - 60_000).toISOString()
    await acknowledge(1)
    await acknowledge(2)
    const held = (await log(id)).map((one) => one["webhook_id"])
    await patch(id, { status: "active" })
    expect(await log(id, "?status=held")).toHaveLength(2)
    const window = { since, until: new Date(nowMs() + 60_000).toISOString() }
    const body = { since: "2020-01-01T00:00:00+02:00", until: since }
    expect(await data("replayWebhook", `/webhooks/${String(id)}/replay`, { body })).toEqual({
      id,
      replayed: 0
    })
    expect(await data("replayWebhook", `/webhooks/${String(id)}/replay`, { body: window })).toEqual({
      id,
      replayed: 2
    })
    const arrivals = await arrived(2)
    expect(new Set(arrivals.map(({ event }) => event.id))).toEqual(new Set(held))
    await eventually(
      () => log(id, "?status=delivered"),
      (rows) => rows.length === 2
    )
    expect(await log(id, "?status=delivered")).toHaveLength(2)
  })

  it("a delivery of another endpoint or organization is not replayed, and a test is never", async () => {
    const [one, another] = [await create(), await create()]
    await data("testWebhook", `/webhooks/${String(one["id"])}/test`)
    const [ping] = await log(one["id"])
    const path = (id: unknown) => `/webhooks/${String(id)}/deliveries/${String(ping?.["delivery_id"])}/replay`
    expect(await data("replayDelivery", path(one["id"]))).toEqual(ping)
    expect(await code("POST", path(another["id"]))).toBe("RESOURCE_NOT_FOUND")
    const theirs = await stranger()
    expect(await theirs.code("POST", path(one["id"]))).toBe("RESOURCE_NOT_FOUND")
  })
})
