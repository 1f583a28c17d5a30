import * as Schema from "effect/Schema"
import { Criterion } from "../../coverage/Criterion.ts"
import { searchMatches } from "../../coverage/search.ts"
import { dispositions, policyStatuses, policyTypes, sourceShapes } from "../../coverage/Policy.ts"

const maybeText = Schema.NullOr(Schema.String)

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
})

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
})
export type PolicyItem = typeof PolicyItem.Type

const CriteriaItem = Schema.Struct({
  block_id: Schema.String,
  text: maybeText,
  logic_ast: Schema.NullOr(Criterion),
  tags: Schema.NullOr(Schema.Array(Schema.String)),
  requires_manual_review: Schema.Boolean,
  confidence_score: Schema.NullOr(Schema.Number)
})

const PolicyCodeItem = Schema.Struct({
  code: Schema.String,
  display: maybeText,
  disposition: Schema.Literals(dispositions),
  condition_reference: maybeText,
  notes: maybeText,
  source: Schema.Literals(["document", "inferred_title_match"])
})

/** The contractor of a jurisdiction, wherever an answer names one (contract §2). */
export const MacView = Schema.Struct({
  name: Schema.String,
  code: Schema.String,
  jurisdiction: Schema.String,
  jurisdiction_name: Schema.String,
  states: Schema.Array(Schema.String)
})
export type MacView = typeof MacView.Type

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
  related: Schema.Array(
    Schema.Struct({
      policy_id: Schema.String,
      policy_type: Schema.Literals(policyTypes),
      title: Schema.String
    })
  )
})
export type PolicyView = typeof PolicyView.Type
