import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CoverageDecision, CoverageFacts, CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import { facts, queries } from "./decideSituations.ts"

const holds = (law: (found: CoverageFacts, query: CoverageQuery) => void): void =>
  fc.assert(fc.property(facts, queries, law), { numRuns: 400 })

/** Attests what is asked for until nothing more is: a unit that is met may make room for another's. */
const attestedAll = (found: CoverageFacts, query: CoverageQuery): CoverageDecision => {
  const decision = decide(found, query)
  const open = decision.codes.flatMap((one) => one.conditions.map((each) => each.conditionId))
  const attestedConditions = [...new Set([...query.attestedConditions, ...open])]
  return open.length === 0 ? decision : attestedAll(found, { ...query, attestedConditions })
}

describe("coverage-domain §2.1, Attesting: a conditional answer is a checklist", () => {
  it("with every condition attested, only a gap or a conflict keeps it from covered", () => {
    holds((found, query) => {
      for (const one of attestedAll(found, query).codes) {
        if (one.status !== "conditional") continue
        expect([one.conditions, one.knownGaps.length + one.issues.length > 0]).toEqual([[], true])
      }
    })
  })

  it("what is covered by attestation is never of high confidence", () => {
    holds((found, query) => {
      const before = decide(found, query)
      for (const one of attestedAll(found, query).codes) {
        const was = before.codes.find((each) => each.code === one.code)
        if (one.status === "covered" && was?.status !== "covered") expect(one.confidence).not.toBe("high")
      }
    })
  })
})
