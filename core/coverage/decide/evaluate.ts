import type { Condition, CoverageStatus, DiagnosisSupport, TraceStep } from "../CoverageDecision.ts"
import type { NcdCode } from "../NcdCode.ts"
import type { PolicyStatus, PolicyVersion } from "../Policy.ts"
import type { BlockReading } from "./block.ts"
import { readBlocks } from "./block.ts"
import { confidenceOf } from "./confidence.ts"
import type { RuleInputs } from "./criteria.ts"
import { nationalVerdict, reachOf } from "./national.ts"
import { hasContractor, unplacedStep } from "./place.ts"
import type { Unit } from "./unit.ts"
import { unitsOf } from "./unit.ts"
import { soleProcedure } from "./unitReading.ts"
import { unitVerdict } from "./unitVerdict.ts"
import type { UnitQuestion } from "./unitReading.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict, withStep } from "./Verdict.ts"

/** What one policy comes to for rule-level inputs (contract §2, POST /coverage/evaluate). */
export interface Evaluation {
  readonly status: CoverageStatus
  readonly support: DiagnosisSupport
  readonly conditions: ReadonlyArray<Condition>
  /** 0..1. */
  readonly confidence: number
  readonly reasons: ReadonlyArray<string>
  /** Ids of the policy's passages whose condition holds, does not hold, and could not be judged. */
  readonly matched: ReadonlyArray<string>
  readonly unmatched: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<string>
  /** Passages whose condition was judged true or false. */
  readonly blocksEvaluated: number
  /** Passages that are narrative alone and wait for a person. */
  readonly blocksWithoutAst: number
  readonly trace: ReadonlyArray<TraceStep>
}

/** The questions of POST /coverage/evaluate; null: no procedure was named. */
export interface EvaluateInputs extends Omit<RuleInputs, "procedureCodes"> {
  readonly procedureCode: string | null
  readonly attestedConditions: ReadonlyArray<string>
}

/** The policy asked about, where it stands, and what belongs to it. */
export interface EvaluateFacts {
  readonly policy: PolicyVersion
  readonly standing: PolicyStatus
  /** What is in force that relates to it or that it relates: an article's LCD, an LCD's articles. */
  readonly related: ReadonlyArray<PolicyVersion>
  readonly ncdCodes: ReadonlyArray<NcdCode>
}

/**
 * Evaluates one policy with the documents of its unit (coverage-domain §2.1, L1 and rule 5), as the version
 * that answers today and where that stands. A document that is not in force decides nothing.
 */
export const evaluate = (facts: EvaluateFacts, inputs: EvaluateInputs): Evaluation => {
  const { policy, standing } = facts
  const unit = unitOf(facts)
  const code = inputs.procedureCode ?? soleProcedure(unit) ?? null
  const asked = { ...inputs, procedureCodes: code === null ? [] : [code] }
  const blocks = readBlocks(policy, asked)
  const question = {
    code,
    inputs: asked,
    attested: new Set(inputs.attestedConditions),
    invalidDiagnoses: new Set<string>()
  }
  const isInForce = standing === "active" || standing === "unknown"
  const said = isInForce ? askedVerdict(facts, unit, question) : notInForce(policy, standing)
  const structured = blocks.filter((one) => one.block.logicAst !== null)
  const idsOf = (state: BlockReading["state"]): ReadonlyArray<string> =>
    structured.filter((one) => one.state === state).map((one) => one.block.blockId)
  const [matched, unmatched] = [idsOf("met"), idsOf("violated")]
  return {
    status: said.status,
    support: said.support,
    conditions: said.status === "not_covered" ? [] : said.conditions,
    confidence: said.status === "unknown" ? 0 : chances[confidenceOf(said)],
    reasons: [...new Set([...said.deciding.map((step) => step.result), ...missingSentence(said)])],
    matched,
    unmatched,
    skipped: idsOf("open"),
    blocksEvaluated: matched.length + unmatched.length,
    blocksWithoutAst: blocks.length - structured.length,
    trace: said.trace
  }
}

/** How sure the levels are as numbers; nobody knows, is none. */
const chances = { high: 0.9, medium: 0.6, low: 0.3 } as const

/** The unit of the policy; an article that serves several LCDs is read with all of them. */
const unitOf = ({ policy, related }: EvaluateFacts): Unit => {
  const its = unitsOf([policy, ...related]).filter((one) => one.documents.includes(policy))
  return {
    documents: [...new Set(its.flatMap((one) => one.documents))],
    procedures: new Set(its.flatMap((one) => [...one.procedures])),
    lacksRelated: its.some((one) => one.lacksRelated)
  }
}

const askedVerdict = (facts: EvaluateFacts, unit: Unit, question: UnitQuestion): Verdict => {
  const { policy } = facts
  const { code } = question
  if (policy.policy.policyType === "NCD") return nationalAsked(facts, question)
  if (!hasContractor(policy)) return unplaced(policy)
  const said = unitVerdict(unit, question)
  if (code === null) return unit.procedures.size === 0 ? said : procedureMissing(policy, said)
  if (unit.procedures.has(code)) return said
  return unit.procedures.size === 0 ? unlisted(policy, said) : notListed(policy, code)
}

/** Asked without a procedure the determination itself is meant; a procedure has to be reached by it. */
const nationalAsked = ({ ncdCodes, policy }: EvaluateFacts, question: UnitQuestion): Verdict => {
  if (question.code === null) return nationalVerdict(policy, "asked", question)
  const reach = reachOf(policy, question.code, { rows: ncdCodes, locals: [] })
  return nationalVerdict(policy, reach ?? "related", question)
}

const notInForce = (policy: PolicyVersion, standing: PolicyStatus): Verdict =>
  verdict("unknown", [
    stepOf(policy, {
      rule: "policy.not_in_force",
      result: `The policy is ${standing} and decides nothing today.`
    })
  ])

/** A local document that names no contractor decides nothing (rule 3). */
const unplaced = (policy: PolicyVersion): Verdict =>
  verdict("unknown", [unplacedStep(policy)], { gaps: ["contractor"] })

const notListed = (policy: PolicyVersion, code: string): Verdict =>
  verdict("unknown", [
    stepOf(policy, {
      rule: "policy.not_listed",
      result: `The policy lists other procedures than ${code} and decides nothing about it.`,
      section: "procedure codes"
    })
  ])

/** A document without any list may be about the procedure; its text says so, or does not. */
const unlisted = (policy: PolicyVersion, said: Verdict): Verdict =>
  withStep(
    said,
    stepOf(policy, {
      rule: "policy.no_list",
      result: "The document lists no procedures; whether it is about this one is for a person to read."
    }),
    { status: "conditional", isExplicit: false, gaps: unique<Gap>([...said.gaps, "coverage_criteria"]) }
  )

const procedureMissing = (policy: PolicyVersion, said: Verdict): Verdict =>
  withStep(
    said,
    stepOf(policy, {
      rule: "policy.procedure_missing",
      result: "The policy speaks of several procedures, and none was named."
    }),
    { status: "conditional", isExplicit: false, gaps: unique<Gap>([...withoutScope(said), "procedure_code"]) }
  )

/** Which lists are about the procedure is open only because none was named. */
const withoutScope = ({ gaps }: Verdict): ReadonlyArray<Gap> => gaps.filter((gap) => gap !== "group_scope")

const missingSentence = ({ gaps }: Verdict): ReadonlyArray<string> =>
  gaps.length === 0 ? [] : [`Missing: ${gaps.join(", ")}.`]
