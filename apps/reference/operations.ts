import { commonCodes } from "../../adapters/http/openapi/answers.ts"
import { bodyOf, parametersOf } from "../../adapters/http/openapi/inputs.ts"
import { idempotencyKey } from "../../adapters/http/openapi/words.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorAnchor } from "../../core/error/Refusal.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { dataOf } from "../../core/operation/descriptions/published.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { requirements } from "../../core/operation/scope.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import { code, page, table } from "./markdown.ts"
import { fieldRows, responseRows } from "./fields.ts"
import { shapeText } from "./shapeText.ts"

/**
 * Returns docs/reference/operations.md: every operation with its scope, pack and cost, the fields of its
 * request and its response, and its errors.
 */
export const operationsPage = (): string =>
  page("Operations", "core/operation/catalogue.ts", [
    `Paths begin with \`${surfacePrefix.live}\`, or with \`${surfacePrefix.sandbox}\` in the sandbox.` +
      " The cost is in request credits; a call uses the same number of units of the per-minute limit." +
      " Every success is `{success: true, data, meta}`; the tables list the fields of `data`. The same in machine" +
      " form, with an example of every response, is [openapi.json](./openapi.json). [Reading a coverage" +
      " answer](../reading-a-coverage-answer.md) explains the fields of a decision together.",
    table(["Operation", "What it does", "Scope", "Pack", "Cost"], operationIds.map(summary)),
    `Every operation that takes a key can return ${links([...commonCodes])}; its own list names the others.`,
    ...operationIds.map(section)
  ])

const summary = (id: OperationId): ReadonlyArray<string> => {
  const row = operationRow(id)
  return [
    `[${code(`${row.method} ${row.path}`)}](#${id.toLowerCase()})`,
    row.summary,
    scopeText(row),
    packText(row),
    String(row.credits)
  ]
}

const section = (id: OperationId): string => {
  const row = operationRow(id)
  const codes = refusalsOf(row).filter((name) => row.requirement === null || !commonCodes.has(name))
  const closed = row.closed === undefined ? [] : [`Unknown members are rejected at ${code(row.closed.at)}.`]
  return [
    `## ${id}`,
    `${code(`${row.method} ${surfacePrefix[row.onlyOn ?? "live"]}${row.path}`)}: ${row.summary}.`,
    `Scope: ${scopeText(row)}. Pack: ${packText(row)}. Cost: ${row.credits}.${notesOf(id)}`,
    ...requestOf(id),
    ...closed,
    ...responseOf(id),
    ...(codes.length === 0 ? [] : [`Errors: ${links(codes)}.`])
  ].join("\n\n")
}

const links = (codes: ReadonlyArray<ErrorCode>): string =>
  codes.map((name) => `[${code(name)}](./errors.md#${errorAnchor(name)})`).join(", ")

const notesOf = (id: OperationId): string => {
  const row = operationRow(id)
  const leaving =
    row.deprecated === undefined
      ? []
      : [` **Deprecated** since ${row.deprecated.since}: it answers until ${row.deprecated.sunset}.`]
  return leaving.join("")
}

/** The table of what an operation takes. */
const requestOf = (id: OperationId): ReadonlyArray<string> => {
  const parameters = [...parametersOf(id), ...idempotencyKey(id)].map((input) => [
    input.in,
    code(input.name),
    yesOrNo(input.required),
    shapeText(input.schema),
    input.description
  ])
  const members = fieldRows(bodyOf(id) ?? {}).map((field) => [
    "body",
    code(field.name),
    yesOrNo(field.isRequired),
    field.type,
    field.description
  ])
  const rows = [...parameters, ...members]
  return rows.length === 0 ? [] : ["Request:", table(["Where", "Name", "Required", "Type", "Meaning"], rows)]
}

/** The table of what an operation returns; one that returns the same as an earlier one refers to it. */
const responseOf = (id: OperationId): ReadonlyArray<string> => {
  const { success } = operationRow(id)
  const earlier = operationIds.find((other) => operationRow(other).success === success)
  if (earlier !== undefined && earlier !== id)
    return [`Response: the same \`data\` as [${earlier}](#${earlier.toLowerCase()}).`]
  const rows = responseRows(id)
  const each = dataOf(id)["type"] === "array" ? "Response, each item of `data`:" : "Response, `data`:"
  return rows.length === 0 ? [] : [each, table(["Name", "Always present", "Type", "Meaning"], rows)]
}

const yesOrNo = (is: boolean): string => (is ? "yes" : "no")

const scopeText = ({ requirement }: Operation): string =>
  requirement === null ? "none, no key" : requirements[requirement].map(code).join(" or ")

const packText = ({ feature }: Operation): string =>
  feature === null
    ? "any"
    : packNames
        .filter((name) => packs[name][feature])
        .map((name) => packs[name].title)
        .join(", ")
