import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cacheRules, heartbeatMsMax, holderMsMax, missMsMax } from "../../core/key/cache.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { KeyHash, KeyHolder, KeyId } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"

const holder: KeyHolder = {
  key: {
    keyId: "key_1" as KeyId,
    hash: "0".repeat(64) as KeyHash,
    organizationId: "org_1" as OrganizationId,
    name: "Front desk",
    mode: "live",
    scopes: ["read"],
    mark: "valid",
    reason: null,
    createdAt: "2026-01-01T00:00:00.000Z" as IsoTime,
    expiresAt: null,
    lastUsedAt: null,
    allowedCidrs: [],
    allowedOrigins: [],
    releaseId: null
  },
  pack: "scale",
  organizationSuspended: false,
  concurrentMax: null
}

const midMonthMs = Date.UTC(2026, 4, 14)
const reading = { generation: 3, beganMs: 5_000, wallMs: midMonthMs }

describe("a cache of keys (contract §1, Keys)", () => {
  it("is believed for less than half a second after the last heartbeat it heard was sent", () => {
    expect(heartbeatMsMax).toBe(500)
    expect(cacheRules.isTrusted({ heartbeatMs: 1_000, nowMs: 1_499 })).toBe(true)
    expect(cacheRules.isTrusted({ heartbeatMs: 1_000, nowMs: 1_500 })).toBe(false)
  })

  it("is not believed before the first heartbeat", () => {
    expect(cacheRules.isTrusted({ heartbeatMs: Number.NEGATIVE_INFINITY, nowMs: 0 })).toBe(false)
  })

  it("keeps an answer only if nothing was heard since it was asked for", () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (begun, now) => {
        expect(cacheRules.isCurrent({ generation: begun }, { generation: now })).toBe(begun === now)
      })
    )
  })

  it("keeps a key 30 s and an unknown one 1 s, from when they were asked for", () => {
    expect(cacheRules.keptUntilMs(holder, reading)).toBe(5_000 + holderMsMax)
    expect(cacheRules.keptUntilMs(undefined, reading)).toBe(5_000 + missMsMax)
    expect([holderMsMax, missMsMax]).toEqual([30_000, 1_000])
  })

  it("§1 keeps no key over the renewal of its pack", () => {
    const wallMs = Date.UTC(2026, 4, 31, 23, 59, 59, 100)
    expect(cacheRules.keptUntilMs(holder, { ...reading, wallMs })).toBe(5_900)
  })

  it("forgets at the very millisecond", () => {
    expect(cacheRules.isFresh({ untilMs: 2_000, nowMs: 1_999 })).toBe(true)
    expect(cacheRules.isFresh({ untilMs: 2_000, nowMs: 2_000 })).toBe(false)
  })
})
