import type { ErrorRow } from "./ErrorRow.ts"
import type { ErrorCode } from "./table.ts"
import { errors } from "./table.ts"

type DetailsOf<Code extends ErrorCode> = (typeof errors)[Code] extends {
  readonly details: { readonly Type: infer Details }
}
  ? Details
  : never

/**
 * A refusal as plain data: expected, so a value and not an exception (architecture, "Kernel, ports,
 * adapters").
 */
export interface Refusal<Code extends ErrorCode = ErrorCode> {
  readonly _tag: "Refusal"
  readonly code: Code
  readonly details: object | undefined
  /** Takes the place of the row's hint where the case can say more. */
  readonly hint: string | undefined
  /** Takes the place of the row's message: a fault of a field is told by its name. */
  readonly message?: string
}

/**
 * A code whose row declares details cannot be refused without them: `refused("RATE_LIMIT_EXCEEDED")` does not
 * compile.
 */
export const refused = <Code extends ErrorCode>(
  code: Code,
  ...[details, hint]: [DetailsOf<Code>] extends [never]
    ? [details?: undefined, hint?: string]
    : [details: DetailsOf<Code>, hint?: string]
): Refusal<Code> => ({ _tag: "Refusal", code, details: details as object | undefined, hint })

/** Whether what a step gave back is a refusal. */
export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Refusal"

/** The row of a code under its general type. */
export const errorRow = (code: ErrorCode): ErrorRow => errors[code]

/** `{base_url}/docs/errors#<code in lower case with hyphens>` (§7.1). */
export const docUrl = (baseUrl: string, code: ErrorCode): string =>
  `${baseUrl}/docs/errors#${errorAnchor(code)}`

export const errorAnchor = (code: ErrorCode): string => code.toLowerCase().replaceAll("_", "-")
