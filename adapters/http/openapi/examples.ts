import type { ErrorCode } from "../../../core/error/table.ts"
import { errorCodes } from "../../../core/error/table.ts"
import { errorRow } from "../../../core/error/Refusal.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { examples } from "../../../core/sandbox/examples.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

/** What the sandbox answers: to the example of each operation, and to a call that provokes each error. */
export interface SandboxAnswers {
  readonly operations: Readonly<Partial<Record<OperationId, unknown>>>
  readonly errors: Readonly<Record<ErrorCode, unknown>>
}

/** What addresses in the answers begin with, as they are kept; whoever shows them puts its own in place. */
export const standInBaseUrl = "https://api.example.com"

/** The answers as a service at this address gives them. */
export const answersAt = (baseUrl: string, answers: SandboxAnswers): SandboxAnswers =>
  JSON.parse(JSON.stringify(answers).replaceAll(standInBaseUrl, baseUrl)) as SandboxAnswers

/** Each error as it was answered, for the responses to refer to. */
export const errorExamples = ({ errors }: SandboxAnswers): JsonSchema =>
  Object.fromEntries(
    errorCodes.map((code) => [code, { summary: errorRow(code).message, value: errors[code] }])
  )

export const errorExampleRefs = (codes: ReadonlyArray<ErrorCode>): JsonSchema =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))

/** The body of an operation's example request. */
export const bodyExample = (id: OperationId): JsonSchema => {
  const body = examples[id].body
  return body === undefined ? {} : { example: JSON.parse(body) }
}

/** What a parameter is in the example request; what stands for an id of the reader's own is left out. */
export const parameterExample = (
  id: OperationId,
  path: string,
  parameter: { readonly in: string; readonly name: string; readonly schema: JsonSchema }
): JsonSchema => {
  const value = valuesOf(examples[id].path, path)[parameter.in]?.get(parameter.name)
  if (value === undefined || value.startsWith("$")) return {}
  return { example: parameter.schema["type"] === "integer" ? Number(value) : value }
}

const valuesOf = (address: string, path: string): Readonly<Record<string, Map<string, string>>> => {
  const [steps = "", query = ""] = address.split("?")
  const given = steps.split("/").slice(-path.split("/").length)
  const named = path.split("/").flatMap((step, index): ReadonlyArray<[string, string]> => {
    const value = given[index]
    return step.startsWith("{") && value !== undefined ? [[step.slice(1, -1), value]] : []
  })
  return { path: new Map(named), query: new Map(new URLSearchParams(query)) }
}
