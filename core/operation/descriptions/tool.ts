/** The arguments of the MCP tools, where they differ from those of the operations. */
export const toolDescriptions = {
  "policy_research.q":
    "Words to search for in titles, texts and criteria, 1 to 500 characters. Required unless a code " +
    "or `policy_id` is given.",
  "policy_research.policy_id":
    "The policy to read, such as `L33831`, `A52423` or `NCD 220.6`. The filters are then ignored.",
  "policy_research.section":
    "Only text of this section: `indications`, `limitations`, `documentation`, `frequency` or `other`.",
  include_codes:
    "With `policy_id`: also return the policy's code lists, 100 codes on each page. False if absent.",
  codes_page:
    "With `policy_id` and `include_codes`: the page of the code lists, from 1. Later pages leave the text out.",
  changes_cursor:
    "The cursor of the next page of `changes`, from `meta.parts.changes.pagination` of the previous answer.",
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
    "tools, leaves the steps out."
} as const satisfies Readonly<Record<string, string>>
