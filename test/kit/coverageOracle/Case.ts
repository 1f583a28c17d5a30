import { fail } from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import type {
  CoverageDecision,
  CoverageFacts,
  CoverageQuery
} from "../../../core/coverage/CoverageDecision.ts"
import { chanceOf } from "./Chance.ts"
import { drawQuestion } from "./drawQuestion.ts"
import { drawTruth } from "./drawTruth.ts"
import type { Question, Truth } from "./Truth.ts"
import { writeFacts, writeQuery } from "./write.ts"

/** What is so, a question about it, and both as a decision takes them. */
export interface Case {
  /** Draws the same case again. */
  readonly seed: number
  readonly truth: Truth
  readonly question: Question
  readonly facts: CoverageFacts
  readonly query: CoverageQuery
}

export const caseOf = (seed: number): Case => {
  const chance = chanceOf(seed)
  const truth = drawTruth(chance)
  const question = drawQuestion(chance, truth)
  return { seed, truth, question, facts: writeFacts(truth, question), query: writeQuery(question) }
}

/** The texts of conditions by their ids, as the decision lists them. */
export const conditionTexts = (decision: CoverageDecision): ReadonlyMap<string, string> =>
  new Map(decision.conditions.map(({ conditionId, text }) => [conditionId, text]))

/** A decision without the documents' own order of groups and codes. */
export const comparable = (decision: CoverageDecision): unknown => {
  const named = ({ policies }: Pick<CoverageDecision, "policies">) =>
    policies.map(({ policy, version }) => [policy.policyId, version])
  return {
    ...decision,
    policies: named(decision),
    codes: decision.codes.map((code) => ({ ...code, policies: named(code) }))
  }
}

/** Refuses with the case in words, so that a failure can be judged by the specification alone. */
export const expectIn = (one: Case) => ({
  that: (holds: boolean, says: string): void => {
    if (!holds) fail(`${says}\n${tell(one)}`)
  },
  same: (actual: unknown, expected: unknown, says: string): void => {
    if (isDeepStrictEqual(actual, expected)) return
    fail(`${says}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}\n${tell(one)}`)
  }
})

const tell = ({ seed, truth, question, facts }: Case): string =>
  [
    `caseOf(${seed}) ${brief(question)}`,
    ...truth.units.flatMap(({ documents }, unit) => documents.map((each) => `unit ${unit} ${brief(each)}`)),
    ...truth.nationals.map(brief),
    brief({ ...truth, units: null, nationals: null }),
    ...facts.policies.flatMap(({ policy, codeGroups }) =>
      codeGroups.flatMap(({ kind, group, paragraph }) =>
        kind === "procedure" ? [] : [`${policy.policyId} ${kind} ${group}: ${paragraph ?? "no paragraph"}`]
      )
    )
  ].join("\n")

/** Without what is not so. */
const brief = (value: object): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member === null || member === false || (Array.isArray(member) && member.length === 0) ? undefined : member
  )
