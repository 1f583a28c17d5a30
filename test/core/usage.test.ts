import { describe, expect, it } from "vitest"
import type { UsedCall } from "../../core/organization/usage.ts"
import { countOf, summaryOf } from "../../core/organization/usage.ts"
import type { IsoDate } from "../../core/coverage/date.ts"

describe("§8.3 what a call adds to its organization's usage", () => {
  it.each([
    [200, 4, 0],
    [400, 4, 1],
    [404, 4, 1],
    [500, 0, 1],
    [503, 0, 1]
  ])("status %i of a call that cost 4: %i credits, %i errors", (status, credits, errors) => {
    expect(countOf({ status, cost: 4 })).toEqual({ calls: 1, credits, errors })
  })

  it("is summed by day, operation, caller, source and tool", () => {
    const call = (given: Partial<UsedCall>): UsedCall => ({
      day: "2026-03-01" as IsoDate,
      operation: "getPolicy",
      caller: "key_1",
      source: "api",
      tool: null,
      cost: 1,
      status: 200,
      ...given
    })
    const lines = summaryOf([
      call({ source: "mcp", tool: "policy_research" }),
      call({}),
      call({ status: 404 }),
      call({ status: 503 }),
      call({ caller: "key_2" })
    ])
    expect(
      lines.map(({ caller, tool, calls, credits, errors }) => [caller, tool, calls, credits, errors])
    ).toEqual([
      ["key_1", null, 3, 2, 2],
      ["key_1", "policy_research", 1, 1, 0],
      ["key_2", null, 1, 1, 0]
    ])
  })
})
