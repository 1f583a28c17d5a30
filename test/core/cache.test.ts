import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeCache } from "../../core/call/cache.ts"

const weightMax = 20
const key = fc.nat(9)
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("set" as const), key, value: fc.nat(11) }) },
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("get" as const), key }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("delete" as const), key }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("clear" as const) }) }
  ),
  { maxLength: 80, size: "max" }
)

describe("a cache", () => {
  it("gives what was set last or nothing, never what was deleted, and is never too heavy", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const cache = makeCache<number, number>({ weightMax, weigh: (_, value) => value })
        const model = new Map<number, number>()
        for (const step of history) {
          if (step._tag === "set") {
            cache.set(step.key, step.value)
            model.set(step.key, step.value)
            expect(cache.get(step.key)).toBe(step.value > weightMax / 2 ? undefined : step.value)
          } else if (step._tag === "get")
            expect([undefined, model.get(step.key)]).toContain(cache.get(step.key))
          else if (step._tag === "delete") {
            cache.delete(step.key)
            model.delete(step.key)
            expect(cache.get(step.key)).toBeUndefined()
          } else {
            cache.clear()
            model.clear()
            expect(cache.weight()).toBe(0)
          }
          expect(cache.weight()).toBeLessThanOrEqual(weightMax)
          expect(cache.weight()).toBeGreaterThanOrEqual(0)
        }
      })
    )
  })

  it("keeps what is asked for, and at least half of what it may hold", () => {
    const cache = makeCache<number, number>({ weightMax: 100 })
    cache.set(0, 0)
    for (let nth = 1; nth < 1_000; nth++) {
      cache.set(nth, nth)
      if (nth % 10 === 0) expect(cache.get(0)).toBe(0)
      if (nth > 50) expect(cache.weight()).toBeGreaterThanOrEqual(50)
    }
    expect(cache.get(1)).toBeUndefined()
  })
})
