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
import type { PriorAuthRule } from "../PriorAuthRule.ts"
import { judge } from "./judge.ts"
import type { Judgement } from "./judge.ts"
import { federalRulesFor } from "./rules.ts"
import { judgementSentence, sectionOf, sentences } from "./sentences.ts"

/**
 * Whether one code needs prior authorization, an axis of its own beside coverage (coverage-domain §2.1, step
 * 8). `required` null: it cannot be told, and `knownGaps` says for want of what where an input would tell.
 */
export interface PriorAuthDecision {
  readonly required: boolean | null
  readonly reason: string
  /** What to send with the request, where one is needed or may be. */
  readonly documentation: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  /** The first day of the rule that asks. */
  readonly effectiveDate: IsoDate | null
  readonly trace: ReadonlyArray<TraceStep>
}

/**
 * Decides for one code. A service that is not covered never needs prior authorization; a rule that asks is
 * true; one that would ask if an input were known, null; policies that bear on the code without a rule,
 * false; nothing at all, null.
 */
export const decidePriorAuth = (
  decision: CodeDecision,
  query: CoverageQuery,
  facts: CoverageFacts
): PriorAuthDecision => {
  const judged = rulesFor(decision.code, query, facts).map((rule) => ({
    rule,
    judgement: judge(rule, query)
  }))
  const trace = judged.map((one) => ruleStep(decision.code, one))
  if (decision.status === "not_covered")
    return {
      ...plain(false, sentences.notCovered(decision.code)),
      trace: [...trace, notCovered(decision.code)]
    }
  const asking = judged.filter(({ judgement }) => judgement._tag === "Asks")
  if (asking.length > 0) return asked(decision.code, asking, trace)
  const stating = decision.policies.filter((policy) => statesPriorAuth(policy, decision.code))
  if (stating.length > 0) return stated(decision.code, stating, trace)
  return unasked(decision, query, judged, trace)
}

/** What a whole query comes to. */
export interface PriorAuthSummary {
  readonly required: boolean | null
  readonly reason: string
  readonly documentation: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  readonly effectiveDate: IsoDate | null
}

/**
 * One code that needs it makes the whole need it, then one that is unsure. Where another code makes the whole
 * not covered, the whole is left open (null) and the reason names what each code needs: not covered never
 * comes with prior authorization true.
 */
export const summarizePriorAuth = (
  decisions: ReadonlyArray<PriorAuthDecision>,
  status: CoverageStatus
): PriorAuthSummary => {
  const worst = [true, null, false].find((required) => decisions.some((one) => one.required === required))
  const deciding = decisions.filter((one) => one.required === worst)
  const days = deciding.flatMap((one) => one.effectiveDate ?? [])
  return {
    required: worst === true && status === "not_covered" ? null : (worst ?? null),
    reason: [...new Set((status === "not_covered" ? decisions : deciding).map((one) => one.reason))].join(
      " "
    ),
    documentation: unique(decisions.flatMap((one) => one.documentation)),
    knownGaps: unique(decisions.flatMap((one) => one.knownGaps)).toSorted(),
    effectiveDate: days.toSorted().at(-1) ?? null
  }
}

interface Judged {
  readonly rule: PriorAuthRule
  readonly judgement: Judgement
}

/**
 * The rules of whoever pays that name the code. The federal lists are traditional Medicare's alone: a
 * Medicare Advantage plan asks by rules of its own.
 */
const rulesFor = (code: string, query: CoverageQuery, facts: CoverageFacts): ReadonlyArray<PriorAuthRule> => {
  const { payerCode, lineOfBusiness } = askerOf(query)
  if (payerCode === null) return []
  const own = facts.policies
    .filter(({ policy }) => policy.payerCode === payerCode && serves(policy.lineOfBusiness, lineOfBusiness))
    .flatMap((policy) => policy.priorAuth ?? [])
    .filter((rule) => rule.payerCode === payerCode && rule.codes.includes(code))
  const all = payerCode === medicare.code ? [...federalRulesFor(code), ...own] : own
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
  asking: ReadonlyArray<Judged>,
  trace: ReadonlyArray<TraceStep>
): PriorAuthDecision => ({
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
): PriorAuthDecision => {
  const days = policies.flatMap((policy) => policy.effectiveDate ?? [])
  const steps = policies.map((policy) => ({
    rule: "prior_auth.policy",
    policyId: policy.policy.policyId,
    version: policy.version,
    documentVersion: policy.documentVersion,
    quote: null,
    group: null,
    result: sentences.stated(code, policy.policy.policyId),
    sourceUrl: policy.sourceUrl,
    section: null
  }))
  return {
    required: true,
    reason: steps.map((step) => step.result).join(" "),
    documentation: [],
    knownGaps: [],
    effectiveDate: days.toSorted()[0] ?? null,
    trace: [...trace, ...steps]
  }
}

const unasked = (
  { code, policies }: CodeDecision,
  query: CoverageQuery,
  judged: ReadonlyArray<Judged>,
  trace: ReadonlyArray<TraceStep>
): PriorAuthDecision => {
  const unsure = judged.filter(({ judgement }) => judgement._tag === "Unsure")
  if (unsure.length > 0) {
    const missing = unsure.flatMap(({ judgement }) => (judgement._tag === "Unsure" ? judgement.missing : []))
    return {
      required: null,
      reason: unique(unsure.map(({ rule, judgement }) => judgementSentence(code, rule, judgement))).join(" "),
      documentation: unique(unsure.flatMap(({ rule }) => rule.documentation)),
      knownGaps: unique(missing).toSorted(),
      effectiveDate: null,
      trace
    }
  }
  const excluded = judged.find(({ judgement }) => judgement._tag === "DoesNotAsk")
  if (excluded !== undefined)
    return { ...plain(false, judgementSentence(code, excluded.rule, excluded.judgement)), trace }
  return { ...withoutRule(code, query, policies), trace }
}

/** No rule names the code on the day. */
const withoutRule = (
  code: string,
  { scope }: CoverageQuery,
  policies: ReadonlyArray<PolicyVersion>
): PriorAuthDecision => {
  const silent = plain(false, sentences.noRule(code))
  const nothing = plain(null, sentences.nothing(code))
  switch (scope._tag) {
    case "Medicare":
    case "Payer":
      return policies.length > 0 ? silent : nothing
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

const plain = (required: boolean | null, reason: string): PriorAuthDecision => ({
  required,
  reason,
  documentation: [],
  knownGaps: [],
  effectiveDate: null,
  trace: []
})

const ruleStep = (code: string, { rule, judgement }: Judged): TraceStep => ({
  rule: `prior_auth.${rule.program.toLowerCase()}`,
  policyId: null,
  version: null,
  documentVersion: null,
  quote: null,
  group: null,
  result: judgementSentence(code, rule, judgement),
  sourceUrl: rule.sourceUrl,
  section: sectionOf(rule)
})

const notCovered = (code: string): TraceStep => ({
  rule: "prior_auth.not_covered",
  policyId: null,
  version: null,
  documentVersion: null,
  quote: null,
  group: null,
  result: sentences.notCovered(code),
  sourceUrl: null,
  section: null
})

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
