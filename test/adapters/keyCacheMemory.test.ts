import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeKeyCache } from "../../adapters/postgres/keyCache.ts"
import { cacheRules } from "../../core/key/cache.ts"
import type { KeyHash, KeyHolder } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { playNews, steps } from "../kit/keyNews.ts"
import { keyOf } from "../kit/keysLaws.ts"
import { runs } from "../kit/runs.ts"

const tried = { numRuns: runs(3_000), seed: 7 }
const reading = { generation: 0, beganMs: 0, wallMs: 0 }
const hashOf = (index: number) => String(index).padStart(64, "0") as KeyHash
const holderOf = (organization: string): KeyHolder => ({
  key: keyOf(organization as OrganizationId),
  pack: "scale",
  organizationSuspended: false,
  concurrentMax: null
})

describe("the cache of a key cache", () => {
  it("in any order of changes, news, reads and lost connections is at most half a second behind", () => {
    let hits = 0
    fc.assert(
      fc.property(steps, (history) => {
        hits += playNews(cacheRules, history)
      }),
      tried
    )
    expect(hits).toBeGreaterThan(1_000)
  })

  it("holds no more keys than it may, and keeps those that are asked for", () => {
    const cache = makeKeyCache(cacheRules, 1_000)
    const busy = hashOf(0)
    cache.keep(busy, holderOf("org_0"), undefined, reading)
    for (let index = 1; index < 20_000; index++) {
      cache.keep(hashOf(index), holderOf(`org_${index}`), undefined, reading)
      if (index % 100 === 0) expect(cache.get(busy, 0)).toBeDefined()
    }
    expect(cache.size()).toBeLessThanOrEqual(1_000)
    expect(cache.size()).toBeGreaterThanOrEqual(500)
    expect(cache.get(hashOf(1), 0)).toBeUndefined()
  })

  it("holds no more unknown hashes than it may, and they push out no key", () => {
    const cache = makeKeyCache(cacheRules, 1_000)
    cache.keep(hashOf(0), holderOf("org_0"), undefined, reading)
    for (let index = 1; index < 20_000; index++) cache.keep(hashOf(index), undefined, undefined, reading)
    expect(cache.size()).toBeLessThanOrEqual(1_001)
    expect(cache.get(hashOf(0), 0)).toBeDefined()
  })

  it("forgets all keys of an organization, wherever they stand, and no other's", () => {
    const cache = makeKeyCache(cacheRules, 8)
    for (let index = 0; index < 8; index++) {
      cache.keep(hashOf(index), holderOf(`org_${index % 2}`), undefined, reading)
    }
    cache.get(hashOf(0), 0)
    cache.forget({ _tag: "Organization", organizationId: "org_0" as OrganizationId })
    const kept = [...Array(8).keys()].filter((index) => cache.get(hashOf(index), 0) !== undefined)
    expect(kept.every((index) => index % 2 === 1)).toBe(true)
    expect(kept).toContain(7)
  })

  it("forgets everything when the news cannot be read", () => {
    const cache = makeKeyCache()
    cache.keep(hashOf(0), holderOf("org_0"), undefined, reading)
    cache.forget({ _tag: "Everything" })
    expect([cache.size(), cache.generation()]).toEqual([0, 1])
  })
})
