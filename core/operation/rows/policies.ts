import * as Schema from "effect/Schema"
import { policyTypes } from "../../coverage/Policy.ts"
import { changeTypes } from "../../coverage/revise.ts"
import { codeText, isoDate, isoTimeOrDate, list, pageFields, text } from "../field.ts"
import { includeList } from "../includes.ts"
import type { Operation } from "../Operation.ts"
import { ChangeItem } from "../wire/Change.ts"
import { ComparisonView } from "../wire/Comparison.ts"
import { PolicyItem, PolicyView } from "../wire/Policy.ts"

const place = text({ min: 1, max: 50 })
const policyId = text({ min: 1, max: 100 }, "id")

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
      jurisdiction: Schema.optionalKey(place),
      payer: Schema.optionalKey(text({ min: 1, max: 100 })),
      icd10: Schema.optionalKey(codeText),
      procedure_code: Schema.optionalKey(codeText),
      status: Schema.optionalKey(Schema.Literals(["active", "retired", "all"])),
      as_of: Schema.optionalKey(isoDate),
      include: Schema.optionalKey(includeList(["summary", "criteria", "codes"])),
      format: Schema.optionalKey(Schema.Literals(["json", "csv"]))
    }),
    success: Schema.Array(PolicyItem),
    refusals: ["RESOURCE_JURISDICTION_NOT_FOUND", "RESOURCE_PAYER_NOT_FOUND", "SERVER_SEARCH_UNAVAILABLE"],
    paged: true,
    coverage: true
  },
  listPolicyChanges: {
    method: "GET",
    path: "/policies/changes",
    summary: "List what changed in policies, newest first",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      ...pageFields,
      since: Schema.optionalKey(isoTimeOrDate),
      policy_id: Schema.optionalKey(policyId),
      change_type: Schema.optionalKey(Schema.Literals(changeTypes)),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes))
    }),
    success: Schema.Array(ChangeItem),
    refusals: [],
    paged: true,
    coverage: true
  },
  getPolicy: {
    method: "GET",
    path: "/policies/{id}",
    summary: "Read one policy",
    requirement: "read",
    feature: null,
    credits: 1,
    params: Schema.Struct({ id: policyId }),
    query: Schema.Struct({
      include: Schema.optionalKey(includeList(["criteria", "codes", "versions"])),
      as_of: Schema.optionalKey(isoDate)
    }),
    success: PolicyView,
    refusals: ["RESOURCE_POLICY_NOT_FOUND"],
    etag: true,
    coverage: true
  },
  comparePolicies: {
    method: "POST",
    path: "/policies/compare",
    summary: "Compare what jurisdictions say of procedure codes",
    requirement: "read",
    feature: null,
    credits: 8,
    body: Schema.Struct({
      procedure_codes: list(codeText, { min: 1, max: 10 }),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes)),
      jurisdictions: Schema.optionalKey(list(place, { min: 0, max: 10 }))
    }),
    success: ComparisonView,
    refusals: [],
    coverage: true
  }
} as const satisfies Record<string, Operation>
