import type { MueEdit, PtpEdit } from "../editTables.ts"
import type { CodeRecord } from "../Code.ts"
import { procedureSystem } from "../codeText.ts"
import type {
  CodeDecision,
  Condition,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus,
  DiagnosisSupport,
  Level,
  TraceStep
} from "../CoverageDecision.ts"
import type { IsoDate, IsoTime } from "../date.ts"
import { documentationOf } from "../documentation.ts"
import type { PolicyVersion } from "../Policy.ts"
import { decidePriorAuth, summarizePriorAuth } from "../priorAuth/priorAuth.ts"
import type { PriorAuthDecision } from "../priorAuth/priorAuth.ts"
import { summarize } from "../summary.ts"
import { adviseModifiers } from "./modifiers.ts"
import { findPairs } from "./pairs.ts"
import type { PairFinding } from "./pairs.ts"
import { confidenceWith, higher, highest, lower, riskOf, riskWith } from "./risk.ts"
import { adviseUnits } from "./units.ts"
import type { UnitsByCode } from "./units.ts"

/** What a claim is checked against. */
export interface ClaimQuestion {
  readonly query: CoverageQuery
  readonly facts: CoverageFacts
  readonly decision: CoverageDecision
  readonly pairs: ReadonlyArray<PtpEdit>
  readonly unitEdits: ReadonlyArray<MueEdit>
  readonly units: UnitsByCode
}

/** What line and whole claim have in common. */
interface Finding {
  readonly status: CoverageStatus
  readonly diagnosisSupport: DiagnosisSupport
  readonly conditions: ReadonlyArray<Condition>
  readonly priorAuthRequired: boolean | null
  readonly denialRisk: Level
  readonly confidence: Level
  readonly documentation: ReadonlyArray<string>
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly requiresManualReview: boolean
  readonly knownGaps: ReadonlyArray<string>
  readonly issues: ReadonlyArray<string>
}

/** One procedure code of the claim. */
export interface ClaimLine extends Finding {
  readonly code: string
  readonly codeType: "CPT" | "HCPCS" | "UNKNOWN"
  readonly description: string | null
}

/** The whole claim: as bad as its worst line, and at least a medium risk where anything is an issue. */
export interface ClaimDecision extends Finding {
  /** The answer in two sentences. */
  readonly summary: string
  /** In canonical order of the codes, whatever the order of the request. */
  readonly lines: ReadonlyArray<ClaimLine>
  /** The first day of the rule that asks for authorization, else of the newest policy that bears on it. */
  readonly effectiveDate: IsoDate | null
  /** What modifiers state that is no issue (rule 12). */
  readonly notes: ReadonlyArray<string>
  /** When the newest of the policies was recorded. */
  readonly lastVerifiedAt: IsoTime | null
  readonly trace: ReadonlyArray<TraceStep>
}

/** Checks a claim at rule level (coverage-domain §2.1, rule 12): coverage, authorization and NCCI edits. */
export const decideClaim = (question: ClaimQuestion): ClaimDecision => {
  const { decision, facts, query } = question
  const pairs = findPairs(query, question.pairs)
  const judged = decision.codes
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map((code) => ({ code, priorAuth: decidePriorAuth(code, query, facts) }))
  const lines = judged.map(({ code, priorAuth }) => lineOf(question, pairs, code, priorAuth))
  const priorAuth = summarizePriorAuth(
    judged.map((one) => one.priorAuth),
    decision.status
  )
  const issues = unique([
    ...decision.issues,
    ...lines.flatMap((line) => line.issues),
    ...strayUnits(question)
  ])
  const knownGaps = names([
    ...decision.knownGaps,
    ...priorAuth.knownGaps,
    ...lines.flatMap((line) => line.knownGaps)
  ])
  return {
    summary: summarize({
      ...decision,
      knownGaps,
      issues: issues.length,
      priorAuthRequired: priorAuth.required
    }),
    status: decision.status,
    diagnosisSupport: decision.diagnosisSupport,
    conditions: decision.conditions,
    priorAuthRequired: priorAuth.required,
    denialRisk: riskWith(highest(lines.map((line) => line.denialRisk)), issues),
    confidence: lines.map((line) => line.confidence).reduce(lower, decision.confidence),
    documentation: unique([...priorAuth.documentation, ...documentationOf(decision.policies)]),
    policies: decision.policies,
    requiresManualReview:
      decision.requiresManualReview ||
      priorAuth.required === null ||
      lines.some((line) => line.requiresManualReview),
    knownGaps,
    issues,
    notes: adviseModifiers(query.modifiers).notes,
    lines,
    effectiveDate: priorAuth.effectiveDate ?? newest(decision.policies.map((one) => one.effectiveDate)),
    lastVerifiedAt: newest(decision.policies.map((one) => one.recordedAt)),
    trace: [
      ...decision.trace,
      ...judged.flatMap((one) => one.priorAuth.trace),
      ...pairs.map((pair) => pair.trace),
      ...judged.flatMap(({ code }) => unitsOf(question, code.code).trace)
    ]
  }
}

const lineOf = (
  question: ClaimQuestion,
  pairs: ReadonlyArray<PairFinding>,
  decision: CodeDecision,
  priorAuth: PriorAuthDecision
): ClaimLine => {
  const { code } = decision
  const own = pairs.filter((pair) => pair.column1 === code || pair.column2 === code)
  const rejected = own.filter((pair) => pair.column2 === code)
  const units = unitsOf(question, code)
  const announced = adviseModifiers(question.query.modifiers).issues
  const certain: Level = units.issues.length + announced.length > 0 ? "high" : "low"
  const risk = [...rejected.map(pairRisk), certain].reduce(higher, riskOf(decision, priorAuth.required))
  const issues = unique([
    ...decision.issues,
    ...(priorAuth.required === true ? [`prior_auth_required: ${priorAuth.reason}`] : []),
    ...own.map((pair) => pair.issue),
    ...units.issues,
    ...announced
  ])
  return {
    code,
    codeType: procedureSystem(code) ?? "UNKNOWN",
    description: descriptionOf(code, question.facts.codes),
    status: decision.status,
    diagnosisSupport: decision.diagnosisSupport,
    conditions: decision.conditions,
    priorAuthRequired: priorAuth.required,
    denialRisk: riskWith(risk, issues),
    confidence: confidenceWith(decision.confidence, priorAuth.required),
    documentation: unique([...priorAuth.documentation, ...documentationOf(decision.policies)]),
    policies: decision.policies,
    requiresManualReview:
      decision.requiresManualReview || priorAuth.required === null || rejected.some(isOpen),
    knownGaps: names([...decision.knownGaps, ...priorAuth.knownGaps]),
    issues
  }
}

/** The line that is not paid is the one in column 2. */
const pairRisk = (pair: PairFinding): Level => (pair.bar === "never" ? "high" : "medium")

/** A modifier that may or may not stand on the line that needs it is for a person to see. */
const isOpen = (pair: PairFinding): boolean => pair.bar === "modifier" && pair.modifierPresent

const unitsOf = ({ query, unitEdits, units }: ClaimQuestion, code: string) =>
  adviseUnits(code, query, unitEdits, units)

const strayUnits = ({ query, units }: ClaimQuestion): ReadonlyArray<string> =>
  [...units.keys()].some((code) => !query.procedureCodes.includes(code))
    ? ["units_unmatched: Units of a code that is not among the procedures were not looked at."]
    : []

const descriptionOf = (code: string, records: ReadonlyArray<CodeRecord>): string | null => {
  const record = records.find(
    (each) => each.code === code && (each.codeSystem === "HCPCS" || each.codeSystem === "CPT")
  )
  return record?.description ?? record?.shortDescription ?? null
}

const newest = <Day extends string>(days: ReadonlyArray<Day | null>): Day | null =>
  days
    .filter((one) => one !== null)
    .toSorted()
    .at(-1) ?? null

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
const names = (values: ReadonlyArray<string>): ReadonlyArray<string> => unique(values).toSorted()
