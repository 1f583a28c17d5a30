import * as Effect from "effect/Effect"
import { decideClaim } from "../coverage/claim/claim.ts"
import type { ClaimDecision, ClaimLine } from "../coverage/claim/claim.ts"
import { canonicalCode } from "../coverage/codeText.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { contractorFor } from "../coverage/contractor.ts"
import { decide } from "../coverage/decide/decide.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { ClaimView } from "../operation/claims.ts"
import { ClaimEdits } from "../port/ClaimEdits.ts"
import { makeCoverageQuery } from "./coverageQuery.ts"
import type { CoverageQuestion } from "./coverageQuery.ts"
import { conditionView, macView, matchedView, sourceView, traceViews } from "./decisionView.ts"
import { fitAnswer } from "./fitAnswer.ts"
import type { CallContext, Handler, InputOf } from "./Handler.ts"

/** POST /claims/validate and its alias POST /claim-validation (contract §2). */
export const makeClaimHandlers = Effect.gen(function* () {
  const edits = yield* ClaimEdits
  const ask = yield* makeCoverageQuery

  const validate = (body: Body, context: CallContext) =>
    Effect.gen(function* () {
      const question = yield* ask(body, context)
      if (isRefusal(question)) return question
      const { facts, query } = question
      const found = yield* edits.among({ codes: query.procedureCodes, date: query.dateOfService })
      const claim = decideClaim({
        query,
        facts,
        decision: decide(facts, query),
        pairs: found.pairs,
        unitEdits: found.units,
        units: unitsOf(body)
      })
      return { _tag: "Data" as const, ...fitAnswer(claimView(body, question, claim)) }
    })

  const validateClaim: Handler<"validateClaim"> = ({ body }, context) => validate(body, context)
  const validateClaimTwin: Handler<"validateClaimTwin"> = ({ body }, context) => validate(body, context)

  return { validateClaim, validateClaimTwin } as const
})

type Body = InputOf<"validateClaim">["body"]

/** Two writings of one code are one code: its units add up. */
const unitsOf = ({ units }: Body): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>()
  for (const [code, count] of Object.entries(units ?? {})) {
    const canonical = canonicalCode(code)
    counted.set(canonical, (counted.get(canonical) ?? 0) + count)
  }
  return counted
}

const claimView = (body: Body, question: CoverageQuestion, claim: ClaimDecision): ClaimView => {
  const { jurisdictions, payerKnown, query } = question
  const gaps = [...new Set([...claim.knownGaps, ...(payerKnown ? [] : ["payer"])])].toSorted()
  return {
    summary: claim.summary,
    ...echoOf(body),
    overall_risk: claim.denialRisk,
    ...findingView(claim),
    conditions: claim.conditions.map(conditionView),
    policy_sources: claim.policies.map(sourceView),
    known_gaps: gaps,
    notes: claim.notes,
    matched_policies: claim.policies.map((policy) => matchedView(policy, question)),
    codes: claim.lines.map(lineView),
    effective_date: claim.effectiveDate,
    last_verified_at: claim.lastVerifiedAt,
    mac: macView(contractorFor(query, claim.policies, jurisdictions)),
    trace: traceViews(claim.trace, body.trace)
  }
}

/** The request's own words again; null where it said nothing. */
const echoOf = (body: Body) => ({
  procedure_codes: body.procedure_codes,
  payer: body.payer ?? null,
  line_of_business: body.line_of_business ?? null,
  provider_specialty: body.provider_specialty ?? null,
  plan_type: body.plan_type ?? null,
  diagnosis_codes: body.diagnosis_codes ?? null,
  modifiers: body.modifiers ?? null,
  state: body.state ?? null,
  date_of_service: body.date_of_service ?? null,
  site_of_service: body.site_of_service ?? null,
  age_category: body.age_category ?? null,
  sex_when_policy_relevant: body.sex_when_policy_relevant ?? null,
  units: body.units ?? null,
  attested_conditions: body.attested_conditions ?? null
})

const lineView = (line: ClaimLine): ClaimView["codes"][number] => ({
  code: line.code,
  code_type: line.codeType,
  description: line.description,
  ...findingView(line),
  conditions: line.conditions.map(({ conditionId }) => ({ condition_id: conditionId })),
  policy_sources: line.policies.map(sourceIds),
  policy_count: line.policies.length
})

const sourceIds = (policy: PolicyVersion) => {
  const { policy_id, source_id } = sourceView(policy)
  return { policy_id, source_id }
}

const findingView = (finding: ClaimDecision | ClaimLine) => ({
  coverage_status: finding.status,
  diagnosis_support: finding.diagnosisSupport,
  prior_auth_required: finding.priorAuthRequired,
  denial_risk: finding.denialRisk,
  confidence: finding.confidence,
  documentation_requirements: finding.documentation,
  requires_manual_review: finding.requiresManualReview,
  known_gaps: finding.knownGaps,
  issues: finding.issues
})
