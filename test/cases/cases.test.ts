import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ClaimView } from "../../core/operation/wire/Claim.ts"
import type { PriorAuthView } from "../../core/operation/wire/PriorAuth.ts"
import { makeAsk } from "./asking.ts"
import type { Asked } from "./asking.ts"
import { authoredCases } from "./authoredCases.ts"
import type { Case, Expected } from "./Case.ts"
import { localCases } from "./localCases.ts"
import { nationalCases } from "./nationalCases.ts"
import { payerCases } from "./payerCases.ts"
import { placeCases } from "./placeCases.ts"
import { priorAuthCases } from "./priorAuthCases.ts"
import { isThere, realLibrary } from "./realLibrary.ts"

const tables: ReadonlyArray<readonly [string, ReadonlyArray<Case>]> = [
  ["national determinations", nationalCases],
  ["local determinations and codes", localCases],
  ["prior authorization", priorAuthCases],
  ["payers", payerCases],
  ["authored beside the real tables", authoredCases]
]

describe.skipIf(!isThere)(
  "worked by hand from CMS's own tables (skipped: ../shared/data is not here)",
  () => {
    const runtime = ManagedRuntime.make(realLibrary)
    const ask = (asked: Asked) => runtime.runPromise(Effect.flatMap(makeAsk, (answer) => answer(asked)))

    beforeAll(() => runtime.runPromise(Effect.void), 60_000)
    afterAll(() => runtime.dispose())

    for (const [subject, cases] of tables) {
      describe(subject, () => {
        it.each(cases.map((one) => [one.says, one] as const))("%s", async (_, one) => {
          const { data, refusal } = await ask({ operation: one.ask, body: one.body })
          const seen = refusal === undefined ? seenOf(data as ClaimView | PriorAuthView) : { refusal }
          expect(pick(seen, one.expect), one.reasoning).toEqual(one.expect)
          for (const rule of one.expect.trace ?? []) expect(rulesOf(data)).toContain(rule)
        })
      })
    }

    describe("places, comparison, standing", () => {
      it.each(placeCases.map((one) => [one.says, one] as const))("%s", async (_, one) => {
        const { data, refusal } = await ask(one.asked)
        expect(refusal, one.reasoning).toBeUndefined()
        expect(one.sees(data), one.reasoning).toEqual(one.expect)
      })
    })

    it("every case says why, and there are enough of them", () => {
      const all = [...tables.flatMap(([, cases]) => cases), ...placeCases]
      expect(all.length).toBeGreaterThanOrEqual(80)
      expect(new Set(all.map((one) => one.says)).size).toBe(all.length)
      for (const one of all) expect(one.reasoning.length, one.says).toBeGreaterThan(20)
    })
  }
)

const seenOf = (data: ClaimView | PriorAuthView): Expected => ({
  status: data.coverage_status,
  priorAuth:
    "coverage_decision" in data ? data.coverage_decision.prior_auth_required : data.prior_auth_required,
  policies: data.policy_sources.map((one) => one.policy_id).toSorted(),
  gaps: data.known_gaps.filter((gap) => !gap.endsWith("_edition")),
  editions: data.known_gaps.filter((gap) => gap.endsWith("_edition")),
  ...("issues" in data ? { issues: data.issues } : {}),
  risk: data.denial_risk,
  confidence: data.confidence,
  review: data.requires_manual_review,
  mac: data.mac?.code ?? null
})

/** What the case looks at; an issue is compared by its beginning, the trace apart. */
const pick = (seen: Expected, expected: Expected): Expected => {
  const issues = seen.issues?.toSorted().map((issue, index) => {
    const beginning = expected.issues?.[index]
    return beginning !== undefined && issue.startsWith(beginning) ? beginning : issue
  })
  const known: Expected = {
    ...seen,
    ...(issues === undefined ? {} : { issues }),
    ...(expected.trace === undefined ? {} : { trace: expected.trace })
  }
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in expected))
}

const rulesOf = (data: unknown): ReadonlyArray<string> =>
  (data as ClaimView | PriorAuthView).trace.map((step) => step.rule)
