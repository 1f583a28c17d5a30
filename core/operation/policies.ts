import * as Schema from "effect/Schema"
import { Criterion } from "../coverage/Criterion.ts"
import { dispositions, policyStatuses, policyTypes, sourceShapes } from "../coverage/Policy.ts"
import { searchMatches } from "../coverage/search.ts"
import type { Operation } from "./Operation.ts"
import { maybeText, codeOf, isoDate, pageFields, text, placeText, policyId } from "./field.ts"
import { includeList } from "./includes.ts"

const listFields = {
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  jurisdiction: maybeText,
  effective_date: maybeText,
  retire_date: maybeText,
  status: Schema.Literals(policyStatuses),
  /** The source's own version, such as an LCD's 52. */
  document_version: maybeText,
  /** The page of that version. */
  source_url: maybeText,
  source_shape: Schema.Literals(sourceShapes),
  source_shape_reason: Schema.String
}

const CodeItem = Schema.Struct({
  code: Schema.String,
  code_system: Schema.String,
  disposition: Schema.Literals(dispositions),
  source: Schema.Literals(["document", "inferred_title_match"])
}).annotate({ identifier: "ListedCode" })

/** One row of GET /policies (contract §2). */
export const PolicyItem = Schema.Struct({
  ...listFields,
  payer: Schema.optionalKey(maybeText),
  /** How it was found, where a text was searched for. */
  match: Schema.optionalKey(Schema.Literals(searchMatches)),
  summary: Schema.optionalKey(maybeText),
  codes: Schema.optionalKey(Schema.Array(CodeItem)),
  code_count: Schema.optionalKey(Schema.Int),
  criteria: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        section: Schema.String,
        text: Schema.String,
        tags: Schema.NullOr(Schema.Array(Schema.String))
      })
    )
  )
}).annotate({ identifier: "PolicySummary" })

export type PolicyItem = typeof PolicyItem.Type

const CriteriaItem = Schema.Struct({
  block_id: Schema.String,
  text: maybeText,
  logic_ast: Schema.NullOr(Criterion),
  tags: Schema.NullOr(Schema.Array(Schema.String)),
  requires_manual_review: Schema.Boolean,
  confidence_score: Schema.NullOr(Schema.Number)
}).annotate({ identifier: "PolicyCriterion" })

const PolicyCodeItem = Schema.Struct({
  code: Schema.String,
  display: maybeText,
  disposition: Schema.Literals(dispositions),
  condition_reference: maybeText,
  notes: maybeText,
  source: Schema.Literals(["document", "inferred_title_match"])
}).annotate({ identifier: "PolicyCode" })

/** The contractor of a jurisdiction, wherever an answer names one (contract §2). */
export const MacView = Schema.Struct({
  name: Schema.String,
  code: Schema.String,
  jurisdiction: Schema.String,
  jurisdiction_name: Schema.String,
  states: Schema.Array(Schema.String)
}).annotate({ identifier: "MedicareContractor" })

export type MacView = typeof MacView.Type

/** A policy by its id, where a response only names it. */
export const PolicyReference = Schema.Struct({
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes)
}).annotate({ identifier: "PolicyReference" })

/** GET /policies/{id} (contract §2). */
export const PolicyView = Schema.Struct({
  ...listFields,
  last_reviewed_date: maybeText,
  version: Schema.Int,
  description: maybeText,
  keywords: Schema.NullOr(Schema.Array(Schema.String)),
  created_at: Schema.String,
  updated_at: Schema.String,
  sections: Schema.Struct({ indications: maybeText, limitations: maybeText, documentation: maybeText }),
  /** The first of `macs`. */
  mac: Schema.NullOr(MacView),
  macs: Schema.Array(MacView),
  payer: Schema.NullOr(Schema.Struct({ code: Schema.String, name: Schema.String, type: Schema.String })),
  summary: maybeText,
  criteria: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(CriteriaItem))),
  criteria_count: Schema.Int,
  codes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(PolicyCodeItem))),
  code_count: Schema.Int,
  versions: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        old_version: Schema.NullOr(Schema.Int),
        new_version: Schema.Int,
        change_type: Schema.String,
        change_summary: Schema.String,
        changed_fields: Schema.Array(Schema.String),
        timestamp: Schema.String
      })
    )
  ),
  related: Schema.Array(PolicyReference)
}).annotate({ identifier: "Policy" })

export type PolicyView = typeof PolicyView.Type

/** No filter takes modifiers. */
const codeFilters = { procedures: "procedure_code", diagnoses: "icd10" }

export const policyRows = {
  listPolicies: {
    method: "GET",
    path: "/policies",
    summary: "Search and list policies",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      ...pageFields,
      q: Schema.optionalKey(text({ min: 0, max: 500 })),
      mode: Schema.optionalKey(Schema.Literals(["keyword", "semantic"])),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes)),
      jurisdiction: Schema.optionalKey(placeText),
      payer: Schema.optionalKey(text({ min: 1, max: 100 })),
      icd10: Schema.optionalKey(
        codeOf({ ...codeFilters, kind: "diagnosis", takes: "one", categories: true })
      ),
      procedure_code: Schema.optionalKey(codeOf({ ...codeFilters, kind: "procedure", takes: "one" })),
      status: Schema.optionalKey(Schema.Literals(["active", "retired", "all"])),
      as_of: Schema.optionalKey(isoDate),
      include: Schema.optionalKey(includeList(["summary", "criteria", "codes"])),
      format: Schema.optionalKey(Schema.Literals(["json", "csv"]))
    }),
    example: { path: "/policies?q=epidural&limit=2" },
    success: Schema.Array(PolicyItem),
    refusals: {
      RESOURCE_JURISDICTION_NOT_FOUND: { path: "/policies?jurisdiction=JZ" },
      RESOURCE_PAYER_NOT_FOUND: { path: "/policies?payer=nobody" },
      SERVER_SEARCH_UNAVAILABLE: null
    },
    paged: true,
    coverage: true
  },
  getPolicy: {
    method: "GET",
    path: "/policies/{id}",
    summary: "Get a policy",
    requirement: "read",
    feature: null,
    credits: 1,
    params: Schema.Struct({ id: policyId }),
    query: Schema.Struct({
      include: Schema.optionalKey(includeList(["criteria", "codes", "versions"])),
      as_of: Schema.optionalKey(isoDate)
    }),
    example: { path: "/policies/L90001?include=codes,criteria" },
    success: PolicyView,
    refusals: { RESOURCE_POLICY_NOT_FOUND: { path: "/policies/L99999" } },
    etag: true,
    coverage: true
  }
} as const satisfies Record<string, Operation>
