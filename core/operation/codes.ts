import * as Schema from "effect/Schema"
import { codeSystems } from "../coverage/Code.ts"
import { dispositions, policyTypes } from "../coverage/Policy.ts"
import { Suggestion } from "../error/details.ts"
import type { Operation } from "./Operation.ts"
import { maybeText, codeText, isoDate, list, booleanText, text } from "./field.ts"
import { includeList, includeWords } from "./includes.ts"

/** A policy that lists the code (contract §2, GET /codes/lookup, include=policies). */
export const CodePolicyView = Schema.Struct({
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  disposition: Schema.Literals(dispositions),
  source: Schema.Literals(["document", "inferred_title_match"]),
  jurisdiction: maybeText,
  effective_date: maybeText,
  source_url: maybeText
}).annotate({ identifier: "CodePolicy" })

export type CodePolicyView = typeof CodePolicyView.Type

const maybeValue = Schema.NullOr(Schema.Number)

/** The Medicare physician fee schedule's values of the whole service, in relative value units. */
const RvuView = Schema.Struct({
  work_rvu: maybeValue,
  non_facility_pe_rvu: maybeValue,
  facility_pe_rvu: maybeValue,
  mp_rvu: maybeValue,
  non_facility_total: maybeValue,
  facility_total: maybeValue,
  status_code: Schema.String,
  global_days: maybeText,
  conversion_factor: maybeValue,
  source: Schema.String,
  edition: Schema.String
}).annotate({ identifier: "RelativeValueUnits" })

export const CodeView = Schema.Struct({
  code: Schema.String,
  code_system: Schema.Literals([...codeSystems, "UNKNOWN"]),
  found: Schema.Boolean,
  description: maybeText,
  short_description: maybeText,
  category: maybeText,
  betos_code: maybeText,
  poa_exempt: Schema.NullOr(Schema.Boolean),
  is_active: Schema.NullOr(Schema.Boolean),
  /** Whether an ICD-10-CM code may be submitted; false for a header, null for other code systems. */
  billable: Schema.NullOr(Schema.Boolean),
  /** Of a header: the codes directly below it, at most 50. */
  children: Schema.optionalKey(Schema.Array(Schema.Struct({ code: Schema.String, description: maybeText }))),
  effective_date: maybeText,
  termination_date: maybeText,
  /**
   * The table that answered, such as `2026` or `FY2026`; for a code that was not found, the table at hand of
   * its code system; null if only a policy names the code.
   */
  edition: maybeText,
  /** With include=rvu; null where no fee schedule values the code. */
  rvu: Schema.optionalKey(Schema.NullOr(RvuView)),
  policies: Schema.optionalKey(Schema.Array(CodePolicyView)),
  suggestions: Schema.optionalKey(Schema.Array(Suggestion))
}).annotate({ identifier: "MedicalCode" })

export type CodeView = typeof CodeView.Type

export const CodeBatchView = Schema.Struct({ results: Schema.Record(Schema.String, CodeView) }).annotate({
  identifier: "CodeBatch"
})

const includes = ["rvu", "policies"] as const

export const codeRows = {
  lookupCode: {
    method: "GET",
    path: "/codes/lookup",
    summary: "Look up a medical code",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      code: codeText,
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      jurisdiction: Schema.optionalKey(text({ min: 1, max: 50 })),
      include: Schema.optionalKey(includeList(includes)),
      fuzzy: Schema.optionalKey(booleanText),
      as_of: Schema.optionalKey(isoDate)
    }),
    example: { path: "/codes/lookup?code=E0650&include=policies" },
    success: CodeView,
    refusals: {
      RESOURCE_CODE_NOT_FOUND: { path: "/codes/lookup?code=ZZZZZ" },
      RESOURCE_JURISDICTION_NOT_FOUND: { path: "/codes/lookup?code=E0650&jurisdiction=JZ" }
    },
    etag: true,
    coverage: true
  },
  batchCodes: {
    method: "POST",
    path: "/codes/batch",
    summary: "Look up several medical codes",
    requirement: "read",
    feature: null,
    credits: 4,
    body: Schema.Struct({
      codes: list(codeText, { min: 1, max: 50 }),
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      include: Schema.optionalKey(includeWords(includes))
    }),
    example: { path: "/codes/batch", body: { codes: ["E0650", "E0652"] } },
    success: CodeBatchView,
    refusals: {},
    coverage: true
  }
} as const satisfies Record<string, Operation>
