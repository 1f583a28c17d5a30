import { describe, expect, it } from "vitest"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { deliveryPolicy, openDelivery } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { openEndpoint } from "../../core/webhook/Endpoint.ts"
import type { WebhookId } from "../../core/webhook/event.ts"
import { settleAttempt } from "../../core/webhook/settle.ts"
import { answeredWith, sealedOf } from "../kit/webhookFixtures.ts"

const nowMs = 1_800_000_000_000
const organizationId = "org_1" as OrganizationId
const endpoint: Endpoint = {
  ...openEndpoint({
    organizationId,
    url: "https://hooks.customer.com/in",
    events: ["compliance.acknowledged"],
    secret: sealedOf(nowMs),
    nowMs
  }),
  endpointId: 1
}
const delivery = {
  ...openDelivery({
    endpointId: 1,
    organizationId,
    webhookId: "msg_1" as WebhookId,
    event: "compliance.acknowledged",
    fate: "pending",
    nowMs
  }),
  deliveryId: 7
}
const standing = { delivery, endpoint, hasWebhooks: true, isItsTurn: true }
const settled = (given: Partial<typeof standing>, status = 500) =>
  settleAttempt(
    { ...standing, ...given },
    { outcome: answeredWith(status), nowMs, random: 0.5 },
    deliveryPolicy
  )

describe("contract §2, Webhooks: an attempt that has ended", () => {
  it("sets the next one where the receiver failed, and none where it answered", () => {
    expect(settled({})).toMatchObject({
      delivery: { status: "pending", attempts: 1, nextAttemptAtMs: nowMs + 5_000 },
      moved: { endpoint: { failureCount: 1 } },
      jobAtMs: nowMs + 5_000
    })
    expect(settled({}, 204)).toMatchObject({ delivery: { status: "delivered" }, jobAtMs: null })
  })

  it("sets none while the endpoint is paused, or its organization has no webhooks", () => {
    const paused = { ...endpoint, status: "paused" } as const
    expect(settled({ endpoint: paused })).toMatchObject({ delivery: { status: "pending" }, jobAtMs: null })
    expect(settled({ hasWebhooks: false })).toMatchObject({ delivery: { status: "pending" }, jobAtMs: null })
  })

  it("whose turn has passed, is counted and changes nothing else of the delivery", () => {
    for (const status of [500, 204]) {
      const { delivery: found, jobAtMs, moved } = settled({ isItsTurn: false }, status)
      expect(found).toEqual({ ...delivery, attempts: 1, httpStatus: status, error: found.error })
      expect([found.status, found.nextAttemptAtMs, jobAtMs]).toEqual([
        "pending",
        delivery.nextAttemptAtMs,
        null
      ])
      expect(moved.endpoint.failureCount).toBe(status === 500 ? 1 : 0)
    }
  })
})
