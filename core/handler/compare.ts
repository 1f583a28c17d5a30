import * as Effect from "effect/Effect"
import { canonicalCode, displayCode } from "../coverage/codeText.ts"
import { compareCoverage } from "../coverage/compare.ts"
import type { ComparedPlace, ComparedPolicy, Comparison, ComparisonQuery } from "../coverage/compare.ts"
import { jurisdictionsOf } from "../coverage/view.ts"
import type { ComparedPolicyView, ComparisonView } from "../operation/comparisons.ts"
import { Payers } from "../port/Payers.ts"
import { NcdCodes } from "../port/NcdCodes.ts"
import { Policies } from "../port/Policies.ts"
import { macView } from "./decisionView.ts"
import type { Handler } from "./Handler.ts"

/** POST /policies/compare (contract §2): what is in force today, place by place. */
export const makeCompareHandlers = Effect.gen(function* () {
  const policies = yield* Policies
  const jurisdictions = yield* Payers
  const ncdCodes = yield* NcdCodes

  const comparePolicies: Handler<"comparePolicies"> = ({ body }, { today }) =>
    Effect.gen(function* () {
      const asked = body.jurisdictions ?? []
      const query: ComparisonQuery = {
        procedureCodes: [...new Set(body.procedure_codes.map(canonicalCode))],
        policyType: body.policy_type ?? null,
        jurisdictions: asked.length === 0 ? null : asked
      }
      const codes = query.procedureCodes
      const facts = yield* Effect.all(
        {
          policies: policies.candidates({ codes, asOf: today }),
          ncdCodes: ncdCodes.among({ codes }),
          jurisdictions: jurisdictions.jurisdictions
        },
        { concurrency: 3 }
      )
      return { _tag: "Data", data: comparisonView(query, compareCoverage(facts, query)) }
    })

  return { comparePolicies } as const
})

const comparisonView = (query: ComparisonQuery, found: Comparison): ComparisonView => ({
  comparison: found.places.map(placeView),
  national_policies: found.national.map(comparedView),
  summary: {
    total_jurisdictions: found.places.length,
    jurisdictions_with_coverage: found.places.filter((one) => one.policies.length > 0).length,
    national_policies_count: found.national.length,
    has_variation: found.hasVariation,
    queried_codes: query.procedureCodes,
    requested_jurisdictions: found.requested,
    unresolved_jurisdictions: found.unresolved,
    policy_type_filter: query.policyType
  }
})

const placeView = (place: ComparedPlace): ComparisonView["comparison"][number] => ({
  jurisdiction: place.jurisdiction,
  mac: macView(place.contractor),
  policies: place.policies.map(comparedView),
  coverage_summary: place.summary
})

const comparedView = ({ codes, disposition, reachedBy, version }: ComparedPolicy): ComparedPolicyView => {
  const jurisdictions = jurisdictionsOf(version)
  return {
    policy_id: version.policy.policyId,
    title: version.title,
    policy_type: version.policy.policyType,
    payer: version.policy.payerCode,
    jurisdiction: jurisdictions.length === 0 ? null : jurisdictions.join(", "),
    effective_date: version.effectiveDate,
    source_url: version.sourceUrl,
    disposition,
    reached_by: reachedBy,
    codes: codes.map((code) => ({
      code: displayCode(code),
      code_system: code.codeSystem,
      disposition: code.disposition
    }))
  }
}
