import { csvCell } from "../operation/csvCell.ts"
import type { PolicyListing, PolicyQuery } from "../port/Policies.ts"
import { policyItem } from "./policyView.ts"

const columns = [
  "policy_id",
  "title",
  "policy_type",
  "jurisdiction",
  "payer",
  "effective_date",
  "retire_date",
  "status",
  "document_version",
  "source_url",
  "source_shape",
  "source_shape_reason"
] as const

/**
 * The rows of a page of GET /policies as CSV (RFC 4180); a text adds how each was found (`match`), and
 * what is included adds its columns: `summary`;
 * `code_count` and `codes`, separated by spaces, each with its system and disposition; `criteria`, one
 * passage a line.
 */
export const policyCsv = (
  listings: ReadonlyArray<PolicyListing>,
  { include, text }: Pick<PolicyQuery, "include" | "text">
): string => {
  const extra = [
    ...(text === null ? [] : (["match"] as const)),
    ...(include.has("summary") ? (["summary"] as const) : []),
    ...(include.has("codes") ? (["code_count", "codes"] as const) : []),
    ...(include.has("criteria") ? (["criteria"] as const) : [])
  ]
  const names = [...columns, ...extra]
  const rows = listings.map((listing) => {
    const { codes = [], criteria = [], ...item } = policyItem(listing, include)
    const flat = {
      ...item,
      codes: codes.map((code) => `${code.code_system}:${code.code}:${code.disposition}`).join(" "),
      criteria: criteria.map(({ section, text }) => `${section}: ${text}`).join("\n")
    }
    return names.map((name) => csvCell(flat[name] ?? null)).join(",")
  })
  return [names.join(","), ...rows, ""].join("\r\n")
}
