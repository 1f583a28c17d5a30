import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { KeyRecord } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { policyFor } from "../../core/limit/policy.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Limits } from "../../core/port/Limits.ts"
import { inMemory } from "./stores.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"

/**
 * Every fault that one POST /codes/batch can have, in the contract's order of checks: the first one answers.
 */
const faults = [
  "AUTH_MISSING",
  "AUTH_KEY_REVOKED",
  "AUTHZ_IP_NOT_ALLOWED",
  "AUTHZ_ORIGIN_NOT_ALLOWED",
  "RATE_LIMIT_EXCEEDED",
  "RATE_QUOTA_EXCEEDED",
  "RATE_CONCURRENT_EXCEEDED",
  "AUTHZ_SCOPE_REQUIRED",
  "REQUEST_UNSUPPORTED_CONTENT_TYPE",
  "VALIDATION_INVALID_JSON",
  "PHI_NOT_ALLOWED",
  "VALIDATION_REQUIRED_FIELD",
  "BILLING_CREDITS_EXHAUSTED"
] as const
type Fault = (typeof faults)[number]

const noon = Date.UTC(2026, 2, 10, 12)

describe("contract §1 Order of the checks", () => {
  const clock = movableClock(noon)
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
    await serving.run(seedLibrary)
  })
  afterAll(() => serving.close())

  const record = (has: (fault: Fault) => boolean): Partial<KeyRecord> => ({
    ...(has("AUTH_KEY_REVOKED") ? { mark: "revoked" } : {}),
    ...(has("AUTHZ_IP_NOT_ALLOWED") ? { allowedCidrs: ["203.0.113.0/24"] } : {}),
    ...(has("AUTHZ_ORIGIN_NOT_ALLOWED") ? { allowedOrigins: ["https://app.example"] } : {}),
    ...(has("AUTHZ_SCOPE_REQUIRED") ? { scopes: ["write"] } : {})
  })

  /** A caller whose organization has used up whatever the faults say. */
  const prepared = async (has: (fault: Fault) => boolean) => {
    const found = await serving.run(customer({ record: record(has) }))
    const subject = `org:${found.organizationId}`
    const policy = { ...policyFor("credits", null), perMinute: 10_000 }
    const enter = (requestId: string, cost: number) =>
      serving.run(Effect.flatMap(Limits, (limits) => limits.acquire({ subject, requestId, cost, policy })))
    if (has("RATE_QUOTA_EXCEEDED")) {
      clock.move(-120_000)
      await enter("day", 5_000)
      clock.move(120_000)
    }
    if (has("RATE_LIMIT_EXCEEDED")) {
      await serving.run(
        Effect.flatMap(Limits, (limits) =>
          limits.acquire({ subject, requestId: "minute", cost: 60, policy: { ...policy, perDay: null } })
        )
      )
    }
    if (has("RATE_CONCURRENT_EXCEEDED")) {
      for (let index = 0; index < 60; index++) {
        await serving.run(
          Effect.flatMap(Limits, (limits) =>
            limits.acquire({
              subject,
              requestId: `held${index}`,
              cost: 0,
              policy: { ...policy, perDay: null }
            })
          )
        )
      }
    }
    if (has("BILLING_CREDITS_EXHAUSTED")) await serving.run(spendAll(found.organizationId, found.keyId))
    return found
  }

  const spendAll = (organizationId: OrganizationId, caller: string) =>
    Effect.flatMap(Ledger, (ledger) =>
      Effect.forEach(Array.from({ length: 25 }), (_, index) =>
        ledger.charge(chargeOf(organizationId, caller, index))
      )
    )

  it.each(faults.map((fault, index) => [fault, index] as const))(
    "%s answers before all that come after it",
    async (fault, index) => {
      const has = (other: Fault) => faults.indexOf(other) >= index
      const { key } = await prepared(has)
      const response = await fetch(`${serving.url}/api/v1/codes/batch`, {
        method: "POST",
        headers: {
          ...(has("AUTH_MISSING") ? {} : { authorization: `Bearer ${key}` }),
          ...(has("AUTHZ_ORIGIN_NOT_ALLOWED") ? { origin: "https://other.example" } : {}),
          "content-type": has("REQUEST_UNSUPPORTED_CONTENT_TYPE") ? "text/plain" : "application/json"
        },
        body: has("VALIDATION_INVALID_JSON")
          ? "{"
          : JSON.stringify({
              ...(has("PHI_NOT_ALLOWED") ? { patient_name: "Jane" } : {}),
              ...(has("VALIDATION_REQUIRED_FIELD") ? {} : { codes: ["E0601"] })
            })
      })
      expect(((await response.json()) as ErrorBody).error.code).toBe(fault)
    }
  )

  it("step 5 a refused call uses nothing of any limit, a later refusal uses its cost", async () => {
    const { key } = await serving.run(customer({ record: { scopes: ["write"] } }))
    const remaining = async () => {
      const response = await fetch(`${serving.url}/api/v1/jurisdictions`, {
        headers: { authorization: `Bearer ${key}` }
      })
      return [response.status, response.headers.get("x-ratelimit-remaining")]
    }
    expect(await remaining()).toEqual([403, "59"])
    expect(await remaining()).toEqual([403, "58"])
  })

  it("steps 6 and 7: a scope that is missing answers before a plan that is", async () => {
    const codeWith = async (scopes: KeyRecord["scopes"]) => {
      const { key } = await serving.run(customer({ record: { scopes } }))
      const response = await fetch(`${serving.url}/api/v1/webhooks`, {
        headers: { authorization: `Bearer ${key}` }
      })
      return ((await response.json()) as ErrorBody).error.code
    }
    expect(await codeWith(["read"])).toBe("AUTHZ_SCOPE_REQUIRED")
    expect(await codeWith(["write"])).toBe("BILLING_FEATURE_REQUIRED")
  })

  it("step 5 gives the slot of a call back however it ended", async () => {
    const { key, organizationId } = await serving.run(customer({}))
    const policy = { ...policyFor("credits", null), perMinute: 10_000, perDay: null }
    const entry = { subject: `org:${organizationId}`, requestId: "held", cost: 1, policy }
    // All slots but one.
    for (let index = 1; index < policy.concurrent; index++) {
      const held = { ...entry, requestId: `held${index}`, cost: 0 }
      await serving.run(Effect.flatMap(Limits, (limits) => limits.acquire(held)))
    }
    const paths = ["jurisdictions", "policies/NONE", "policies?limit=none", "jurisdictions"]
    const statuses: Array<number> = []
    for (const path of paths) {
      const response = await fetch(`${serving.url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${key}` }
      })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 404, 400, 200])
  })
})

const chargeOf = (organizationId: OrganizationId, caller: string, index: number) => ({
  organizationId,
  requestId: `req_0${organizationId.slice(4, -2)}${String(index).padStart(2, "0")}`,
  cost: 4,
  operation: "batchCodes",
  caller,
  source: "api" as const,
  atMs: noon
})
