import { gates } from "../admission/gates.ts"
import type { InjectedFault } from "../admission/gates.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { errorCodes } from "../error/table.ts"
import type { ErrorCode } from "../error/table.ts"
import type { CallRow } from "../operation/Operation.ts"
import { requirements } from "../operation/scope.ts"
import { fieldFault, refusedFields, pointerStep } from "../error/fieldFaults.ts"
import { isInjectedLimit, injectedLimit } from "./injectedLimit.ts"

/** A value that is this and an error's code provokes the error, wherever in a sandbox request it stands. */
export const reservedPrefix = "provoke:"

/** What of a request may hold a provoking value; `body` as it came. */
export interface ReservedInput {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body: string
}

/**
 * The error that a sandbox request asks for (contract §3), and the step at which it is to answer: every check
 * before that step still goes first. The path is looked at first, then the query, then the body, whose texts
 * count at any depth and beside the schema. A value that only contains the words provokes nothing.
 */
export const injectedFault = (spoken: ReservedInput, call: InjectableCall): InjectedFault | undefined => {
  const found =
    reservedInputOf("/path", spoken.params) ??
    reservedInputOf("/query", spoken.query) ??
    writtenIn(spoken.body)
  if (found === undefined) return undefined
  const { at, code } = found
  const [step, remaining] = [stepOf(code), remainingOf(code)]
  return isInjectedLimit(code)
    ? { step, remaining, ...injectedLimit(code, call.nowMs) }
    : { step, remaining, refusal: refusalOf(code, { ...call, at }), limit: undefined }
}

/** The call whose refusal is injected: its row, and its instant in Unix ms. */
export interface InjectableCall {
  readonly row: CallRow
  readonly nowMs: number
}

/**
 * Whether a request must be refused by what it says before its schema is looked at: a provoking value stands
 * where the schema wants another, so the schema is not asked.
 */
export const isUnreadable = (input: unknown): input is Refusal =>
  isRefusal(input) && beforeSchema.has(input.code)

const beforeSchema: ReadonlySet<ErrorCode> = new Set([
  "REQUEST_FORMAT_NOT_ACCEPTABLE",
  "REQUEST_UNSUPPORTED_CONTENT_TYPE",
  "VALIDATION_INVALID_JSON",
  "PHI_NOT_ALLOWED"
])

interface Found {
  readonly at: string
  readonly code: ErrorCode
}

const codes: ReadonlyMap<string, ErrorCode> = new Map(
  errorCodes.map((code) => [`${reservedPrefix}${code}`, code])
)

const reservedInputOf = (
  base: string,
  members: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Found | undefined => {
  for (const [name, value] of Object.entries(members)) {
    for (const text of typeof value === "string" ? [value] : (value ?? [])) {
      const code = codes.get(text)
      if (code !== undefined) return { at: base + pointerStep(name), code }
    }
  }
  return undefined
}

/** As text: what is not JSON may provoke too, and a body is read but once. */
const writtenIn = (body: string): Found | undefined => {
  for (const [, text = ""] of body.matchAll(/"(provoke:[A-Z_]+)"/g)) {
    const code = codes.get(text)
    if (code !== undefined) return { at: "/body", code }
  }
  return undefined
}

/** By the table of gates; the keyless surface is step 1, and what no gate says is said by the operation. */
const stepOf = (code: ErrorCode): InjectedFault["step"] =>
  code === "COMMERCIAL_SURFACE_UNAVAILABLE" ? 1 : (gateSteps.get(code) ?? 11)

const gateSteps: ReadonlyMap<ErrorCode, InjectedFault["step"]> = new Map(
  gates.flatMap((gate) => gate.codes.map((code) => [code, gate.step] as const)).reverse()
)

const remainingOf = (code: ErrorCode): InjectedFault["remaining"] =>
  code === "BILLING_CREDITS_EXHAUSTED" ? 0 : undefined

/** The codes whose refusal says more, with the details that the request itself suggests. */
const detailed = {
  AUTHZ_SCOPE_REQUIRED: ({ row }) =>
    refused("AUTHZ_SCOPE_REQUIRED", { required_scopes: requirements[row.requirement ?? "read"] }),
  BILLING_CREDITS_EXHAUSTED: ({ row }) =>
    refused("BILLING_CREDITS_EXHAUSTED", { requests_required: row.credits, requests_available: 0 }),
  VALIDATION_ERROR: ({ at }) => refusedFields([fieldFault(at, "invalid")]),
  VALIDATION_REQUIRED_FIELD: ({ at }) => refusedFields([fieldFault(at, "required")]),
  VALIDATION_OUT_OF_RANGE: ({ at }) => refusedFields([fieldFault(at, "out_of_range")]),
  VALIDATION_INVALID_FORMAT: ({ at }) => refusedFields([fieldFault(at, "invalid_format")]),
  PHI_NOT_ALLOWED: ({ at }) => refused("PHI_NOT_ALLOWED", { findings: [{ path: at, kind: "mrn" }] }),
  RESOURCE_CODE_NOT_FOUND: () => refused("RESOURCE_CODE_NOT_FOUND", { suggestions: [] }),
  SERVER_UNAVAILABLE: () => refused("SERVER_UNAVAILABLE", {})
} as const satisfies Partial<Record<ErrorCode, (call: InjectableCall & { readonly at: string }) => Refusal>>

type Plain = Exclude<ErrorCode, keyof typeof detailed | Parameters<typeof injectedLimit>[0]>

const isDetailed = (code: ErrorCode): code is keyof typeof detailed => code in detailed

const refusalOf = (
  code: Plain | keyof typeof detailed,
  call: InjectableCall & { readonly at: string }
): Refusal => (isDetailed(code) ? detailed[code](call) : refused(code))
