import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ClaimView } from "../../core/operation/claims.ts"
import { makeAsk } from "./request.ts"
import { placeCases } from "./placeCases.ts"
import { isThere, realLibrary } from "./realLibrary.ts"

describe.skipIf(!isThere)("CMS's own tables (skipped: ../shared/data is not here)", () => {
  const runtime = ManagedRuntime.make(realLibrary)

  beforeAll(() => runtime.runPromise(Effect.void), 60_000)
  afterAll(() => runtime.dispose())

  it.each(placeCases.map((one) => [one.says, one] as const))("%s", async (_, one) => {
    const answer = await runtime.runPromise(Effect.flatMap(makeAsk, (ask) => ask(one.asked)))
    expect(answer.refusal, one.reasoning).toBeUndefined()
    expect(one.sees(answer.data), one.reasoning).toEqual(one.expect)
  })

  it("ten codes stay under 64 KiB, with every condition_id", async () => {
    const body = {
      procedure_codes: [
        "A4253",
        "E0601",
        "71271",
        "77067",
        "E1390",
        "64493",
        "62323",
        "L1832",
        "E0652",
        "J0585"
      ],
      diagnosis_codes: ["E11.65", "G47.33"],
      state: "TX"
    }
    for (const operation of ["validateClaim", "checkPriorAuth"] as const) {
      const { data } = await runtime.runPromise(Effect.flatMap(makeAsk, (ask) => ask({ operation, body })))
      const { conditions } = data as ClaimView
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(64 * 1_024)
      expect(conditions.length).toBeGreaterThan(8)
      expect(conditions.every(({ condition_id }) => /^cond_[0-9a-f]{16}$/.test(condition_id))).toBe(true)
    }
  })
})
