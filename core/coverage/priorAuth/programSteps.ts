import type { TraceStep } from "../CoverageDecision.ts"
import type { PriorAuthRule } from "../PriorAuthRule.ts"
import { distanceOf } from "./judge.ts"
import type { Judgement } from "./judge.ts"
import { stepOf } from "../decide/Verdict.ts"
import { judgementSentence, sectionOf } from "./sentences.ts"

/** A rule that names a code, and its judgement of a query. */
export interface JudgedRule {
  readonly rule: PriorAuthRule
  readonly judgement: Judgement
}

/** Returns why no rule asks, by the rule of each list that comes nearest to it; undefined without rules. */
export const nearestSentences = (code: string, judged: ReadonlyArray<JudgedRule>): string | undefined => {
  const nearest = [...Map.groupBy(judged, ({ rule }) => rule.program).values()].flatMap(nearestOf)
  return nearest.length === 0
    ? undefined
    : [...new Set(nearest.map(({ rule, judgement }) => judgementSentence(code, rule, judgement)))].join(" ")
}

/** Of one list the rule that comes nearest to applying; of several the last. */
const nearestOf = (its: ReadonlyArray<JudgedRule>): ReadonlyArray<JudgedRule> => {
  const least = Math.min(...its.map(({ judgement }) => distanceOf(judgement)))
  return its.filter(({ judgement }) => distanceOf(judgement) === least).slice(-1)
}

/** Returns one step for each program, of the rules that apply: the others would seem to contradict them. */
export const programSteps = (code: string, judged: ReadonlyArray<JudgedRule>): ReadonlyArray<TraceStep> =>
  [...Map.groupBy(judged, ({ rule }) => rule.program).values()].flatMap((its) => {
    const applying = its.filter(({ judgement }) => judgement._tag === "Asks")
    const unsure = its.filter(({ judgement }) => judgement._tag === "Unsure")
    const chosen = applying.length > 0 ? applying : unsure.length > 0 ? unsure : nearestOf(its)
    return uniqueSteps(chosen.map((one) => ruleStep(code, one)))
  })

const uniqueSteps = (steps: ReadonlyArray<TraceStep>): ReadonlyArray<TraceStep> => [
  ...new Map(steps.map((step) => [step.result, step])).values()
]

const ruleStep = (code: string, { rule, judgement }: JudgedRule): TraceStep => ({
  ...stepOf(null, {
    rule: `prior_auth.${rule.program.toLowerCase()}`,
    result: judgementSentence(code, rule, judgement)
  }),
  sourceUrl: rule.sourceUrl,
  section: sectionOf(rule)
})
