import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Decision } from "../../core/webhook/delivery.ts"
import { endpointStatuses, openEndpoint } from "../../core/webhook/Endpoint.ts"
import type { Endpoint, EndpointStatus } from "../../core/webhook/Endpoint.ts"
import { afterAttempt, endpointTransitions, endpointTriggers } from "../../core/webhook/transitions.ts"
import { fateOfEvent, mayAttempt, moveEndpoint, patchEndpoint } from "../../core/webhook/transitions.ts"
import { rotateEndpointSecret } from "../../core/webhook/transitions.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import "../kit/runs.ts"

const dayMs = 86_400_000
const startMs = 1_800_000_000_000
const scale = { hasWebhooks: true }
const secret = (secretId: string, createdAtMs: number) => ({
  secretId,
  createdAtMs,
  expiresAtMs: null,
  sealed: new Uint8Array()
})
const endpointThatIs = (status: EndpointStatus, changes: Partial<Endpoint> = {}): Endpoint => ({
  ...openEndpoint({
    organizationId: "org_1" as OrganizationId,
    url: "https://hooks.customer.com/in",
    events: ["compliance.acknowledged"],
    secret: secret("first", startMs),
    nowMs: startMs
  }),
  endpointId: 1,
  status,
  ...changes
})
const failure: Decision = { _tag: "Dead" }
const status = fc.constantFrom(...endpointStatuses)

describe("§3.1 the states of an endpoint", () => {
  it("has a row for every state and trigger", () => {
    for (const from of endpointStatuses)
      expect(Object.keys(endpointTransitions[from]).sort()).toEqual([...endpointTriggers].sort())
  })

  it("PATCH status active makes any endpoint active, resets failure_count and resumes what waits", () => {
    for (const from of ["active", "paused", "disabled"] as const) {
      const failing = endpointThatIs(from, { failureCount: 12, failingSinceMs: startMs })
      const { endpoint, deliveries } = patchEndpoint(failing, { status: "active" }, startMs + 1)
      expect(endpoint).toMatchObject({
        status: "active",
        failureCount: 0,
        failingSinceMs: null,
        updatedAtMs: startMs + 1
      })
      // Those of an active one never stopped.
      expect(deliveries).toBe(from === "active" ? "none" : "resume")
    }
  })

  it("PATCH status active alone changes nothing of an endpoint that is active and has not failed", () => {
    const standing = endpointThatIs("active")
    expect(patchEndpoint(standing, { status: "active" }, startMs + 1).endpoint).toBe(standing)
    const amended = patchEndpoint(standing, { status: "active", events: ["*"] }, startMs + 1)
    expect(amended.endpoint.updatedAtMs).toBe(startMs + 1)
  })

  it("a PATCH without status changes neither status nor failure_count", () => {
    const failing = endpointThatIs("disabled", { failureCount: 12, failingSinceMs: startMs })
    const patch = { url: "https://other.customer.com/", events: ["*", "*"] } as const
    expect(patchEndpoint(failing, patch, startMs + 1)).toEqual({
      endpoint: { ...failing, url: patch.url, events: ["*"], updatedAtMs: startMs + 1 },
      deliveries: "none"
    })
  })

  it("deleted is final: nothing changes it", () =>
    fc.assert(
      fc.property(fc.constantFrom(...endpointTriggers), (trigger) => {
        const deleted = endpointThatIs("deleted")
        expect(moveEndpoint(deleted, trigger, startMs + 1)).toEqual({ endpoint: deleted, deliveries: "none" })
        expect(patchEndpoint(deleted, { status: "active" }, startMs + 1).endpoint).toBe(deleted)
      })
    ))

  it("a deleted endpoint's deliveries are dropped", () => {
    expect(moveEndpoint(endpointThatIs("paused"), "deleted", startMs)).toMatchObject({
      endpoint: { status: "deleted" },
      deliveries: "drop"
    })
  })
})

describe("contract §2 failure_count", () => {
  it("counts consecutive failed attempts, is 0 on success, and never moves updated_at", () =>
    fc.assert(
      fc.property(status, fc.array(fc.boolean(), { maxLength: 9 }), (from, results) => {
        let endpoint = endpointThatIs(from)
        let run = 0
        for (const [index, isDelivered] of results.entries()) {
          const decision: Decision = isDelivered ? { _tag: "Delivered" } : failure
          endpoint = afterAttempt(endpoint, decision, startMs + index).endpoint
          run = isDelivered ? 0 : run + 1
          expect(endpoint.failureCount).toBe(from === "deleted" ? 0 : run)
          expect(endpoint.failingSinceMs === null).toBe(endpoint.failureCount === 0)
          expect(endpoint.updatedAtMs).toBe(startMs)
        }
        expect(endpoint.status).toBe(from)
      })
    ))
})

describe("contract §2 automatic disabling", () => {
  const failTimes = (times: number, lastMs: number): Endpoint => {
    let endpoint = endpointThatIs("active")
    for (let time = 0; time < times; time++)
      endpoint = afterAttempt(endpoint, failure, time === times - 1 ? lastMs : startMs).endpoint
    return endpoint
  }

  it("needs both five days of failures and ten of them", () => {
    expect(failTimes(10, startMs + 5 * dayMs).status).toBe("disabled")
    expect(failTimes(10, startMs + 5 * dayMs - 1).status).toBe("active")
    expect(failTimes(9, startMs + 5 * dayMs).status).toBe("active")
    expect(failTimes(10, startMs + 5 * dayMs).updatedAtMs).toBe(startMs + 5 * dayMs)
  })

  it("a success in between begins the five days anew", () => {
    const nine = failTimes(9, startMs)
    const well = afterAttempt(nine, { _tag: "Delivered" }, startMs + 4 * dayMs).endpoint
    let endpoint = well
    for (let time = 0; time < 10; time++)
      endpoint = afterAttempt(endpoint, failure, startMs + 6 * dayMs).endpoint
    expect(endpoint).toMatchObject({ status: "active", failureCount: 10 })
  })

  it("happens at once on 410, and never takes a paused endpoint out of its owner's pause by failing", () => {
    const gone: Decision = { _tag: "DisableEndpoint", retryAtMs: null }
    expect(afterAttempt(endpointThatIs("active"), gone, startMs + 1)).toMatchObject({
      endpoint: { status: "disabled", failureCount: 1 },
      deliveries: "wait"
    })
    const paused = endpointThatIs("paused", { failureCount: 20, failingSinceMs: startMs })
    expect(afterAttempt(paused, failure, startMs + 9 * dayMs).endpoint.status).toBe("paused")
  })
})

describe("contract §2 what becomes of an event", () => {
  it("goes out from an active endpoint on Scale, is held elsewhere, and never at a deleted one", () =>
    fc.assert(
      fc.property(status, fc.boolean(), (at, hasWebhooks) => {
        const endpoint = endpointThatIs(at)
        const sends = at === "active" && hasWebhooks
        expect(mayAttempt(endpoint, { hasWebhooks })).toBe(sends)
        const fate = fateOfEvent(endpoint, "compliance.acknowledged", { hasWebhooks })
        expect(fate).toBe(at === "deleted" ? undefined : sends ? "pending" : "held")
      })
    ))

  it("a test.ping is no event that an endpoint asked for, not even with *", () => {
    const endpoint = endpointThatIs("active", { events: ["*"] })
    expect(fateOfEvent(endpoint, "test.ping", scale)).toBeUndefined()
    expect(fateOfEvent(endpoint, "compliance.acknowledged", scale)).toBe("pending")
  })

  it("losing Scale makes deliveries wait, regaining it resumes those of active endpoints", () => {
    expect(moveEndpoint(endpointThatIs("active"), "pack_lost", startMs).deliveries).toBe("wait")
    expect(moveEndpoint(endpointThatIs("active"), "pack_regained", startMs).deliveries).toBe("resume")
    expect(moveEndpoint(endpointThatIs("paused"), "pack_regained", startMs).deliveries).toBe("none")
  })
})

describe("contract §2 rotation", () => {
  it("moves updated_at, and leaves the state as it is", () => {
    const { endpoint } = rotateEndpointSecret(
      endpointThatIs("paused"),
      secret("next", startMs + 1),
      startMs + 1
    )
    expect(endpoint).toMatchObject({ status: "paused", updatedAtMs: startMs + 1 })
    expect(endpoint.secrets.map(({ secretId }) => secretId)).toEqual(["next", "first"])
  })
})
