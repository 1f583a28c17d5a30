import { commonCodes } from "../../adapters/http/openapi/answers.ts"
import { jsonSchemaOf } from "../../core/operation/jsonSchema.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { code, page, table } from "./markdown.ts"
import { shapeText } from "./shapeText.ts"

/** docs/reference/errors.md: every code with the anchor that its docUrl names (§7.1). */
export const errorsPage = (): string =>
  page("Errors", "core/error/table.ts", [
    "Every error has `success: false`, an `error` and a `meta`. Branch on `error.code`. Retry only" +
      " when `error.retryable` is true: after a 429 wait `Retry-After` seconds, otherwise" +
      " 1, 2 and 4 seconds; then give up.",
    "The message of a `VALIDATION_` error names the first faulty field and what it takes, and counts the" +
      " rest; `details.fields` says so of each, with `allowed` where only some words may stand.",
    table(
      ["Code", "Status", "Retryable"],
      errorCodes.map((name) => [
        `[${code(name)}](#${errorAnchor(name)})`,
        String(errorRow(name).status),
        yesOrNo(errorRow(name).retryable)
      ])
    ),
    ...errorCodes.map(section)
  ])

const section = (name: ErrorCode): string => {
  const row = errorRow(name)
  const details = row.details === undefined ? [] : [`\`details\`: ${shapeText(jsonSchemaOf(row.details))}.`]
  return [
    `<a id="${errorAnchor(name)}"></a>`,
    `## ${name}`,
    `${row.status}, ${row.retryable ? "retryable" : "not retryable"}. ${row.message}`,
    `*${row.hint.replace("{support}", "SUPPORT_URL")}*`,
    ...details,
    saidBy(name)
  ].join("\n\n")
}

/** A code of every keyed operation needs no list. */
const saidBy = (name: ErrorCode): string => {
  const sayers = operationIds.filter((id) => refusalsOf(operationRow(id)).includes(name))
  if (sayers.length === 0) return "Said by no operation of the catalogue so far."
  if (commonCodes.has(name)) return "Said by every operation that takes a key."
  const links = sayers.map((id) => `[${code(id)}](./operations.md#${id.toLowerCase()})`)
  return `Said by ${links.join(", ")}.`
}

const yesOrNo = (is: boolean): string => (is ? "yes" : "no")
