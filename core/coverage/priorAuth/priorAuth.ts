import type { IsoDate } from "../date.ts"
import type {
  CodeDecision,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus,
  TraceStep
} from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"
import { medicare } from "../Payer.ts"
import type { PriorAuthList, PriorAuthRule } from "../PriorAuthRule.ts"
import { isNotFound } from "../decide/validity.ts"
import { stepOf } from "../decide/Verdict.ts"
import { judge } from "./judge.ts"
import type { Judgement } from "./judge.ts"
import { nearestSentences, programSteps } from "./programSteps.ts"
import type { JudgedRule } from "./programSteps.ts"
import { judgementSentence, sentences } from "./sentences.ts"

/**
 * Whether one code needs prior authorization, an axis of its own beside coverage (coverage-domain §2.1, rule
 * 11). `required` null: it cannot be told; then `knownGaps` names `prior_authorization`, and the inputs that
 * would tell.
 */
export interface PriorAuthDecision extends PriorAuthFinding {
  /** Every list that was looked at; none where another payer than traditional Medicare asks. */
  readonly programsChecked: ReadonlyArray<PriorAuthList>
}

interface PriorAuthFinding {
  readonly required: boolean | null
  readonly reason: string
  /** What to send with the request, where one is needed or may be. */
  readonly documentation: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  /** The first day of the rule that asks. */
  readonly effectiveDate: IsoDate | null
  readonly trace: ReadonlyArray<TraceStep>
}

/** The name of the gap that stands with every answer that cannot be told. */
export const priorAuthGap = "prior_authorization"

/**
 * Decides for one code. A service that is not covered never needs prior authorization; a rule in force is
 * true, however old its list; one that would ask if an input were known, null; a code that its table does not
 * hold and nothing in force names, null. Of traditional Medicare the
 * rest is false by the lists, while they are fresh enough for the day; of other payers, false where their
 * policies speak of the code and null where nothing does.
 */
export const decidePriorAuth = (
  decision: CodeDecision,
  query: CoverageQuery,
  facts: CoverageFacts
): PriorAuthDecision => {
  const found = findingOf(decision, query, facts)
  return {
    ...found,
    knownGaps: withGap(found.required, found.knownGaps),
    programsChecked: query.scope._tag === "Medicare" ? facts.priorAuthLists : []
  }
}

const findingOf = (decision: CodeDecision, query: CoverageQuery, facts: CoverageFacts): PriorAuthFinding => {
  const judged = rulesFor(decision.code, query, facts).map((rule) => ({
    rule,
    judgement: judge(rule, query)
  }))
  const trace = programSteps(decision.code, judged)
  if (decision.status === "not_covered") {
    const reason = sentences.notCovered(decision.code)
    const step = stepOf(null, { rule: "prior_auth.not_covered", result: reason })
    return { ...plain(false, reason), trace: [...trace, step] }
  }
  const asking = judged.filter(({ judgement }) => judgement._tag === "Asks")
  if (asking.length > 0) return asked(decision.code, asking, trace)
  const stating = decision.policies.filter((policy) => statesPriorAuth(policy, decision.code))
  if (stating.length > 0) return stated(decision.code, stating, trace)
  const unsure = judged.filter(({ judgement }) => judgement._tag === "Unsure")
  if (unsure.length > 0) return undecided(decision.code, unsure, trace)
  const isListed = judged.some(({ judgement }) => stands(judgement))
  if (!isListed && isNotFound(decision, query, facts)) return notFound(decision.code, trace)
  const silent =
    query.scope._tag === "Medicare"
      ? unlisted(decision.code, judged, query, facts)
      : withoutRule(decision, judged, query)
  return { ...silent, trace }
}

/**
 * One code that needs it makes the whole need it, then one that is unsure. Where another code makes the whole
 * not covered, the whole is left open (null) and the reason names what each code needs: not covered never
 * comes with prior authorization true.
 */
export const summarizePriorAuth = (
  decisions: ReadonlyArray<PriorAuthDecision>,
  status: CoverageStatus
): Omit<PriorAuthFinding, "trace"> => {
  const worst = [true, null, false].find((required) => decisions.some((one) => one.required === required))
  const deciding = decisions.filter((one) => one.required === worst)
  const days = deciding.flatMap((one) => one.effectiveDate ?? [])
  const required = worst === true && status === "not_covered" ? null : (worst ?? null)
  return {
    required,
    reason: [...new Set((status === "not_covered" ? decisions : deciding).map((one) => one.reason))].join(
      " "
    ),
    documentation: unique(decisions.flatMap((one) => one.documentation)),
    knownGaps: withGap(
      required,
      decisions.flatMap((one) => one.knownGaps)
    ),
    effectiveDate: days.toSorted().at(-1) ?? null
  }
}

/**
 * The rules of whoever pays that name the code. Medicare's lists are traditional Medicare's alone: a
 * Medicare Advantage plan asks by rules of its own.
 */
const rulesFor = (code: string, query: CoverageQuery, facts: CoverageFacts): ReadonlyArray<PriorAuthRule> => {
  const { payerCode, lineOfBusiness } = askerOf(query)
  if (payerCode === null) return []
  const own = facts.policies
    .filter(({ policy }) => policy.payerCode === payerCode && serves(policy.lineOfBusiness, lineOfBusiness))
    .flatMap((policy) => policy.priorAuth ?? [])
    .filter((rule) => rule.payerCode === payerCode && rule.codes.includes(code))
  const listed = facts.priorAuthRules.filter((rule) => rule.codes.includes(code))
  const all = query.scope._tag === "Medicare" ? [...listed, ...own] : own
  return all.toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1))
}

const askerOf = ({ scope }: CoverageQuery) => {
  switch (scope._tag) {
    case "Medicare":
      return { payerCode: medicare.code, lineOfBusiness: null }
    case "MedicareAdvantage":
      return { payerCode: scope.payer?.code ?? null, lineOfBusiness: "medicare_advantage" }
    case "Payer":
      return { payerCode: scope.payer.code, lineOfBusiness: scope.lineOfBusiness }
    case "Unknown":
      return { payerCode: null, lineOfBusiness: null }
  }
}

/** A policy that names no line of business serves all; a query that names none is about all. */
const serves = (policy: string | null, asked: string | null): boolean =>
  policy === null || asked === null || policy === asked

const asked = (
  code: string,
  asking: ReadonlyArray<JudgedRule>,
  trace: ReadonlyArray<TraceStep>
): PriorAuthFinding => ({
  required: true,
  reason: unique(asking.map(({ rule, judgement }) => judgementSentence(code, rule, judgement))).join(" "),
  documentation: unique(asking.flatMap(({ rule }) => rule.documentation)),
  knownGaps: [],
  effectiveDate: asking.map(({ rule }) => rule.effectiveDate).toSorted()[0] ?? null,
  trace
})

/** A policy that says outright `requires_pa` of the code it lists. */
const statesPriorAuth = (policy: PolicyVersion, code: string): boolean =>
  policy.codeGroups.some(
    (group) =>
      group.kind === "procedure" &&
      group.disposition === "requires_pa" &&
      group.codes.some((entry) => entry.code === code)
  )

const stated = (
  code: string,
  policies: ReadonlyArray<PolicyVersion>,
  trace: ReadonlyArray<TraceStep>
): PriorAuthFinding => {
  const days = policies.flatMap((policy) => policy.effectiveDate ?? [])
  const steps = policies.map((policy) =>
    stepOf(policy, { rule: "prior_auth.policy", result: sentences.stated(code, policy.policy.policyId) })
  )
  return {
    required: true,
    reason: steps.map((step) => step.result).join(" "),
    documentation: [],
    knownGaps: [],
    effectiveDate: days.toSorted()[0] ?? null,
    trace: [...trace, ...steps]
  }
}

/** That no list names a code which may not exist does not mean that none would. */
const notFound = (code: string, trace: ReadonlyArray<TraceStep>): PriorAuthFinding => {
  const reason = sentences.notFound(code)
  const step = stepOf(null, { rule: "prior_auth.code_not_found", result: reason })
  return { ...plain(null, reason), knownGaps: ["code_not_found"], trace: [...trace, step] }
}

/** Rules are in force that would ask, did the query say where. */
const undecided = (
  code: string,
  unsure: ReadonlyArray<JudgedRule>,
  trace: ReadonlyArray<TraceStep>
): PriorAuthFinding => ({
  required: null,
  reason: unique(unsure.map(({ rule, judgement }) => judgementSentence(code, rule, judgement))).join(" "),
  documentation: unique(unsure.flatMap(({ rule }) => rule.documentation)),
  knownGaps: unsure.flatMap(({ judgement }) => (judgement._tag === "Unsure" ? judgement.missing : [])),
  effectiveDate: null,
  trace
})

/** A list tells what it does not ask for until so many years after the day on which it was checked. */
const listYears = 1

/** No rule asks: false, if every list was checked late enough to know the day. */
const unlisted = (
  code: string,
  judged: ReadonlyArray<JudgedRule>,
  { dateOfService }: CoverageQuery,
  { priorAuthLists: lists }: CoverageFacts
): PriorAuthFinding => {
  if (lists.length === 0) return plain(null, sentences.noList(code))
  const outdated = lists.find(({ listAsOf }) => dateOfService > yearsAfter(listAsOf, listYears))
  if (outdated !== undefined) return plain(null, sentences.outdated(code, outdated))
  return plain(false, nearestSentences(code, judged) ?? sentences.unlisted(code, lists))
}

/** Days compare as text, so that a 29 February needs no care. */
const yearsAfter = (day: IsoDate, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, "0")}${day.slice(4)}`

/** Whether the rule counts on the day, so that what keeps it from asking is known. */
const stands = (judgement: Judgement): boolean =>
  judgement._tag !== "DoesNotAsk" || !judgement.because.includes("date")

/** No rule of a payer asks. */
const withoutRule = (
  { code, policies }: CodeDecision,
  judged: ReadonlyArray<JudgedRule>,
  { scope }: CoverageQuery
): PriorAuthFinding => {
  const excluded = nearestSentences(
    code,
    judged.filter(({ judgement }) => stands(judgement))
  )
  if (excluded !== undefined) return plain(false, excluded)
  const silent = plain(false, sentences.noRule(code))
  switch (scope._tag) {
    case "Medicare":
    case "Payer":
      return policies.length > 0 ? silent : plain(null, sentences.nothing(code))
    case "MedicareAdvantage": {
      const plan = scope.payer?.code
      const known = policies.some(({ policy }) => policy.payerCode === plan)
      const unknown = { ...plain(null, sentences.planRules(code)), knownGaps: scope.payer ? [] : ["payer"] }
      return known ? silent : unknown
    }
    case "Unknown":
      return { ...plain(null, sentences.unknownPayer), knownGaps: ["payer"] }
  }
}

const plain = (required: boolean | null, reason: string): PriorAuthFinding => ({
  required,
  reason,
  documentation: [],
  knownGaps: [],
  effectiveDate: null,
  trace: []
})

const withGap = (required: boolean | null, gaps: ReadonlyArray<string>): ReadonlyArray<string> =>
  unique(required === null ? [...gaps, priorAuthGap] : gaps).toSorted()

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
