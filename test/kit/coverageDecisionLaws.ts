import { AssertionError } from "node:assert/strict"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type {
  CodeDecision,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery,
  DiagnosisSupport
} from "../../core/coverage/CoverageDecision.ts"
import { quoteCharactersMax } from "../../core/coverage/CoverageDecision.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import type { Case } from "./coverageOracle/Case.ts"
import { caseOf, comparable, conditionTexts, expectIn } from "./coverageOracle/Case.ts"
import { expectationOf, mayBeCovered } from "./coverageOracle/expectation.ts"
import {
  reorder,
  withoutPolicies,
  withoutSilent,
  withUnknownStatus,
  withUnrelated
} from "./coverageOracle/revisedFacts.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"
import { withSeed } from "./withSeed.ts"

export type Decide = (facts: CoverageFacts, query: CoverageQuery) => CoverageDecision

/** What decides about coverage. */
export class CoverageDecider extends Context.Service<CoverageDecider, { readonly decide: Decide }>()(
  "coverage/test/kit/CoverageDecider"
) {}

/** Cases of each law; COVERAGE_HISTORIES says otherwise. */
const casesPerLaw = 1_000

/** Of so many refused cases the one in the fewest words is shown, since nothing shrinks them. */
const refusalsMax = 25

const inEveryCase = (says: string, check: (one: Case, decide: Decide) => void): Law<CoverageDecider> => ({
  says,
  check: withSeed((draw) =>
    Effect.map(CoverageDecider, ({ decide }) => {
      const [first = 0] = draw(fc.noBias(fc.nat()), 1)
      const refusals: Array<string> = []
      let tried = 0
      for (; tried < runs(casesPerLaw) && refusals.length < refusalsMax; tried += 1) {
        const refusal = refusalOf(() => check(caseOf(first + tried), decide))
        if (refusal !== undefined) refusals.push(refusal)
      }
      const [simplest] = refusals.toSorted((a, b) => a.length - b.length)
      if (simplest !== undefined)
        throw new Error(`${refusals.length} of ${tried} cases, such as: ${simplest}`)
    })
  )
})

const refusalOf = (check: () => void): string | undefined => {
  try {
    check()
    return undefined
  } catch (cause) {
    if (cause instanceof AssertionError) return cause.message
    throw cause
  }
}

/**
 * The laws of a coverage decision (coverage-domain §2.1), held against an oracle that knows what is so and
 * reads no document.
 */
export const coverageDecisionLaws: ReadonlyArray<Law<CoverageDecider>> = [
  inEveryCase(
    "L1, L2: what is covered may be covered, and so may all codes of a covered question",
    (one, decide) => {
      const decision = decide(one.facts, one.query)
      coversRightly(one, { decision, attested: [] })
    }
  ),
  inEveryCase("rules 3 to 10: the status is one that the documents allow", (one, decide) => {
    for (const { code, status } of decide(one.facts, one.query).codes) {
      const { statuses } = expectationOf(one.truth, { ...one.question, attested: [] }, code)
      expectIn(one).that(statuses.has(status), `${code} is ${status}, not ${[...statuses].join(" or ")}`)
    }
  }),
  inEveryCase("rules 6 and 7: the diagnoses support a code as its documents say", (one, decide) => {
    const decision = decide(one.facts, one.query)
    for (const { code, diagnosisSupport } of decision.codes) {
      const { supports } = expectationOf(one.truth, { ...one.question, attested: [] }, code)
      const says = `${code} is ${diagnosisSupport}, not ${[...supports].join(" or ")}`
      expectIn(one).that(supports.has(diagnosisSupport), says)
    }
    const each = decision.codes.map(({ diagnosisSupport }) => diagnosisSupport)
    const worst = worstFirst.find((support) => each.includes(support))
    expectIn(one).same(decision.diagnosisSupport, worst, "the worst support leads")
  }),
  inEveryCase("rule 7: what is missing from the question is a gap by its name", (one, decide) => {
    for (const { code, knownGaps } of decide(one.facts, one.query).codes) {
      const { gap } = expectationOf(one.truth, { ...one.question, attested: [] }, code)
      expectIn(one).that(gap === null || knownGaps.includes(gap), `${code} does not name ${gap}`)
    }
  }),
  inEveryCase(
    "rule 8: a conditional answer names a condition or a gap, in a document's words",
    (one, decide) => {
      const decision = decide(one.facts, one.query)
      for (const { code, status, conditions, knownGaps } of [
        { ...decision, code: "all" },
        ...decision.codes
      ]) {
        const says = `${code} is conditional on nothing`
        expectIn(one).that(status !== "conditional" || conditions.length + knownGaps.length > 0, says)
      }
      quotesConditions(one, decision)
    }
  ),
  inEveryCase("L3: a step quotes its document verbatim and names its version", (one, decide) => {
    const decision = decide(one.facts, one.query)
    citesVerbatim(
      one,
      [decision, ...decision.codes].flatMap(({ trace }) => trace)
    )
  }),
  inEveryCase("rule 9: no order of codes, diagnoses, documents or groups matters", (one, decide) => {
    const decision = comparable(decide(one.facts, one.query))
    expectIn(one).same(comparable(decide(...reorder(one))), decision, "another order answers otherwise")
  }),
  inEveryCase("§5 without a policy, or of a payer nobody knows, it is unknown", (one, decide) => {
    const unknown = one.query.procedureCodes.map(() => "unknown")
    const ofNobody = { ...one.query, scope: { _tag: "Unknown" } } as const
    expectIn(one).same(statusesOf(decide(withoutPolicies(one), one.query)), unknown, "without a policy")
    expectIn(one).same(statusesOf(decide(one.facts, ofNobody)), unknown, "of an unknown payer")
  }),
  inEveryCase("rule 3: proposed documents and those without a contractor change no status", (one, decide) => {
    const without = statusesOf(decide(withoutSilent(one), one.query))
    expectIn(one).same(statusesOf(decide(one.facts, one.query)), without, "they change it")
  }),
  inEveryCase("rule 3: documents of unknown status neither cover nor deny", (one, decide) => {
    for (const status of statusesOf(decide(withUnknownStatus(one), one.query))) {
      expectIn(one).that(status === "conditional" || status === "unknown", `they make it ${status}`)
    }
  }),
  inEveryCase("§5 an unrelated policy changes nothing", (one, decide) => {
    expectIn(one).same(
      decide(withUnrelated(one), one.query),
      decide(one.facts, one.query),
      "it changes something"
    )
  }),
  inEveryCase(
    "Attesting: all conditions without a gap cover, and with medium confidence at most",
    (one, decide) => {
      const decision = decide(one.facts, one.query)
      const attested = conditionTexts(decision)
      const answered = decide(one.facts, { ...one.query, attestedConditions: [...attested.keys()] })
      coversRightly(one, { decision: answered, attested: [...attested.values()] })
      for (const before of decision.codes.filter(isChecklist)) {
        const after = answered.codes.find(({ code }) => code === before.code)
        const question = { ...one.question, attested: [...attested.values()] }
        if (!expectationOf(one.truth, question, before.code).statuses.has("covered")) continue
        expectIn(one).same(after?.status, "covered", `${before.code} stays as it was`)
        expectIn(one).that(after?.confidence !== "high", `${before.code} is too sure`)
      }
    }
  ),
  inEveryCase(
    "Attesting: a condition left out is one that remains, and a strange id is none",
    (one, decide) => {
      const decision = decide(one.facts, one.query)
      const all = [...conditionTexts(decision)]
      for (const [left] of all) {
        const kept = all.filter(([conditionId]) => conditionId !== left)
        const query = { ...one.query, attestedConditions: kept.map(([conditionId]) => conditionId) }
        coversRightly(one, { decision: decide(one.facts, query), attested: kept.map(([, text]) => text) })
      }
      const strange = decide(one.facts, { ...one.query, attestedConditions: ["cond_strange"] })
      expectIn(one).same(comparable(strange), comparable(decision), "a strange id attests something")
    }
  )
]

const worstFirst: ReadonlyArray<DiagnosisSupport> = [
  "not_supported",
  "unknown",
  "supported",
  "not_applicable"
]

const statusesOf = ({ codes }: CoverageDecision) => codes.map(({ status }) => status)

const isChecklist = ({ status, knownGaps, conditions }: CodeDecision): boolean =>
  status === "conditional" && knownGaps.length === 0 && conditions.length > 0

/** No false `covered`, of a code or of the whole question. */
const coversRightly = (
  one: Case,
  { decision, attested }: { readonly decision: CoverageDecision; readonly attested: ReadonlyArray<string> }
): void => {
  const question = { ...one.question, attested }
  for (const { code } of decision.codes.filter(({ status }) => status === "covered")) {
    expectIn(one).that(mayBeCovered(one.truth, { ...question, codes: [code] }), `${code} is falsely covered`)
  }
  const isCovered = decision.status === "covered"
  expectIn(one).that(!isCovered || mayBeCovered(one.truth, question), "the question is falsely covered")
}

/** Every word of a document that a decision may quote. */
const wordsOf = (version: PolicyVersion): ReadonlyArray<string> =>
  [
    version.title,
    version.description,
    ...version.criteria.map(({ text }) => text),
    ...version.codeGroups.flatMap(({ paragraph, asteriskText, codes }) => [
      paragraph,
      asteriskText,
      ...codes.map(({ code }) => code)
    ])
  ].filter((text) => text !== null)

const quotesConditions = (one: Case, decision: CoverageDecision): void => {
  const ids = decision.conditions.map(({ conditionId }) => conditionId)
  expectIn(one).same(new Set(ids).size, ids.length, "a condition is listed twice")
  for (const each of decision.codes.flatMap(({ conditions }) => conditions)) {
    const { policyId, version, text } = each
    const said = one.facts.policies.find(
      (other) => other.policy.policyId === policyId && other.version === version
    )
    expectIn(one).that(
      text !== "" && said !== undefined && wordsOf(said).some((words) => words.includes(text)),
      `${policyId} version ${version} does not say: ${text}`
    )
    expectIn(one).same(each.documentVersion, said?.documentVersion, "of another version")
    expectIn(one).that(ids.includes(each.conditionId), `the question's conditions lack: ${text}`)
  }
}

const citesVerbatim = (one: Case, trace: CoverageDecision["trace"]): void => {
  for (const { rule, policyId, version, documentVersion, quote } of trace) {
    const long = quote !== null && [...quote].length > quoteCharactersMax
    expectIn(one).that(quote !== "" && !long, `${rule} quotes nothing or too much`)
    const versions = one.facts.policies.filter(({ policy }) => policy.policyId === policyId)
    if (policyId === null || versions.length === 0) continue
    const cited = versions.find((each) => each.version === version)
    expectIn(one).that(cited !== undefined, `${rule} names no version of ${policyId}`)
    if (cited === undefined) continue
    expectIn(one).same(
      documentVersion,
      cited.documentVersion,
      `${rule} names another version of the document`
    )
    expectIn(one).that(
      quote === null || wordsOf(cited).some((words) => words.includes(quote)),
      `${rule} quotes of ${policyId} what it does not say: ${quote}`
    )
  }
}
