import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { reservedDomain, reservedReceivers } from "../../core/sandbox/receivers.ts"
import { movableClock } from "./clock.ts"
import { customer, keyFor, serve, withDeliveries } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { eventually } from "./receiving.ts"
import { sandboxOver, sandboxClient, sandboxStores } from "./sandboxCalls.ts"
import { webhookClient } from "./webhookCalls.ts"
import type { Row } from "./webhookCalls.ts"

type Label = keyof typeof reservedReceivers

/** What a test and a delivery come to at each reserved host that may be an endpoint's. */
const outcomes: ReadonlyArray<readonly [Label, Row, Row]> = [
  [
    "ok",
    { success: true, http_status: 200, signature_validation: "enforced" },
    { status: "delivered", attempts: 1 }
  ],
  ["not-verifying", { success: true, signature_validation: "not_enforced" }, { status: "delivered" }],
  ["flaky", { success: false, http_status: 500 }, { status: "delivered", attempts: 2, http_status: 200 }],
  ["500", { success: false, http_status: 500, error: "The receiver answered 500." }, { status: "pending" }],
  ["429", { success: false, http_status: 429 }, { status: "pending", attempts: 1, http_status: 429 }],
  ["410", { success: false, http_status: 410 }, { status: "pending", http_status: 410 }],
  ["redirect", { success: false, http_status: 302 }, { status: "pending", http_status: 302 }],
  ["timeout", { success: false, http_status: null, signature_validation: "unknown" }, { http_status: null }],
  ["tls", { success: false, http_status: null }, { status: "pending", http_status: null }],
  ["closed", { success: false, http_status: null }, { status: "pending", http_status: null }]
]

const refusals: ReadonlyArray<readonly [Label, string]> = [
  ["private", "VALIDATION_ERROR"],
  ["unresolved", "VALIDATION_ERROR"],
  ["resolver-down", "SERVER_UPSTREAM_UNAVAILABLE"]
]

describe.each(sandboxStores)("contract §3 webhooks in the sandbox, over %s", (_, stores) => {
  const clock = movableClock(Date.now())
  const ports = () => sandboxOver(stores, clock).pipe(withDeliveries)
  let serving: ServedApp<Layer.Success<ReturnType<typeof ports>>>
  let key = ""
  const { testKey } = sandboxClient(() => serving.url)
  const base = () => `${serving.url}/api/sandbox/v1`
  const { code, data, endpoint } = webhookClient(base, () => key)
  beforeAll(async () => {
    serving = await serve(ports())
  })
  beforeEach(async () => {
    ;({ key } = await testKey())
  })
  afterAll(() => serving.close())
  const rows = async (...asked: Parameters<typeof data>) =>
    (await data(...asked)) as never as ReadonlyArray<Row>
  const at = (label: string) => `${label}.${reservedDomain}`

  it("every reserved host is tried here", () => {
    const tried = [...outcomes, ...refusals].map(([label]) => label)
    expect(tried.toSorted()).toEqual(Object.keys(reservedReceivers).toSorted())
  })

  it.each(outcomes)(
    "at the host %s a test and a delivery come out as documented",
    async (label, test, delivery) => {
      const { id } = await endpoint(at(label))
      expect(await data("testWebhook", `/webhooks/${String(id)}/test`)).toMatchObject(test)
      await data("acknowledgeChange", "/compliance/ack", { body: { diff_id: 43 } })
      const log = () => rows("listDeliveries", `/webhooks/${String(id)}/deliveries`)
      const wanted = Number(delivery["attempts"] ?? 1)
      // A test key has 60 calls a minute.
      const [latest] = await eventually(log, ([row]) => Number(row?.["attempts"]) >= wanted, 250)
      expect(latest).toMatchObject({ event: "compliance.acknowledged", ...delivery })
      const [shown] = await rows("listWebhooks", "/webhooks")
      expect(shown?.["status"]).toBe(label === "410" ? "disabled" : "active")
      expect(shown?.["failure_count"]).toBe(latest?.["status"] === "delivered" ? 0 : latest?.["attempts"])
    }
  )

  it.each(refusals)("the host %s is %s", async (label, expected) => {
    const body = { url: `https://${at(label)}/in`, events: ["*"] }
    expect(await code("POST", "/webhooks", { body })).toBe(expected)
  })

  it("any other public host is like ok, and what is not public is refused by its text", async () => {
    const { id } = await endpoint("hooks.a-clinic.org")
    expect(await data("testWebhook", `/webhooks/${String(id)}/test`)).toMatchObject({ success: true })
    const body = { url: "https://192.168.0.1/", events: ["*"] }
    expect(await code("POST", "/webhooks", { body })).toBe("VALIDATION_ERROR")
  })

  it("what one key writes is not there for another, nor on the live surface", async () => {
    const { id } = await endpoint()
    await data("acknowledgeChange", "/compliance/ack", { body: { diff_id: 43 } })
    const first = await data("complianceStats", "/compliance/stats")
    expect(first).toMatchObject({ total_changes_30d: 7, acknowledged_count: 1 })
    ;({ key } = await testKey())
    expect(await rows("listWebhooks", "/webhooks")).toEqual([])
    expect(await code("POST", `/webhooks/${String(id)}/test`)).toBe("RESOURCE_NOT_FOUND")
    expect(await data("complianceStats", "/compliance/stats")).toMatchObject({ acknowledged_count: 0 })
    const live = await serving.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
    const lives = webhookClient(
      () => `${serving.url}/api/v1`,
      () => live.key
    )
    expect(await lives.code("DELETE", `/webhooks/${String(id)}`)).toBe("RESOURCE_NOT_FOUND")
    expect(await lives.data("complianceStats", "/compliance/stats")).toMatchObject({ total_changes_30d: 0 })
  })

  it("nor for a test key beside it, of whatever organization they were made", async () => {
    const input = { mode: "test", record: { scopes: ["read", "write"] } } as const
    const owner = await serving.run(customer({ ...input, pack: "scale" }))
    const sibling = await serving.run(keyFor(owner.organizationId, input))
    key = owner.key
    await endpoint()
    expect(await rows("listWebhooks", "/webhooks")).toHaveLength(1)
    key = sibling.key
    expect(await rows("listWebhooks", "/webhooks")).toEqual([])
  })
})
