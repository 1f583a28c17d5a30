import { describe, expect, it } from "vitest"
import { isGathering } from "../../core/workflow/gathering.ts"

/** The turns of the event loop that a group waits where none joins it. */
const turnsOf = (waiting: number, before: number): number => {
  let turns = 0
  while (isGathering({ waiting, before, turns })) turns += 1
  return turns
}

describe("a group that gathers", () => {
  it("waits for nobody where the one before was small", () => {
    for (const before of [0, 1, 2, 7]) expect(turnsOf(1, before)).toBe(0)
  })

  it("waits a few turns where many came before, and no longer", () => {
    expect(turnsOf(1, 8)).toBe(10)
    expect(turnsOf(15, 8)).toBe(10)
    expect(turnsOf(1, 1_000)).toBe(10)
  })

  it("goes out once it is twice as large as the one before", () => {
    expect(turnsOf(16, 8)).toBe(0)
    expect(turnsOf(17, 8)).toBe(0)
  })
})
