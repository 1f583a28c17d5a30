import { describe, expect, it } from "vitest"
import { sweeper } from "../../adapters/memory/Limits.ts"
import type { LimitState } from "../../core/limit/acquire.ts"
import { acquire, emptyLimitState } from "../../core/limit/acquire.ts"

const sandbox = { perMinute: 60, perDay: null, concurrent: 60 }

describe("the limits in the process's memory", () => {
  it("hold no more than the subjects of the last minutes, however many come and go", () => {
    const subjects = new Map<string, LimitState>()
    const sweep = sweeper(subjects)
    let most = 0
    for (let nth = 0; nth < 20_000; nth++) {
      const clockMs = nth * 1_000
      sweep(clockMs)
      const limitedCall = { requestId: "r", cost: 1, policy: sandbox }
      subjects.set(`key:${nth}`, acquire(emptyLimitState, limitedCall, clockMs)[1])
      most = Math.max(most, subjects.size)
    }
    // One a second lives for two minutes; the walk that finds it idle may have passed it just before.
    expect(most).toBeLessThan(3 * 120)
  })
})
