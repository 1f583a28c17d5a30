import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Log, WindowDecision } from "../../core/limit/window.ts"
import { instant, take, windowMs } from "../../core/limit/window.ts"
import { costs, limits, steps } from "../kit/limitHistories.ts"
import type { Step } from "../kit/limitHistories.ts"
import { runs } from "../kit/runs.ts"

const startMs = 1_700_000_000_000

/** A call of a history with the log it found, all admissions before it, and what was said. */
interface Seen {
  readonly log: Log
  readonly all: Log
  readonly clockMs: number
  readonly cost: number
  readonly taken: WindowDecision
}

const play = (history: readonly Step[], limit: number): readonly Seen[] => {
  let log: Log = []
  let all: Log = []
  let clockMs = startMs
  return history.map(({ gapMs, cost }) => {
    clockMs += gapMs
    const taken = take(log, { clockMs, cost, limit })
    const seen = { log, all, clockMs, cost, taken }
    if (taken._tag === "Admitted") {
      log = taken.log
      all = [...all, ...taken.log.slice(-1)]
    }
    return seen
  })
}

const sum = (log: Log) => log.reduce((total, { cost }) => total + cost, 0)
const within = (log: Log, endMs: number) => log.filter(({ atMs }) => atMs > endMs - windowMs && atMs <= endMs)
const admits = (log: Log, ask: { readonly clockMs: number; readonly cost: number; readonly limit: number }) =>
  take(log, ask)._tag === "Admitted"

const holds = (check: (seen: Seen, limit: number) => void) =>
  fc.assert(
    fc.property(steps, limits, (history, limit) =>
      play(history, limit).forEach((seen) => check(seen, limit))
    ),
    { numRuns: runs(400) }
  )

describe("§8.1 the sliding minute", () => {
  it("§8.1.1 admits no more than the limit in any 60 seconds, even when the clock steps back", () =>
    fc.assert(
      fc.property(steps, limits, (history, limit) => {
        const all = play(history, limit).flatMap(({ taken }) =>
          taken._tag === "Admitted" ? taken.log.slice(-1) : []
        )
        for (const { atMs } of all) expect(sum(within(all, atMs))).toBeLessThanOrEqual(limit)
      }),
      { numRuns: runs(400) }
    ))

  it("§8.1.1 never refuses a call that would fit", () =>
    holds(({ log, all, clockMs, cost, taken }, limit) => {
      const used = sum(within(all, instant(log, clockMs)))
      expect(taken._tag).toBe(used + cost <= limit ? "Admitted" : "Refused")
    }))

  it("§8.1.2 a call costing 6 uses 6: it leaves what six calls of 1 at the same instant leave", () =>
    fc.assert(
      fc.property(steps, limits, fc.array(costs, { maxLength: 10 }), (history, limit, later) => {
        const last = play(history, limit).at(-1)
        const log = last?.taken._tag === "Admitted" ? last.taken.log : (last?.log ?? [])
        const clockMs = last?.clockMs ?? startMs
        let whole = take(log, { clockMs, cost: 6, limit })
        if (whole._tag === "Refused") return
        let parts: WindowDecision = whole
        let pieces = log
        for (let piece = 0; piece < 6; piece++) {
          parts = take(pieces, { clockMs, cost: 1, limit })
          if (parts._tag === "Admitted") pieces = parts.log
        }
        let sixes = whole.log
        expect(parts).toMatchObject({ _tag: "Admitted", remaining: whole.remaining, resetMs: whole.resetMs })
        for (const [index, cost] of later.entries()) {
          const ask = { clockMs: clockMs + index * 20_000, cost, limit }
          whole = take(sixes, ask)
          parts = take(pieces, ask)
          expect({ ...parts, log: undefined }).toEqual({ ...whole, log: undefined })
          if (whole._tag === "Admitted") sixes = whole.log
          if (parts._tag === "Admitted") pieces = parts.log
        }
      })
    ))

  it("§8.2 a refused call fits after exactly the wait it was told, and not a millisecond earlier", () =>
    holds(({ log, clockMs, cost, taken }, limit) => {
      if (taken._tag === "Admitted") return
      const nowMs = instant(log, clockMs)
      expect(taken.retryAfterMs).toBeGreaterThanOrEqual(1)
      expect(admits(log, { clockMs: nowMs + taken.retryAfterMs, cost, limit })).toBe(true)
      expect(admits(log, { clockMs: nowMs + taken.retryAfterMs - 1, cost, limit })).toBe(false)
    }))

  it("§8.2 while a refusal stands no call fits, and then one does; it stands only where none fits now", () =>
    holds(({ log, clockMs, cost, taken }, limit) => {
      if (taken._tag === "Admitted") return
      const nowMs = instant(log, clockMs)
      expect(taken.standsMs > 0).toBe(cost <= limit && !admits(log, { clockMs, cost: 1, limit }))
      if (taken.standsMs === 0) return
      expect(admits(log, { clockMs: nowMs + taken.standsMs, cost: 1, limit })).toBe(true)
      expect(admits(log, { clockMs: nowMs + taken.standsMs - 1, cost: 1, limit })).toBe(false)
    }))

  it("§8.2 Reset is when the whole limit is free again, and not a millisecond earlier", () =>
    holds(({ log, clockMs, taken }, limit) => {
      const after = taken._tag === "Admitted" ? taken.log : log
      expect(admits(after, { clockMs: taken.resetMs, cost: limit, limit })).toBe(true)
      if (taken.resetMs === instant(log, clockMs)) return
      expect(admits(after, { clockMs: taken.resetMs - 1, cost: limit, limit })).toBe(false)
    }))

  it("§8.2 Remaining is the dearest call that still fits", () =>
    holds(({ log, clockMs, taken }, limit) => {
      const after = taken._tag === "Admitted" ? taken.log : log
      if (taken.remaining > 0) expect(admits(after, { clockMs, cost: taken.remaining, limit })).toBe(true)
      expect(admits(after, { clockMs, cost: taken.remaining + 1, limit })).toBe(false)
    }))

  it("a clock that steps back frees nothing and keeps the log in order", () =>
    holds(({ log, clockMs, taken }) => {
      if (taken._tag === "Refused") return
      const times = taken.log.map(({ atMs }) => atMs)
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      expect(times.at(-1)).toBeGreaterThanOrEqual(Math.max(clockMs, log.at(-1)?.atMs ?? clockMs))
    }))

  it("a lowered limit leaves nothing until enough calls have left; a cost above it never fits", () => {
    const log = [
      { atMs: 0, cost: 30 },
      { atMs: 1_000, cost: 20 }
    ]
    expect(take(log, { clockMs: 2_000, cost: 1, limit: 30 })).toEqual({
      _tag: "Refused",
      retryAfterMs: 58_000,
      standsMs: 58_000,
      remaining: 0,
      resetMs: 61_000
    })
    expect(take(log, { clockMs: 2_000, cost: 31, limit: 30 })).toMatchObject({
      _tag: "Refused",
      retryAfterMs: windowMs
    })
  })
})
