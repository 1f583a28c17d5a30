import type {
  CodeDecision,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery
} from "../../../core/coverage/CoverageDecision.ts"
import type { CodeGroup, PolicyVersion } from "../../../core/coverage/Policy.ts"
import { inState } from "../coverageQueryOf.ts"
import type { Decide } from "../coverageDecisionLaws.ts"
import { exclusions, secondaries } from "../coverageOracle/paragraph.ts"
import { day } from "../library.ts"

/** A decision that is sound but for what it reads: every document is first made to say something else. */
const reading =
  (document: (version: PolicyVersion, query: CoverageQuery) => PolicyVersion) =>
  (decide: Decide): Decide =>
  (facts, query) =>
    decide({ ...facts, policies: facts.policies.map((version) => document(version, query)) }, query)

const readingGroups = (group: (group: CodeGroup) => CodeGroup) =>
  reading((version) => ({ ...version, codeGroups: version.codeGroups.map(group) }))

const knowing =
  (facts: (facts: CoverageFacts) => Partial<CoverageFacts>) =>
  (decide: Decide): Decide =>
  (given, query) =>
    decide({ ...given, ...facts(given) }, query)

const asking =
  (ask: (query: CoverageQuery) => Partial<CoverageQuery>) =>
  (decide: Decide): Decide =>
  (facts, query) =>
    decide(facts, { ...query, ...ask(query) })

/** A decision that is sound but for what it answers of each code. */
const answering =
  (answer: (decision: CodeDecision, facts: CoverageFacts) => Partial<CodeDecision>) =>
  (decide: Decide): Decide =>
  (facts, query) => {
    const decision = decide(facts, query)
    const codes = decision.codes.map((code) => ({ ...code, ...answer(code, facts) }))
    return { ...decision, codes }
  }

const isDiagnoses = ({ kind }: CodeGroup): boolean => kind === "dx_covered" || kind === "dx_noncovered"

const withoutSentences = (paragraph: string | null, sentences: ReadonlyArray<string>): string | null =>
  paragraph === null ? null : sentences.reduce((text, each) => text.replace(each, ""), paragraph)

/** Documents of one unit alone: an LCD, or an article that names none, and what relates to it. */
const unitsOf = (policies: ReadonlyArray<PolicyVersion>): ReadonlyArray<ReadonlyArray<PolicyVersion>> =>
  policies
    .filter(({ policy, related }) => policy.policyType === "LCD" || related.length === 0)
    .map((version) => {
      const names = (one: PolicyVersion, other: PolicyVersion): boolean =>
        one.related.some(({ policyId }) => policyId === other.policy.policyId)
      return policies.filter((other) => other === version || names(version, other) || names(other, version))
    })

const deniesIfAnyDoes =
  (decide: Decide): Decide =>
  (facts, query) => {
    const whole = decide(facts, query)
    const alone = unitsOf(facts.policies).map((policies) => decide({ ...facts, policies }, query))
    const codes = whole.codes.map((code, index): CodeDecision => {
      const denied = alone.some(({ codes: each }) => each[index]?.status === "not_covered")
      return denied ? { ...code, status: "not_covered" } : code
    })
    return { ...whole, codes }
  }

const attestsAllAtOnce =
  (decide: Decide): Decide =>
  (facts, query) => {
    const attestedConditions = decide(facts, { ...query, attestedConditions: [] }).conditions.map(
      ({ conditionId }) => conditionId
    )
    return decide(facts, query.attestedConditions.length === 0 ? query : { ...query, attestedConditions })
  }

const coversTheWhole =
  (decide: Decide): Decide =>
  (facts, query): CoverageDecision => {
    const decision = decide(facts, query)
    const isCovered = decision.codes.some(({ status }) => status === "covered")
    return isCovered ? { ...decision, status: "covered" } : decision
  }

/** Deciders with one mistake each, made from one that has none. */
export const coverageDecisionMutants: Readonly<Record<string, (decide: Decide) => Decide>> = {
  "covers whatever lists a supporting diagnosis": answering(({ diagnosisSupport }) =>
    diagnosisSupport === "supported" ? { status: "covered", conditions: [] } : {}
  ),
  "covers a question when it covers one of its codes": coversTheWhole,
  "skips the passages that nobody structured": reading((version) => ({
    ...version,
    criteria: version.criteria.filter(({ logicAst }) => logicAst !== null)
  })),
  "reads an exclusion list as support": readingGroups((group) => ({
    ...group,
    paragraph: withoutSentences(group.paragraph, group.kind === "dx_covered" ? exclusions : [])
  })),
  "takes every group for every procedure": readingGroups((group) =>
    isDiagnoses(group) ? { ...group, scope: "all" } : group
  ),
  "takes any second diagnosis for the primary one": readingGroups((group) => ({
    ...group,
    paragraph: withoutSentences(group.paragraph, secondaries),
    ...(group.role === "secondary" ? { role: "any" } : {})
  })),
  "overlooks asterisks": readingGroups((group) => ({
    ...group,
    asteriskText: null,
    codes: group.codes.map((code) => ({ ...code, asterisk: false }))
  })),
  "takes unknown status for active": reading((version) => ({
    ...version,
    status: version.status === "unknown" ? "active" : version.status
  })),
  "decides by proposed documents": reading((version) => ({
    ...version,
    status: version.status === "proposed" ? "active" : version.status
  })),
  "decides by documents of no contractor": reading((version, { place }) => ({
    ...version,
    contractors:
      version.contractors.length > 0 || version.national
        ? version.contractors
        : [{ contractorNumber: "04412", name: "Example", jurisdictionCode: place?.jurisdictions[0] ?? "JH" }],
    states: version.contractors.length > 0 ? version.states : (place?.states ?? [])
  })),
  "decides by documents of every state": reading((version, { place }) => ({
    ...version,
    states: [...version.states, ...(place?.states ?? [])]
  })),
  "decides for Texas when no state is given": asking(({ place }) => ({ place: place ?? inState("TX") })),
  "decides of another day": asking(() => ({ dateOfService: day("2024-06-01") })),
  "lets a list that lacks the diagnosis deny over one that has it": deniesIfAnyDoes,
  "denies by every row of the curated table": knowing(({ policies, ncdCodes }) => ({
    policies: policies.map((version) => (version.national ? { ...version, coverageLevel: 3 } : version)),
    ncdCodes: ncdCodes.map((row) => ({ ...row, role: "denies" }))
  })),
  "overlooks national determinations": knowing(({ policies }) => ({
    policies: policies.filter(({ national }) => !national),
    ncdCodes: []
  })),
  "judges codes by a table of other years": knowing(({ codeTables }) => ({
    codeTables: codeTables.map((table) => ({ ...table, from: day("2000-01-01"), until: null }))
  })),
  "reads the first of several documents alone": knowing(({ policies }) => ({
    policies: policies.slice(0, Math.max(1, policies.length - 1))
  })),
  "denies what no policy lists": answering(({ status }) =>
    status === "unknown" ? { status: "not_covered" } : {}
  ),
  "is less sure where the library is large": answering((_, { policies }) =>
    policies.length > 4 ? { confidence: "low" } : {}
  ),
  "names no gap": answering(() => ({ knownGaps: [] })),
  "lists no condition": answering(() => ({ conditions: [] })),
  "tells a condition in its own words": answering(({ conditions }) => ({
    conditions: conditions.map((condition) => ({ ...condition, text: `Provided that: ${condition.text}` }))
  })),
  "cuts its quotes with dots": answering(({ trace }) => ({
    trace: trace.map((step) =>
      step.quote === null ? step : { ...step, quote: `${step.quote.slice(0, 40)}…` }
    )
  })),
  "cites no version": answering(({ trace }) => ({
    trace: trace.map((step) => ({ ...step, version: null }))
  })),
  "hears no attestation": asking(() => ({ attestedConditions: [] })),
  "takes one attestation for all": attestsAllAtOnce
}
