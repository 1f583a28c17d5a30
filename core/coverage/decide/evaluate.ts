import type { CoverageStatus, TraceStep } from "../CoverageDecision.ts"
import type { PolicyStatus, PolicyVersion } from "../Policy.ts"
import { confidenceOf } from "./confidence.ts"
import type { RuleInputs } from "./criteria.ts"
import { curatedCovers } from "./curated.ts"
import type { PolicyReading } from "./document.ts"
import { listingsOf, readingFor, saidOf, together } from "./document.ts"
import { nationalVerdict } from "./national.ts"
import type { JudgedBlock } from "./restriction.ts"
import { atMostConditional } from "./restrict.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict } from "./Verdict.ts"

/** What one policy comes to for rule-level inputs (contract §2, POST /coverage/evaluate). */
export interface Evaluation {
  readonly status: CoverageStatus
  /** 0..1. */
  readonly confidence: number
  readonly reasons: ReadonlyArray<string>
  /** Ids of the passages whose condition holds, does not hold, and could not be judged. */
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
}

/**
 * Evaluates one policy, as the version that answers today and where that stands (coverage-domain §2.1, step
 * 4). A document that is not in force decides nothing.
 */
export const evaluate = (
  policy: PolicyVersion,
  standing: PolicyStatus,
  inputs: EvaluateInputs
): Evaluation => {
  const code = inputs.procedureCode ?? soleProcedure(policy)
  const asked = { ...inputs, attestedConditions: [], procedureCodes: code === null ? [] : [code] }
  const reading = readingFor(policy, asked, {
    listed: listingsOf(policy, asked.procedureCodes),
    diagnoses: unique(inputs.diagnosisCodes)
  })
  const said = standing === "active" ? askedVerdict(reading, code) : notInForce(policy, standing)
  const idsOf = (truth: JudgedBlock["truth"]): ReadonlyArray<string> =>
    reading.blocks.filter((one) => one.truth === truth).map((one) => one.block.blockId)
  const [matched, unmatched] = [idsOf(true), idsOf(false)]
  return {
    status: said.status,
    confidence: said.status === "unknown" ? 0 : chances[confidenceOf(said)],
    reasons: unrepeated([...said.deciding.map((step) => step.result), ...missingSentence(said)]),
    matched,
    unmatched,
    skipped: idsOf("unknown"),
    blocksEvaluated: matched.length + unmatched.length,
    blocksWithoutAst: policy.criteria.length - reading.blocks.length,
    trace: said.trace
  }
}

/** How sure the levels are as numbers; nobody knows, is none. */
const chances = { high: 0.9, medium: 0.6, low: 0.3 } as const

const askedVerdict = (reading: PolicyReading, code: string | null): Verdict => {
  const { policy } = reading
  const lists = policy.codeGroups.some((group) => group.kind === "procedure" && group.codes.length > 0)
  const said = saidOfIt(reading, code)
  if (code === null) return lists ? procedureMissing(policy, said) : said
  if (reading.listed.has(code)) return said
  if (lists) return notListed(reading, code)
  return isNational(policy) && curatedCovers(policy.policy.policyId, code)
    ? nationalVerdict(reading, code, "curated")
    : unlisted(policy, said)
}

const saidOfIt = (reading: PolicyReading, code: string | null): Verdict =>
  isNational(reading.policy) ? nationalVerdict(reading, code, "listed") : together([saidOf(reading, code)])

const isNational = ({ policy }: PolicyVersion): boolean => policy.policyType === "NCD"

const notInForce = (policy: PolicyVersion, standing: PolicyStatus): Verdict =>
  verdict("unknown", [
    stepOf(policy, {
      rule: "policy.not_in_force",
      result: `The policy is ${standing} and decides nothing today.`
    })
  ])

const notListed = ({ policy }: PolicyReading, code: string): Verdict =>
  verdict("unknown", [
    stepOf(policy, {
      rule: "policy.not_listed",
      result: `The policy lists other procedures than ${code} and decides nothing about it.`,
      section: "procedure codes"
    })
  ])

/** A document without any list may be about the procedure; its text says so, or does not. */
const unlisted = (policy: PolicyVersion, said: Verdict): Verdict => {
  const step = stepOf(policy, {
    rule: "policy.no_list",
    result: "The document lists no procedures; whether it is about this one is for a person to read."
  })
  return said.status === "conditional"
    ? { ...said, review: true, trace: [...said.trace, step], deciding: [...said.deciding, step] }
    : atMostConditional(said, step)
}

const procedureMissing = (policy: PolicyVersion, said: Verdict): Verdict => {
  if (said.status === "unknown") return said
  const isOpen = said.status === "covered"
  const step = stepOf(policy, {
    rule: "policy.procedure_missing",
    result: "The policy speaks of several procedures, and none was named."
  })
  return {
    ...said,
    status: isOpen ? "conditional" : said.status,
    gaps: unique([...said.gaps, "procedure_code"]),
    trace: [...said.trace, step],
    deciding: [...said.deciding, step]
  }
}

/** The one procedure of a policy that lists no other. */
const soleProcedure = (policy: PolicyVersion): string | null => {
  const codes = new Set(
    policy.codeGroups
      .filter((group) => group.kind === "procedure")
      .flatMap((group) => group.codes.map((entry) => entry.code))
  )
  const [only] = codes
  return codes.size === 1 && only !== undefined ? only : null
}

const missingSentence = ({ gaps }: Verdict): ReadonlyArray<string> =>
  gaps.length === 0 ? [] : [`Not given: ${gaps.join(", ")}.`]

const unrepeated = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]
