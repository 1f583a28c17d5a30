import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide, deliveryPolicy, openDelivery } from "../../core/webhook/delivery.ts"
import { replayDelivery, resumeDelivery, settleDelivery } from "../../core/webhook/delivery.ts"
import type { Delivery } from "../../core/webhook/delivery.ts"
import { makeWebhookId } from "../../core/webhook/event.ts"
import { errorOf, failureCauses, isDelivered, readRetryAfter } from "../../core/webhook/Outcome.ts"
import type { FailureCause, Outcome } from "../../core/webhook/Outcome.ts"
import { signatureValidation, testDelivery } from "../../core/webhook/testPing.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import "../kit/runs.ts"

const answered = (status: number, retryAfterMs: number | null = null): Outcome => ({
  _tag: "Answered",
  status,
  retryAfterMs,
  excerpt: ""
})
const causes = Object.keys(failureCauses) as ReadonlyArray<FailureCause>
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 200, max: 599 }), fc.option(fc.nat(1_000_000_000)))
    .map(([status, retryAfterMs]) => answered(status, retryAfterMs)),
  fc.record({
    _tag: fc.constant("Failed" as const),
    cause: fc.constantFrom(...causes),
    status: fc.option(fc.integer({ min: 200, max: 599 }))
  })
)
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const { gapsMs } = deliveryPolicy
const nowMs = 1_800_000_000_000

const opened: Delivery = {
  ...openDelivery({
    endpointId: 1,
    organizationId: "org_1" as OrganizationId,
    webhookId: makeWebhookId({ nowMs, randomBytes: new Uint8Array(10) }),
    event: "compliance.acknowledged",
    fate: "pending",
    nowMs
  }),
  deliveryId: 7
}

describe("contract §2 the schedule of a delivery", () => {
  it("grows with every gap and ends 75 h 35 min after the first attempt", () => {
    expect(gapsMs.every((gap, index) => gap > (gapsMs[index - 1] ?? 0))).toBe(true)
    const totalMs = gapsMs.reduce((sum, gap) => sum + gap, 0)
    expect(Math.floor(totalMs / 60_000)).toBe(75 * 60 + 35)
  })

  it("makes ten attempts of what always fails, each gap within a fifth of its base, and then gives up", () =>
    fc.assert(
      fc.property(fc.array(random, { minLength: 10, maxLength: 10 }), (drawn) => {
        let delivery = opened
        let atMs = nowMs
        for (const [index, chance] of drawn.entries()) {
          const outcome = answered(500)
          const attempt = { step: delivery.step + 1, nowMs: atMs, random: chance }
          const decision = decide(outcome, attempt, deliveryPolicy)
          delivery = settleDelivery(delivery, outcome, decision)
          expect(delivery.attempts).toBe(index + 1)
          if (delivery.nextAttemptAtMs === null) break
          const base = gapsMs[index] ?? 0
          const gap = delivery.nextAttemptAtMs - atMs
          expect(gap).toBeGreaterThanOrEqual(Math.floor(base * 0.8))
          expect(gap).toBeLessThanOrEqual(Math.ceil(base * 1.2))
          atMs = delivery.nextAttemptAtMs
        }
        expect(delivery).toMatchObject({ status: "dead", attempts: 10, httpStatus: 500 })
      })
    ))

  it("is spread by chance over a fifth of the gap, both ways", () => {
    const gapOf = (chance: number) => {
      const decision = decide(answered(500), { step: 1, nowMs, random: chance }, deliveryPolicy)
      return settleDelivery(opened, answered(500), decision).nextAttemptAtMs
    }
    expect([0, 0.5, 1].map(gapOf)).toEqual([nowMs + 4_000, nowMs + 5_000, nowMs + 6_000])
  })

  it("honours Retry-After between the gap and twice the gap", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(400_000_000), (step, askedMs) => {
        const decision = decide(answered(429, askedMs), { step, nowMs, random: 0.5 }, deliveryPolicy)
        const base = gapsMs[step - 1] ?? 0
        expect(decision).toEqual({
          _tag: "RetryAt",
          atMs: nowMs + Math.min(Math.max(base, askedMs), 2 * base)
        })
      })
    ))
})

describe("what follows from an attempt", () => {
  it("is told for every outcome and step: 2xx alone delivers, 410 alone disables", () =>
    fc.assert(
      fc.property(anyOutcome, fc.integer({ min: 1, max: 12 }), random, (outcome, step, chance) => {
        const decision = decide(outcome, { step, nowMs, random: chance }, deliveryPolicy)
        const status = outcome._tag === "Answered" ? outcome.status : 0
        expect(decision._tag === "Delivered").toBe(status >= 200 && status < 300)
        expect(decision._tag === "DisableEndpoint").toBe(status === 410)
        expect(decision._tag === "Dead").toBe(!isDelivered(outcome) && status !== 410 && step > 9)
      })
    ))

  it("keeps a delivery that met 410 in its place, so that setting the endpoint active loses no event", () => {
    const decision = decide(answered(410), { step: 1, nowMs, random: 0.5 }, deliveryPolicy)
    expect(decision).toEqual({ _tag: "DisableEndpoint", retryAtMs: nowMs + 5_000 })
    const waiting = settleDelivery(opened, answered(410), decision)
    expect(waiting).toMatchObject({ status: "pending", attempts: 1, httpStatus: 410 })
    expect(resumeDelivery(waiting, nowMs + 60_000).nextAttemptAtMs).toBe(nowMs + 60_000)
    expect(resumeDelivery(waiting, nowMs).nextAttemptAtMs).toBe(nowMs + 5_000)
  })

  it("replays a delivery under its webhook-id from the first step, counting on", () => {
    const dead: Delivery = { ...opened, status: "dead", attempts: 10, step: 10, nextAttemptAtMs: null }
    const again = replayDelivery(dead, nowMs)
    expect(again).toMatchObject({ status: "pending", attempts: 10, step: 0, nextAttemptAtMs: nowMs })
    expect(again.webhookId).toBe(dead.webhookId)
    const ping: Delivery = { ...dead, event: "test.ping", status: "failed" }
    expect(replayDelivery(ping, nowMs)).toBe(ping)
  })

  it("says why in words of its own, and nothing when it was delivered", () =>
    fc.assert(
      fc.property(anyOutcome, (outcome) => {
        expect(errorOf(outcome) === null).toBe(isDelivered(outcome))
      })
    ))
})

describe("Retry-After", () => {
  it("is read as seconds or as an HTTP date, and as nothing else", () => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5)
    expect(readRetryAfter("120", now)).toBe(120_000)
    expect(readRetryAfter(" 0 ", now)).toBe(0)
    expect(readRetryAfter("Fri, 02 Jan 2026 03:05:05 GMT", now)).toBe(60_000)
    expect(readRetryAfter("Thu, 01 Jan 2026 03:05:05 GMT", now)).toBe(0)
    for (const text of [undefined, "", "-1", "1.5", "soon", "2026-01-02", "Fri, 99 Foo 2026 03:05:05 GMT"])
      expect(readRetryAfter(text, now)).toBeNull()
  })
})

describe("§4.4 the test operation", () => {
  const failed: Outcome = { _tag: "Failed", cause: "timeout", status: null }

  it("tells whether signatures are checked", () => {
    const rows: ReadonlyArray<readonly [Outcome, Outcome, string]> = [
      [answered(200), answered(401), "enforced"],
      [answered(204), answered(400), "enforced"],
      [answered(200), answered(200), "not_enforced"],
      [answered(200), answered(500), "unknown"],
      [answered(200), answered(302), "unknown"],
      [answered(200), failed, "unknown"],
      [answered(401), answered(401), "unknown"],
      [failed, answered(401), "unknown"],
      [answered(500), answered(200), "unknown"]
    ]
    for (const [valid, forged, says] of rows) expect(signatureValidation({ valid, forged })).toBe(says)
  })

  it("is logged as one attempt that is never retried", () => {
    const place = { ...opened, nowMs }
    expect(testDelivery(place, failed)).toMatchObject({
      event: "test.ping",
      status: "failed",
      attempts: 1,
      nextAttemptAtMs: null
    })
    expect(testDelivery(place, answered(200))).toMatchObject({ status: "delivered", error: null })
  })
})
