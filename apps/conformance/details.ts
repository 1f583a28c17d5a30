import type { ErrorCode } from "../../core/error/table.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { requirements } from "../../core/operation/scope.ts"
import { kinds } from "../../core/phi/kinds.ts"
import { at, unless } from "./request.ts"
import type { CheckResponse } from "./request.ts"

/** As many findings as an answer lists (contract §1, PHI). */
const findingsMax = 20

/**
 * What no schema says of an error's details (contract §1): pointers that point, kinds that are of the table,
 * and figures that are the row's own and the headers'. `row` is the operation's, where one was asked.
 */
export const detailFaults = (
  code: ErrorCode,
  { headers, json }: CheckResponse,
  row: Operation | undefined
): ReadonlyArray<string> => {
  const details = at(json, "error", "details")
  const [fields, findings] = [at(details, "fields"), at(details, "findings")]
  const seconds = at(details, "retry_after_seconds")
  return [
    ...(Array.isArray(fields) ? fieldFaults(fields) : []),
    ...(Array.isArray(findings) ? findingFaults(findings) : []),
    ...unless(
      seconds === undefined || String(seconds) === headers.get("retry-after"),
      "retry_after_seconds is not Retry-After"
    ),
    ...(row === undefined ? [] : rowFaults(code, details, row))
  ]
}

/** RFC 6901, of a part of the request at least. */
const isPointer = (path: unknown): boolean => typeof path === "string" && /^(\/([^~/]|~[01])+)+$/u.test(path)

const fieldFaults = (fields: ReadonlyArray<unknown>): ReadonlyArray<string> => [
  ...unless(fields.length > 0, "details.fields is empty"),
  ...unless(
    fields.every((field) => isPointer(at(field, "path"))),
    "a path of details.fields is no JSON pointer"
  )
]

/** A finding has two members and no third: whatever else stood there might be what was found. */
const findingFaults = (findings: ReadonlyArray<unknown>): ReadonlyArray<string> => [
  ...unless(findings.length > 0 && findings.length <= findingsMax, `findings are not 1 to ${findingsMax}`),
  ...unless(
    findings.every((finding) => isPointer(at(finding, "path"))),
    "a path of findings is no JSON pointer"
  ),
  ...unless(
    findings.every((finding) => String(at(finding, "kind")) in kinds),
    "a kind of findings is unknown"
  ),
  ...unless(
    findings.every((finding) => Object.keys(Object(finding)).toSorted().join() === "kind,path"),
    "a finding tells more than its path and kind"
  )
]

const rowFaults = (code: ErrorCode, details: unknown, row: Operation): ReadonlyArray<string> => {
  if (code === "AUTHZ_SCOPE_REQUIRED" && row.requirement !== null) {
    const scopes = JSON.stringify(requirements[row.requirement])
    return unless(
      JSON.stringify(at(details, "required_scopes")) === scopes,
      `required_scopes is not ${scopes}`
    )
  }
  if (code !== "BILLING_CREDITS_EXHAUSTED") return []
  return unless(
    at(details, "requests_required") === row.credits,
    `requests_required is not ${row.credits}, the operation's cost`
  )
}
