import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { WrittenData } from "../../core/call/responseCache.ts"
import { makeResponseCache, cacheCharactersMax, cacheKey } from "../../core/call/responseCache.ts"

const writtenOf = (characters: number): WrittenData => ({
  data: "x".repeat(characters),
  etag: `W/"${characters}"`,
  meta: "{}"
})

describe("the cache of written answers", () => {
  it("gives what was put under the generation that stands", () => {
    const cache = makeResponseCache()
    expect(cache.take(1, "a")).toBeUndefined()
    cache.put(1, "a", writtenOf(10))
    expect(cache.take(1, "a")).toEqual(writtenOf(10))
    expect(cache.take(1, "b")).toBeUndefined()
  })

  it("is empty under the next generation, and takes nothing that was read before it", () => {
    const cache = makeResponseCache()
    cache.take(1, "a")
    cache.put(1, "a", writtenOf(10))
    expect(cache.take(2, "a")).toBeUndefined()
    cache.put(1, "a", writtenOf(10))
    expect(cache.take(2, "a")).toBeUndefined()
  })

  it("keeps what is asked for, drops what is not, and never outgrows its measure", () => {
    const cache = makeResponseCache()
    const sixteenth = cacheCharactersMax / 16
    const keys = Array.from({ length: 100 }, (_, number) => `policy ${number}`)
    cache.take(1, "often")
    cache.put(1, "often", writtenOf(sixteenth))
    for (const key of keys) {
      cache.put(1, key, writtenOf(sixteenth))
      expect(cache.take(1, "often")).toBeDefined()
      expect(cache.characters()).toBeLessThanOrEqual(cacheCharactersMax)
    }
    expect(cache.take(1, "policy 0")).toBeUndefined()
    expect(cache.take(1, "policy 99")).toBeDefined()
  })

  it("does not take what would fill it alone", () => {
    const cache = makeResponseCache()
    cache.take(1, "a")
    cache.put(1, "a", writtenOf(cacheCharactersMax))
    expect(cache.take(1, "a")).toBeUndefined()
  })
})

describe("the key of what is asked", () => {
  // Texts of what stands between the values, so that many of them would read alike without it.
  const text = fc
    .array(fc.constantFrom(" b ", " b=", "?", "x", '"', "[]", "1 "), { maxLength: 3 })
    .map((parts) => parts.join(""))
  const value = fc.oneof(text, text, fc.array(text, { maxLength: 1 }), fc.nat(2))
  const part = fc.oneof(fc.record({}), fc.record({ a: value }), fc.record({ a: value, b: value }))
  const today = "2026-11-22" as IsoDate
  const input = fc.record({ params: part, query: part, body: fc.constant({}) })

  it("is another one for whatever else is asked", () => {
    fc.assert(
      fc.property(fc.array(input, { minLength: 500, maxLength: 500, size: "max" }), (inputs) => {
        const asked = new Set(inputs.map(({ params, query }) => JSON.stringify([params, query])))
        const keys = new Set(inputs.map((one) => cacheKey("getPolicy", today, one)))
        expect(keys.size).toBe(asked.size)
      })
    )
  })

  it("is another one for another operation or day", () => {
    const asked = { params: { id: "L1" }, query: {}, body: {} }
    const keys = [
      cacheKey("getPolicy", today, asked),
      cacheKey("getPolicy", "2026-11-23" as IsoDate, asked),
      cacheKey("lookupCode", today, asked)
    ]
    expect(new Set(keys).size).toBe(3)
  })
})
