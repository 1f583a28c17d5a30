import * as Schema from "effect/Schema"
import { codeSystems } from "../../coverage/Code.ts"
import { reaches } from "../../coverage/compare.ts"
import { dispositions, policyTypes } from "../../coverage/Policy.ts"
import { MacView } from "./Policy.ts"

const maybeText = Schema.NullOr(Schema.String)
const words = Schema.Array(Schema.String)

/** A policy that bears on the compared codes, and what it says of them (contract §2). */
const ComparedPolicy = Schema.Struct({
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  payer: Schema.String,
  jurisdiction: maybeText,
  effective_date: maybeText,
  source_url: maybeText,
  /** The most restrictive of its codes. */
  disposition: Schema.Literals(dispositions),
  /** Its own list, a related document's, or the service's curated list of NCDs. */
  reached_by: Schema.Literals(reaches),
  codes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      code_system: Schema.Literals(codeSystems),
      disposition: Schema.Literals(dispositions)
    })
  )
})
export type ComparedPolicyView = typeof ComparedPolicy.Type

/** POST /policies/compare (contract §2). */
export const ComparisonView = Schema.Struct({
  comparison: Schema.Array(
    Schema.Struct({
      jurisdiction: Schema.String,
      mac: Schema.NullOr(MacView),
      policies: Schema.Array(ComparedPolicy),
      /** How many of the queried codes come to what; most restrictive policy first. */
      coverage_summary: Schema.Struct({
        covered: Schema.Int,
        not_covered: Schema.Int,
        requires_pa: Schema.Int,
        conditional: Schema.Int
      })
    })
  ),
  national_policies: Schema.Array(ComparedPolicy),
  summary: Schema.Struct({
    total_jurisdictions: Schema.Int,
    jurisdictions_with_coverage: Schema.Int,
    national_policies_count: Schema.Int,
    has_variation: Schema.Boolean,
    queried_codes: words,
    requested_jurisdictions: Schema.NullOr(words),
    unresolved_jurisdictions: words,
    policy_type_filter: Schema.NullOr(Schema.Literals(policyTypes))
  })
})
export type ComparisonView = typeof ComparisonView.Type
