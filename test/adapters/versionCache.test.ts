import { describe, expect, it } from "vitest"
import { makeVersionCache } from "../../adapters/postgres/library/versionCache.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { diagnoses, documentOf, id, importedAt } from "../kit/library.ts"

const versionOf = (policyId: string, codes: number): PolicyVersion => ({
  ...documentOf({
    policyId,
    codeGroups: [diagnoses(...Array.from({ length: codes }, (_, index) => `Z${index}`))]
  }),
  version: 1,
  fingerprintSha256: "0".repeat(64),
  recordedAt: importedAt
})
const keyOf = (policyId: string) => ({ policyId: id(policyId), version: 1 })

describe("the cache of versions read last", () => {
  it("gives the very object that was put there, and another version of the policy not", () => {
    const cache = makeVersionCache(10_000)
    const version = versionOf("L1", 1)
    cache.put(keyOf("L1"), version)
    expect(cache.take(keyOf("L1"))).toBe(version)
    expect(cache.take({ ...keyOf("L1"), version: 2 })).toBeUndefined()
  })

  it("drops what was asked for longest ago, and never holds more than its limit", () => {
    const cache = makeVersionCache(12_000)
    for (const policyId of ["L1", "L2", "L3"]) cache.put(keyOf(policyId), versionOf(policyId, 25))
    cache.take(keyOf("L1"))
    cache.put(keyOf("L4"), versionOf("L4", 25))
    expect(["L1", "L2", "L3", "L4"].map((policyId) => cache.take(keyOf(policyId)) !== undefined)).toEqual([
      true,
      false,
      true,
      true
    ])
    expect(cache.characters()).toBeLessThanOrEqual(12_000)
  })

  it("does not keep what alone is too large, and counts one version once", () => {
    const cache = makeVersionCache(10_000)
    for (let times = 0; times < 20; times++) cache.put(keyOf("L1"), versionOf("L1", 25))
    expect(cache.take(keyOf("L1"))).toBeDefined()
    cache.put(keyOf("L2"), versionOf("L2", 1_000))
    expect(cache.take(keyOf("L2"))).toBeUndefined()
    expect(cache.take(keyOf("L1"))).toBeDefined()
    expect(cache.characters()).toBe(3_000)
  })
})
