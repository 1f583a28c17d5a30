import type {
  Condition,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus,
  DiagnosisSupport,
  TraceStep
} from "../CoverageDecision.ts"
import { emptyFacts } from "../CoverageDecision.ts"
import type { IsoDate } from "../date.ts"
import type { PolicyStatus, PolicyVersion } from "../Policy.ts"
import { withAbsentNcds } from "./absent.ts"
import type { BlockReading } from "./block.ts"
import { readBlocks } from "./block.ts"
import { medicareVerdict } from "./combine.ts"
import { confidenceOf, needsReview } from "./confidence.ts"
import type { RuleInputs } from "./criteria.ts"
import { nationalVerdict, reachOf, statuteVerdict } from "./national.ts"
import type { National } from "./national.ts"
import { hasContractor, unknownJurisdictionStep } from "./place.ts"
import { tierOf } from "./tier.ts"
import type { Unit } from "./unit.ts"
import { unitsOf } from "./unit.ts"
import { soleProcedure } from "./unitReading.ts"
import type { UnitQuestion } from "./unitReading.ts"
import { unitVerdict } from "./unitVerdict.ts"
import { invalidDiagnoses } from "./validity.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, unknownVerdict, verdict, withStep } from "./Verdict.ts"

/** What one policy comes to for rule-level inputs (contract §2, POST /coverage/evaluate). */
export interface Evaluation {
  readonly status: CoverageStatus
  readonly support: DiagnosisSupport
  readonly conditions: ReadonlyArray<Condition>
  /** 0..1. */
  readonly confidence: number
  readonly reasons: ReadonlyArray<string>
  /** The policies of the deciding steps, each once, in their order. */
  readonly decidedBy: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  readonly requiresManualReview: boolean
  /** The procedure that was evaluated; null: none is known. */
  readonly code: string | null
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

/** The policy asked about, where it stands, and what belongs to it and stands above it. */
export interface EvaluateFacts extends Pick<CoverageFacts, "codes" | "codeTables" | "ncdCodes"> {
  readonly policy: PolicyVersion
  readonly standing: PolicyStatus
  /**
   * What is in force that relates to it or that it relates (an article's LCD, an LCD's articles), and the
   * national determinations to which these or a curated row of the procedure lead.
   */
  readonly related: ReadonlyArray<PolicyVersion>
  /** The day on which all this stands. */
  readonly day: IsoDate
}

/**
 * Evaluates one policy with the documents of its unit (coverage-domain §2.1, L1 and rule 5), as the version
 * that answers today and where that stands. A document that is not in force decides nothing. Of a policy of
 * Medicare's, the national determinations and the HCPCS table decide before it (rules 4 and 9): it says no
 * more of a procedure than a claim is told.
 */
export const evaluate = (facts: EvaluateFacts, inputs: EvaluateInputs): Evaluation => {
  const { policy, standing } = facts
  const unit = unitOf(facts)
  const code = procedureOf(facts, inputs)
  const asked = queryOf(facts, inputs, code)
  const blocks = readBlocks(policy, asked)
  const question = {
    code,
    inputs: asked,
    attested: new Set(inputs.attestedConditions),
    invalidDiagnoses: invalidDiagnoses({ ...emptyFacts, ...facts }, asked)
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
    decidedBy: [...new Set(said.deciding.flatMap((step) => step.policyId ?? []))],
    knownGaps: said.gaps,
    requiresManualReview: needsReview(said),
    code,
    matched,
    unmatched,
    skipped: idsOf("open"),
    blocksEvaluated: matched.length + unmatched.length,
    blocksWithoutAst: blocks.length - structured.length,
    trace: said.trace
  }
}

/** The procedure that is meant: the one that was named, else the only one that the policy's unit lists. */
export const procedureOf = (
  facts: Pick<EvaluateFacts, "policy" | "related">,
  { procedureCode }: Pick<EvaluateInputs, "procedureCode">
): string | null => procedureCode ?? soleProcedure(unitOf(facts)) ?? null

/** The inputs as traditional Medicare's question of the day, wherever the policy applies. */
const queryOf = ({ day }: EvaluateFacts, inputs: EvaluateInputs, code: string | null): CoverageQuery => ({
  ...inputs,
  procedureCodes: code === null ? [] : [code],
  dateOfService: day,
  scope: { _tag: "Medicare" },
  place: null
})

/** How sure the levels are as numbers; nobody knows, is none. */
const chances = { high: 0.9, medium: 0.6, low: 0.3 } as const

/** The unit of the policy; an article that serves several LCDs is read with all of them. */
const unitOf = ({ policy, related }: Pick<EvaluateFacts, "policy" | "related">): Unit => {
  const its = unitsOf([policy, ...related]).filter((one) => one.documents.includes(policy))
  return {
    documents: [...new Set(its.flatMap((one) => one.documents))],
    procedures: new Set(its.flatMap((one) => [...one.procedures])),
    lacksRelated: its.some((one) => one.lacksRelated),
    lacksArticle: its.some((one) => one.lacksArticle)
  }
}

interface EvaluateQuestion extends UnitQuestion {
  readonly inputs: CoverageQuery
}

const askedVerdict = (facts: EvaluateFacts, unit: Unit, question: EvaluateQuestion): Verdict => {
  switch (tierOf(facts.policy.policy, question.inputs.scope)) {
    case "national":
      return nationalAsked(facts, question)
    case "local":
      return weighed(facts, question, { local: ownVerdict(facts, unit, question), documents: unit.documents })
    case "payer":
    case undefined:
      return ownVerdict(facts, unit, question)
  }
}

/** What the documents of the unit say by themselves. */
const ownVerdict = ({ policy }: EvaluateFacts, unit: Unit, question: EvaluateQuestion): Verdict => {
  const { code } = question
  if (!hasContractor(policy)) return unplaced(policy)
  const said = unitVerdict(unit, question)
  if (code === null) return unit.procedures.size === 0 ? said : procedureMissing(policy, said)
  if (unit.procedures.has(code)) return said
  return unit.procedures.size === 0 ? unlisted(policy, said) : notListed(policy, code)
}

/**
 * Asked without a procedure the determination itself is meant. One that is not known to be about the
 * procedure stands where local documents do, below those that are.
 */
const nationalAsked = (facts: EvaluateFacts, question: EvaluateQuestion): Verdict => {
  const { ncdCodes: rows, policy } = facts
  const { code } = question
  if (code === null) return nationalVerdict(policy, "asked", question)
  const reach = reachOf(policy, code, { rows, locals: localsListing(facts, code) }) ?? "unlinked"
  const said = nationalVerdict(policy, reach, question)
  return reach === "related" || reach === "unlinked"
    ? weighed(facts, question, { local: unsure(said), documents: [] })
    : weighed(facts, question, { national: { policy, reach, verdict: said }, documents: [] })
}

/** The local documents of the units that list the procedure, wherever they apply. */
const localsListing = ({ related }: EvaluateFacts, code: string): ReadonlyArray<PolicyVersion> =>
  unitsOf(related.filter((one) => tierOf(one.policy, { _tag: "Medicare" }) === "local" && hasContractor(one)))
    .filter((unit) => unit.procedures.has(code))
    .flatMap((unit) => unit.documents)

/** What may be about another procedure is conditional at most, also where all of it is attested. */
const unsure = (said: Verdict): Verdict =>
  said.status === "unknown"
    ? said
    : {
        ...said,
        status: "conditional",
        isExplicit: false,
        gaps: unique<Gap>([...said.gaps, "ncd_scope"])
      }

/** What the policy asked about says: as a determination about the procedure, or below those. */
interface Own {
  readonly national?: National
  readonly local?: Verdict
  /** The local documents that may lead to determinations. */
  readonly documents: ReadonlyArray<PolicyVersion>
}

/** A policy of Medicare's below the determinations about the procedure and its HCPCS column (rule 9). */
const weighed = (facts: EvaluateFacts, question: EvaluateQuestion, own: Own): Verdict => {
  const { ncdCodes: rows, policy, related } = facts
  const code = question.code ?? ""
  const held = related.filter((one) => tierOf(one.policy, question.inputs.scope) === "national")
  const others = held.flatMap((one): ReadonlyArray<National> => {
    const reach = reachOf(one, code, { rows, locals: own.documents })
    return reach === undefined ? [] : [{ policy: one, reach, verdict: nationalVerdict(one, reach, question) }]
  })
  const { documents, local, national } = own
  const said = medicareVerdict({
    nationals: byId([...(national === undefined ? [] : [national]), ...others]),
    statute: statuteVerdict(code, facts, question.inputs),
    local
  })
  return withAbsentNcds(overMute(said ?? unknownVerdict, local), {
    code,
    rows,
    documents,
    nationals: [policy, ...held],
    known: []
  })
}

/** Where the policy asked about says nothing of the procedure, only a denial from above is its answer. */
const overMute = (said: Verdict, own: Verdict | undefined): Verdict =>
  own?.status === "unknown" && said.status !== "not_covered" ? { ...own, trace: said.trace } : said

const byId = (nationals: ReadonlyArray<National>): ReadonlyArray<National> =>
  nationals.toSorted((a, b) => (a.policy.policy.policyId < b.policy.policy.policyId ? -1 : 1))

const notInForce = (policy: PolicyVersion, standing: PolicyStatus): Verdict =>
  verdict("unknown", [
    stepOf(policy, {
      rule: "policy.not_in_force",
      result: `The policy is ${standing} and decides nothing today.`
    })
  ])

/** A local document that names no contractor decides nothing (rule 3). */
const unplaced = (policy: PolicyVersion): Verdict =>
  verdict("unknown", [unknownJurisdictionStep(policy)], { gaps: ["contractor"] })

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
