/** The arguments and answers of the MCP tools, where they differ from those of the operations. */
export const toolDescriptions = {
  "policy_research.q":
    "Words to search for in titles, texts and criteria, 1 to 500 characters. Required unless a code " +
    "or `policy_id` is given.",
  "policy_research.policy_id":
    "The policy to read, such as `L33831`, `A52423` or `NCD 220.6`. The filters are then ignored.",
  include_codes:
    "With `policy_id`: also return the policy's code lists, which can have thousands of entries. " +
    "False if absent.",
  policies_cursor:
    "The cursor of the next page of `policies`, from `meta.parts.policies.pagination` of the " +
    "previous answer. Send the same arguments with it.",
  criteria_cursor:
    "The cursor of the next page of `criteria`, from `meta.parts.criteria.pagination` of the " +
    "previous answer. Send the same arguments with it.",
  "tools.limit": "Items on each page, 1 to 100. 10 if absent.",
  "compliance_review.cursor":
    "The cursor of the next page, from `meta.parts.unreviewed.pagination` of the previous answer. " +
    "Send the same arguments with it.",
  "directory_lookup.kind": "The list to read: `payers` or `jurisdictions`.",
  "directory_lookup.code":
    "One entry: a payer's code or name, or a jurisdiction such as `JH` or `DME JA`. If absent, all.",
  view: "`stats` returns counts; `list_unreviewed` returns the changes themselves, newest first.",
  "tools.trace":
    "`full` adds every step of the reasoning with the words it rests on. `none`, the default of the " +
    "tools, leaves the steps out.",
  "tools.data": "The data of each operation that the call ran. Absent when the call was rejected.",
  "tools.error": "The error of a rejected call. Absent when the call succeeded.",
  "tools.request_id":
    "The id of the rejected call. Absent when the call succeeded; `meta.request_id` is always " + "present.",
  credits: "The credits that the call used.",
  cost: "The credits that the call spent: the whole price of the tool, or 0.",
  remaining: "The credits that your organization has left. Null when they were not looked up.",
  parts:
    "Facts about the response of one operation, such as its `pagination`, by the name of the part in " +
    "`data`. Absent when there are none.",
  "tools.data.code": "The code, as GET /codes/lookup returns it.",
  "tools.data.policy": "The policy, as GET /policies/{id} returns it.",
  "tools.data.changes": "The policy's latest changes, as GET /policies/changes returns them.",
  "tools.data.policies": "The policies found, as GET /policies returns them.",
  "tools.data.criteria": "The passages found, as GET /coverage/criteria returns them.",
  "tools.data.prior_auth": "The check, as POST /prior-auth/check returns it.",
  "tools.data.claim": "The check, as POST /claims/validate returns it.",
  "tools.data.stats": "The counts, as GET /compliance/stats returns them.",
  "tools.data.unreviewed": "The changes, as GET /compliance/unreviewed returns them.",
  "tools.data.payers": "The payers, as GET /payers returns them.",
  "tools.data.payer": "The payer, as GET /payers/{code} returns it.",
  "tools.data.jurisdictions": "The jurisdictions, as GET /jurisdictions returns them.",
  "tools.data.jurisdiction": "The jurisdiction, as GET /jurisdictions/{code} returns it.",
  "tools.data.health": "The health of the service, as GET /health returns it."
} as const satisfies Readonly<Record<string, string>>
