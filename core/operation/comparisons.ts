import * as Schema from "effect/Schema"
import { codeSystems } from "../coverage/Code.ts"
import { dispositions, policyTypes } from "../coverage/Policy.ts"
import { reaches } from "../coverage/compare.ts"
import type { Operation } from "./Operation.ts"
import { codeOf, list, maybeText, placeText, texts } from "./field.ts"
import { MacView } from "./policies.ts"

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
}).annotate({ identifier: "ComparedPolicy" })

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
    }).annotate({ identifier: "JurisdictionComparison" })
  ),
  national_policies: Schema.Array(ComparedPolicy),
  summary: Schema.Struct({
    total_jurisdictions: Schema.Int,
    jurisdictions_with_coverage: Schema.Int,
    national_policies_count: Schema.Int,
    has_variation: Schema.Boolean,
    queried_codes: texts,
    requested_jurisdictions: Schema.NullOr(texts),
    unresolved_jurisdictions: texts,
    policy_type_filter: Schema.NullOr(Schema.Literals(policyTypes))
  })
}).annotate({ identifier: "PolicyComparison" })

export type ComparisonView = typeof ComparisonView.Type

/** The operation takes neither diagnoses nor modifiers. */
const procedureCode = codeOf({ kind: "procedure", takes: "each", procedures: "procedure_codes" })

export const comparisonRows = {
  comparePolicies: {
    method: "POST",
    path: "/policies/compare",
    summary: "Compare coverage of procedure codes across jurisdictions",
    requirement: "read",
    feature: null,
    credits: 8,
    body: Schema.Struct({
      procedure_codes: list(procedureCode, { min: 1, max: 10 }),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes)),
      jurisdictions: Schema.optionalKey(list(placeText, { min: 0, max: 10 }))
    }),
    example: { path: "/policies/compare", body: { procedure_codes: ["E0650"] } },
    success: ComparisonView,
    refusals: {},
    coverage: true
  }
} as const satisfies Record<string, Operation>
