import type {
  CodeDecision,
  CoverageDecision,
  CoverageFacts,
  CoverageQuery,
  CoverageStatus,
  DiagnosisSupport
} from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"
import { readingOn } from "../reading.ts"
import { withAbsentNcds } from "./absent.ts"
import { advantageVerdict, medicareVerdict } from "./combine.ts"
import { sortConditions } from "./condition.ts"
import { confidenceOf, leastConfident, needsReview } from "./confidence.ts"
import { procedureCodes } from "./groups.ts"
import { decidingUnits, localVerdict } from "./local.ts"
import { nationalVerdict, reachOf, statuteVerdict } from "./national.ts"
import type { National } from "./national.ts"
import { applies, hasContractor, unknownJurisdictionStep } from "./place.ts"
import type { Tier } from "./tier.ts"
import { tierOf } from "./tier.ts"
import { unitsOf } from "./unit.ts"
import type { Unit } from "./unit.ts"
import type { CodeFinding } from "./validity.ts"
import { codeFindings, diagnosisFindings, invalidDiagnoses } from "./validity.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, unknownVerdict, withStep } from "./Verdict.ts"

/**
 * Decides a query of coverage from what the library holds (coverage-domain §2.1, rules 1 to 10 and 13). The
 * store chose the versions in force on the date; everything else is judged here: which of them list the code,
 * apply to the place and belong to the payer, what each unit says, and which of them prevails. The order of
 * nothing in its input shows in its output.
 */
export const decide = (facts: CoverageFacts, query: CoverageQuery): CoverageDecision => {
  const candidates = candidatesOf(facts, query)
  const gaps = payerGaps(query)
  const invalid = invalidDiagnoses(facts, query)
  const found = unique(query.procedureCodes).map((code) => ({
    code,
    ...codeVerdict(candidates, { facts, query, code, invalid })
  }))
  // Only a document that bears on the question tells that a code exists (rule 1): no stranger's changes it.
  const bearing = { ...facts, policies: found.flatMap((one) => one.policies) }
  const findings = codeFindings(bearing, query)
  const diagnoses = [...diagnosisFindings(bearing, query).values()]
  const codes = found.map((one) => decisionOf(one.code, { ...one, finding: findings.get(one.code), gaps }))
  return {
    status: worstStatus(codes.map((one) => one.status)),
    diagnosisSupport: worstSupport(codes.map((one) => one.diagnosisSupport)),
    conditions: sortConditions(codes.flatMap((one) => one.conditions)),
    confidence: diagnoses.some(isUnsure) ? "low" : leastConfident(codes.map((one) => one.confidence)),
    requiresManualReview: codes.some((one) => one.requiresManualReview),
    issues: unique([...codes.flatMap((one) => one.issues), ...diagnoses.flatMap((one) => one.issues)]),
    knownGaps: unique<string>([
      ...codes.flatMap((one) => one.knownGaps),
      ...diagnoses.flatMap((one) => one.gaps),
      ...gaps
    ]),
    codes,
    policies: byId(new Set(codes.flatMap((one) => one.policies))),
    trace: codes.flatMap((one) => one.trace)
  }
}

/** The worst over codes: not_covered > conditional > unknown > covered; unknown where there are none. */
export const worstStatus = (statuses: ReadonlyArray<CoverageStatus>): CoverageStatus =>
  (["not_covered", "conditional", "unknown", "covered"] as const).find((one) => statuses.includes(one)) ??
  "unknown"

const worstSupport = (supports: ReadonlyArray<DiagnosisSupport>): DiagnosisSupport =>
  (["not_supported", "unknown", "supported"] as const).find((one) => supports.includes(one)) ??
  "not_applicable"

interface Candidates {
  readonly national: ReadonlyArray<PolicyVersion>
  readonly local: ReadonlyArray<Unit>
  readonly payer: ReadonlyArray<Unit>
  /** Local documents that name no contractor: they decide nothing and are told of (rule 3). */
  readonly unplaced: ReadonlyArray<PolicyVersion>
}

/** The documents that may decide here and on the date, by tier. Proposed ones never do. */
const candidatesOf = (facts: CoverageFacts, query: CoverageQuery): Candidates => {
  const here = inForce(facts.policies, query).flatMap((policy) => {
    const tier = tierOf(policy.policy, query.scope)
    return tier === undefined ? [] : [{ tier, policy }]
  })
  const of = (tier: Tier) => here.filter((one) => one.tier === tier).map((one) => one.policy)
  const local = of("local")
  const issued = local.filter(hasContractor).filter((one) => applies(one, query.place))
  return {
    national: of("national"),
    local: unitsOf(issued),
    payer: unitsOf(of("payer").filter((one) => applies(one, query.place))),
    unplaced: local.filter((one) => !hasContractor(one))
  }
}

/** Of each policy the one version that is in force on the date, by id. */
const inForce = (
  policies: ReadonlyArray<PolicyVersion>,
  { dateOfService }: CoverageQuery
): ReadonlyArray<PolicyVersion> =>
  byId(
    [...Map.groupBy(policies, (one) => one.policy.policyId).values()].flatMap((versions) => {
      const reading = readingOn(versions, dateOfService)
      return reading?.status === "active" || reading?.status === "unknown" ? [reading.version] : []
    })
  )

interface CodeQuestion {
  readonly facts: CoverageFacts
  readonly query: CoverageQuery
  readonly code: string
  readonly invalid: ReadonlySet<string>
}

interface CodeVerdict {
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly verdict: Verdict
}

const codeVerdict = (candidates: Candidates, { facts, query, code, invalid }: CodeQuestion): CodeVerdict => {
  const question = {
    code,
    inputs: query,
    place: query.place,
    attested: new Set(query.attestedConditions),
    invalidDiagnoses: invalid
  }
  const listing = (units: ReadonlyArray<Unit>) => units.filter((unit) => unit.procedures.has(code))
  const [locals, plans] = [listing(candidates.local), listing(candidates.payer)]
  const documents = decidingUnits(locals, question).flatMap((unit) => unit.documents)
  const nationals = candidates.national.flatMap((policy): ReadonlyArray<National> => {
    const reach = reachOf(policy, code, { rows: facts.ncdCodes, locals: documents })
    return reach === undefined ? [] : [{ policy, reach, verdict: nationalVerdict(policy, reach, question) }]
  })
  const isMedicares = query.scope._tag === "Medicare" || query.scope._tag === "MedicareAdvantage"
  const medicares = medicareVerdict({
    nationals,
    statute: isMedicares ? statuteVerdict(code, facts, query) : undefined,
    local: localVerdict(locals, question)
  })
  const verdict = advantageVerdict(medicares, localVerdict(plans, question)) ?? unknownVerdict
  const unplaced = candidates.unplaced.filter((one) => procedureCodes(one).has(code))
  return {
    policies: byId(
      new Set([
        ...nationals.map((one) => one.policy),
        ...[...locals, ...plans].flatMap((unit) => unit.documents),
        ...unplaced
      ])
    ),
    verdict: withAbsentNcds(unplaced.reduce(withUnplaced, verdict), {
      code,
      rows: isMedicares ? facts.ncdCodes : [],
      documents,
      nationals: candidates.national,
      known: facts.policies
    })
  }
}

/** What names no contractor decides nothing; that it lists the code is a gap, not silence. */
const withUnplaced = (verdict: Verdict, policy: PolicyVersion): Verdict =>
  withStep(verdict, unknownJurisdictionStep(policy), { gaps: unique<Gap>([...verdict.gaps, "contractor"]) })

const decisionOf = (
  code: string,
  found: CodeVerdict & { readonly finding: CodeFinding | undefined; readonly gaps: ReadonlyArray<Gap> }
): CodeDecision => {
  const { finding, policies, verdict } = found
  const none =
    verdict.status === "unknown" && policies.length === 0
      ? [stepOf(null, { rule: "combine.no_policy", result: `No policy in force here decides ${code}.` })]
      : []
  const knownGaps = unique<string>([...verdict.gaps, ...found.gaps, ...(finding?.gaps ?? [])])
  return {
    code,
    status: verdict.status,
    diagnosisSupport: verdict.support,
    conditions: verdict.status === "not_covered" ? [] : verdict.conditions,
    confidence: isUnsure(finding) ? "low" : confidenceOf(verdict),
    requiresManualReview: needsReview({ ...verdict, gaps: knownGaps }),
    reasons: [...new Set([...verdict.deciding, ...none].map((step) => step.result))],
    decidedBy: [...new Set(verdict.deciding.flatMap((step) => step.policyId ?? []))],
    issues: unique([...verdict.issues, ...(finding?.issues ?? [])]),
    knownGaps,
    policies,
    trace: [...verdict.trace, ...none]
  }
}

/** No table of the day and no document in force says that the code exists. */
const isUnsure = (finding: CodeFinding | undefined): boolean =>
  finding !== undefined && finding.gaps.length > 0 && !finding.isNamed

/** The payer is missing where nobody is known by its name, or where a plan's own policies might count. */
const payerGaps = ({ scope }: CoverageQuery): ReadonlyArray<Gap> =>
  scope._tag === "Unknown" || (scope._tag === "MedicareAdvantage" && scope.payer === null) ? ["payer"] : []

/** By id, and of one policy by version. */
const byId = (policies: Iterable<PolicyVersion>): ReadonlyArray<PolicyVersion> =>
  [...policies].toSorted((a, b) => {
    const [left, right] = [a.policy.policyId, b.policy.policyId]
    return left === right ? a.version - b.version : left < right ? -1 : 1
  })
