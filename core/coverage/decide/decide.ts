import type { CodeDecision, CoverageDecision, CoverageFacts, CoverageQuery } from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"
import type { National } from "./combine.ts"
import { advantageVerdict, medicareVerdict } from "./combine.ts"
import { confidenceOf, leastConfident } from "./confidence.ts"
import type { PolicyReading } from "./document.ts"
import { listingsOf, readingFor } from "./document.ts"
import { localVerdict } from "./local.ts"
import { nationalVerdict, reachOf } from "./national.ts"
import { applies } from "./place.ts"
import { worstStatus } from "./restrict.ts"
import type { Tier } from "./tier.ts"
import { tierOf } from "./tier.ts"
import { isUnit, unitsOf } from "./unit.ts"
import type { CodeFinding } from "./validity.ts"
import { codeFindings, diagnosisFindings } from "./validity.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, unknownVerdict } from "./Verdict.ts"

/**
 * Decides a query of coverage from what the library holds (coverage-domain §2.1, steps 1 to 7 and 10). The
 * store chose the versions in force on the date; everything else is judged here: which of them list the code,
 * apply to the place and belong to the payer, what each says, and who of them prevails. The order of nothing
 * in its input shows in its output.
 */
export const decide = (facts: CoverageFacts, query: CoverageQuery): CoverageDecision => {
  const candidates = candidatesOf(facts, query)
  const findings = codeFindings(facts, query)
  const diagnoses = [...diagnosisFindings(facts, query).values()]
  const gaps = payerGaps(query)
  const codes = unique(query.procedureCodes).map((code) => {
    const { policies, verdict } = codeVerdict(candidates, query, code)
    return decisionOf(code, { policies, verdict, finding: findings.get(code), gaps })
  })
  return {
    status: worstStatus(codes.map((one) => one.status)),
    diagnosisSupport: "unknown",
    conditions: [],
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

interface Candidate {
  readonly tier: Tier
  readonly reading: PolicyReading
}

/** The policies that may decide, in canonical order, each read once. Proposed documents never decide. */
const candidatesOf = (facts: CoverageFacts, query: CoverageQuery): ReadonlyArray<Candidate> => {
  const procedures = unique(query.procedureCodes)
  const diagnoses = unique(query.diagnosisCodes)
  return byId(facts.policies).flatMap((policy) => {
    const tier = policy.status === "proposed" ? undefined : tierOf(policy.policy, query.scope)
    if (tier === undefined || !applies(policy, query.place)) return []
    const listed = listingsOf(policy, procedures)
    if (listed.size === 0 && tier !== "national" && policy.policy.policyType !== "LCD") return []
    return [{ tier, reading: readingFor(policy, query, { listed, diagnoses }) }]
  })
}

interface CodeVerdict {
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly verdict: Verdict
}

const codeVerdict = (
  candidates: ReadonlyArray<Candidate>,
  query: CoverageQuery,
  code: string
): CodeVerdict => {
  const listing = (tier: Tier) =>
    candidates.filter((one) => one.tier === tier && one.reading.listed.has(code)).map((one) => one.reading)
  const locals = withLcds(candidates, listing("local"))
  const plans = listing("payer")
  const nationals = nationalsOf(candidates, code, locals)
  const asked = { code, place: query.place }
  const medicare = medicareVerdict(nationals, localVerdict(unitsOf(locals), asked))
  const plan = localVerdict(unitsOf(plans), asked)
  return {
    policies: byId([
      ...nationals.map((one) => one.policy),
      ...[...locals, ...plans].map((one) => one.policy)
    ]),
    verdict: advantageVerdict(medicare, plan) ?? unknownVerdict
  }
}

/** An LCD whose article lists the code is one unit with it, and weighs also where it does not list it. */
const withLcds = (
  candidates: ReadonlyArray<Candidate>,
  listing: ReadonlyArray<PolicyReading>
): ReadonlyArray<PolicyReading> =>
  candidates
    .filter(({ tier }) => tier === "local")
    .map(({ reading }) => reading)
    .filter((one) => listing.includes(one) || listing.some((other) => isUnit(one, other)))

const nationalsOf = (
  candidates: ReadonlyArray<Candidate>,
  code: string,
  locals: ReadonlyArray<PolicyReading>
): ReadonlyArray<National> =>
  candidates.flatMap(({ tier, reading }) => {
    const reach = tier === "national" ? reachOf(reading, code, locals) : undefined
    if (reach === undefined) return []
    const verdict = nationalVerdict(reading, code, reach)
    return [{ policy: reading.policy, isAbout: reach !== "related", verdict }]
  })

const decisionOf = (
  code: string,
  found: CodeVerdict & { readonly finding: CodeFinding | undefined; readonly gaps: ReadonlyArray<Gap> }
): CodeDecision => {
  const { finding, policies, verdict } = found
  const none =
    policies.length === 0
      ? [stepOf(null, { rule: "combine.no_policy", result: `No policy in force here decides ${code}.` })]
      : []
  return {
    code,
    status: verdict.status,
    diagnosisSupport: "unknown",
    conditions: [],
    confidence: isUnsure(finding) ? "low" : confidenceOf(verdict),
    requiresManualReview: verdict.review,
    reasons: [...new Set([...verdict.deciding, ...none].map((step) => step.result))],
    issues: unique([...verdict.issues, ...(finding?.issues ?? [])]),
    knownGaps: unique<string>([...verdict.gaps, ...found.gaps, ...(finding?.gaps ?? [])]),
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
