import * as fc from "fast-check"

/** One call of a history: how far the clock moved before it (it may step back) and what the call costs. */
export interface Step {
  readonly gapMs: number
  readonly cost: number
}

/**
 * Generators aim at the edges of the window and of the limit: uniform ones were seen to miss an off-by-one.
 * Small limits make a short history reach limit - 1, limit and limit + 1 many times.
 */
export const limits = fc.constantFrom(8, 9, 10, 12)

export const costs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constantFrom(2, 3, 4) },
  { weight: 2, arbitrary: fc.constantFrom(6, 8) }
)

export const gapsMs = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 1_000) },
  { weight: 4, arbitrary: fc.constantFrom(59_999, 60_000, 60_001) },
  { weight: 2, arbitrary: fc.constantFrom(19_999, 20_000, 30_000, 30_001) },
  { weight: 1, arbitrary: fc.nat({ max: 130_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(-1, -1_000, -59_999, -60_001, -200_000) }
)

export const steps = fc.array(fc.record({ gapMs: gapsMs, cost: costs }), { maxLength: 60, size: "max" })
