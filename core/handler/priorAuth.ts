import * as Effect from "effect/Effect"
import { contractorFor } from "../coverage/contractor.ts"
import { decide } from "../coverage/decide/decide.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { checkPriorAuth as check } from "../coverage/priorAuth/check.ts"
import type { PriorAuthCheck } from "../coverage/priorAuth/check.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { PriorAuthView } from "../operation/priorAuth.ts"
import { makeCoverageQuery } from "./coverageQuery.ts"
import type { CoverageQuestion } from "./coverageQuery.ts"
import { conditionView, macView, matchedView, sourceView, traceViews } from "./decisionView.ts"
import { fitAnswer } from "./fitAnswer.ts"
import type { Handler } from "./Handler.ts"

/** Passages of criteria on a page where the request does not say. */
const criteriaPerPage = 25

/** POST /prior-auth/check (contract §2). */
export const makePriorAuthHandler = Effect.gen(function* () {
  const ask = yield* makeCoverageQuery

  const checkPriorAuth: Handler<"checkPriorAuth"> = ({ body }, context) =>
    Effect.gen(function* () {
      const question = yield* ask(body, context)
      if (isRefusal(question)) return question
      const found = check(question.query, question.facts, decide(question.facts, question.query))
      const page = { page: body.criteria_page ?? 1, perPage: body.criteria_per_page ?? criteriaPerPage }
      return { _tag: "Data", ...fitAnswer(priorAuthView(question, found, { ...page, trace: body.trace })) }
    })

  return { checkPriorAuth } as const
})

interface Page {
  readonly page: number
  readonly perPage: number
}

interface Wanted extends Page {
  readonly trace: "full" | "none" | undefined
}

const priorAuthView = (question: CoverageQuestion, found: PriorAuthCheck, page: Wanted): PriorAuthView => {
  const { jurisdictions, payerKnown, query } = question
  const sources = found.policies.map(sourceView)
  const shared = {
    coverage_status: found.status,
    confidence: found.confidence,
    denial_risk: found.denialRisk,
    policy_sources: sources,
    documentation_requirements: found.documentation,
    effective_date: found.effectiveDate,
    requires_manual_review: found.requiresManualReview,
    known_gaps: [...new Set([...found.knownGaps, ...(payerKnown ? [] : ["payer"])])].toSorted()
  }
  // The older members are booleans: what cannot be told is false there, and null in the decision.
  const required = found.required === true
  return {
    summary: found.summary,
    pa_required: required,
    prior_auth_required: required,
    ...shared,
    reason: found.reason,
    matched_policies: found.policies.map((policy) => matchedView(policy, question)),
    documentation_checklist: found.checklist,
    diagnosis_support: found.diagnosisSupport,
    conditions: found.conditions.map(conditionView),
    programs_checked: found.programsChecked.map(({ listAsOf, program, sourceUrl }) => ({
      program,
      list_as_of: listAsOf,
      source_url: sourceUrl
    })),
    coverage_decision: { ...shared, prior_auth_required: found.required },
    criteria_details: criteriaView(found.policies, page),
    mac: macView(contractorFor(query, found.policies, jurisdictions)),
    trace: traceViews(found.trace, page.trace)
  }
}

/** One page over all indications and then all limitations, in the order of the policies. */
const criteriaView = (
  policies: ReadonlyArray<PolicyVersion>,
  { page, perPage }: Page
): PriorAuthView["criteria_details"] => {
  const all = (["indications", "limitations"] as const).flatMap((section) =>
    policies.flatMap((policy) =>
      policy.criteria
        .filter((block) => block.section === section)
        .map((block) => ({ section, block, policyId: policy.policy.policyId }))
    )
  )
  const shown = all.slice((page - 1) * perPage, page * perPage)
  const of = (section: "indications" | "limitations") =>
    shown
      .filter((one) => one.section === section)
      .map(({ block, policyId }) => ({ text: block.text, tags: block.tags, policy_id: policyId }))
  return {
    indications: of("indications"),
    limitations: of("limitations"),
    pagination: {
      page,
      per_page: perPage,
      total: all.length,
      total_indications: all.filter((one) => one.section === "indications").length,
      total_limitations: all.filter((one) => one.section === "limitations").length
    }
  }
}
