import { commonCodes } from "../../adapters/http/openapi/answers.ts"
import { bodyInputsOf, parametersOf } from "../../adapters/http/openapi/inputs.ts"
import type { Input } from "../../adapters/http/openapi/inputs.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorAnchor } from "../../core/error/Refusal.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { requirements } from "../../core/operation/scope.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import { code, page, table } from "./markdown.ts"
import { shapeText } from "./shapeText.ts"

/**
 * docs/reference/operations.md: every operation with its scope, pack and cost, what it takes and what it
 * refuses with.
 */
export const operationsPage = (): string =>
  page("Operations", "core/operation/catalogue.ts", [
    `Paths begin with \`${surfacePrefix.live}\`, or with \`${surfacePrefix.sandbox}\` in the sandbox.` +
      " The cost is in request credits, and a call uses as much of the per-minute limit." +
      " The shapes of the answers are in" +
      " [openapi.json](./openapi.json).",
    table(["Operation", "What it does", "Scope", "Pack", "Cost"], operationIds.map(summary)),
    `Every operation that takes a key may refuse with ${links([...commonCodes])}; its own list names the others.`,
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
  const inputs = [...parametersOf(row), ...bodyInputsOf(row)]
  const codes = refusalsOf(row).filter((name) => row.requirement === null || !commonCodes.has(name))
  const closed =
    row.closed === undefined ? [] : [`Members it does not know are refused at ${code(row.closed.at)}.`]
  return [
    `## ${id}`,
    `${code(`${row.method} ${surfacePrefix[row.onlyOn ?? "live"]}${row.path}`)}: ${row.summary}.`,
    `Scope: ${scopeText(row)}. Pack: ${packText(row)}. Cost: ${row.credits}.${notesOf(id)}`,
    ...(inputs.length === 0 ? [] : [table(["Where", "Name", "Required", "What"], inputs.map(inputCells))]),
    ...closed,
    ...(codes.length === 0 ? [] : [`Errors: ${links(codes)}.`])
  ].join("\n\n")
}

const links = (codes: ReadonlyArray<ErrorCode>): string =>
  codes.map((name) => `[${code(name)}](./errors.md#${errorAnchor(name)})`).join(", ")

const notesOf = (id: OperationId): string => {
  const row = operationRow(id)
  const repeats = refusalsOf(row).includes("REQUEST_IDEMPOTENCY_CONFLICT")
    ? [" Takes `X-Idempotency-Key`."]
    : []
  const leaving =
    row.deprecated === undefined
      ? []
      : [` **Deprecated** since ${row.deprecated.since}: it answers until ${row.deprecated.sunset}.`]
  return [...repeats, ...leaving].join("")
}

const inputCells = (input: Input): ReadonlyArray<string> => [
  input.in,
  code(input.name),
  input.required ? "yes" : "no",
  shapeText(input.schema)
]

const scopeText = ({ requirement }: Operation): string =>
  requirement === null ? "none, no key" : requirements[requirement].map(code).join(" or ")

const packText = ({ feature }: Operation): string =>
  feature === null
    ? "any"
    : packNames
        .filter((name) => packs[name][feature])
        .map((name) => packs[name].title)
        .join(", ")
