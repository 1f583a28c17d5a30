import * as SchemaAST from "effect/SchemaAST"
import type { Refusal } from "../error/Refusal.ts"
import type { ErrorCode } from "../error/table.ts"
import type { LimitDecision } from "../limit/policy.ts"
import { refusalCodes } from "../operation/Operation.ts"
import type { CallRow } from "../operation/Operation.ts"

/** A refusal that answers at its step, when the checks before it have passed (contract §3, Sandbox). */
export interface InjectedFault {
  readonly step: Gate["step"] | 11
  readonly refusal: Refusal
  /** Credits that its answer says are left; undefined: it says nothing of them. */
  readonly remaining: number | undefined
  /** The figures of a refusal of step 5. */
  readonly limit: Extract<LimitDecision, { readonly _tag: "Refused" }> | undefined
}

/**
 * What a step of the pipeline (call/pipeline.ts) may refuse with: `step` is its place in the contract's
 * order, `applies` says to which rows.
 */
export interface Gate {
  readonly step: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10
  readonly codes: ReadonlyArray<ErrorCode>
  readonly applies: (row: CallRow) => boolean
}

const keyed = (row: CallRow): boolean => row.requirement !== null
const decoded = (row: CallRow): boolean =>
  row.params !== undefined || row.query !== undefined || row.body !== undefined
/** A path's parameters are always there: only query and body can lack a field; a PATCH needs at least one. */
const hasRequiredField = (row: CallRow): boolean =>
  row.method === "PATCH" ||
  [row.query, row.body].some(
    (schema) =>
      schema?.ast._tag === "Objects" &&
      schema.ast.propertySignatures.some((field) => !SchemaAST.isOptional(field.type))
  )
/** Every POST, PATCH and DELETE of a key's (contract §1, Idempotency); a test key is made anew each time. */
const takesIdempotencyKey = (row: CallRow): boolean => row.method !== "GET" && keyed(row)
const bodied = (row: CallRow): boolean => row.body !== undefined

/** The order of the checks (contract §1): the first refusal answers. */
export const gates: ReadonlyArray<Gate> = [
  {
    step: 2,
    codes: [
      "AUTH_MISSING",
      "AUTH_INVALID_FORMAT",
      "AUTH_INVALID_KEY_FORMAT",
      "AUTH_INVALID_TOKEN",
      "AUTH_SANDBOX_TEST_KEY_REQUIRED",
      "AUTH_TEST_KEY_SANDBOX_ONLY"
    ],
    applies: keyed
  },
  {
    step: 3,
    codes: ["AUTH_KEY_NOT_FOUND", "AUTH_KEY_REVOKED", "AUTH_KEY_SUSPENDED", "AUTH_KEY_EXPIRED"],
    applies: keyed
  },
  {
    step: 4,
    codes: ["AUTHZ_IP_NOT_ALLOWED"],
    applies: keyed
  },
  {
    step: 4,
    codes: ["AUTHZ_ORIGIN_NOT_ALLOWED"],
    applies: keyed
  },
  {
    step: 5,
    codes: ["RATE_LIMIT_EXCEEDED", "RATE_QUOTA_EXCEEDED", "RATE_CONCURRENT_EXCEEDED"],
    applies: keyed
  },
  {
    step: 5,
    codes: ["RATE_LIMIT_EXCEEDED", "RATE_CONCURRENT_EXCEEDED"],
    applies: (row) => row.perAddress === true
  },
  {
    step: 6,
    codes: ["AUTHZ_SCOPE_REQUIRED"],
    applies: keyed
  },
  {
    step: 7,
    codes: ["BILLING_FEATURE_REQUIRED"],
    applies: (row) => row.feature !== null
  },
  { step: 8, codes: ["REQUEST_FORMAT_NOT_ACCEPTABLE"], applies: (row) => row.jsonOnly === true },
  { step: 8, codes: ["REQUEST_UNSUPPORTED_CONTENT_TYPE", "VALIDATION_INVALID_JSON"], applies: bodied },
  // A query may be sent to every operation, known to it or not.
  { step: 8, codes: ["PHI_NOT_ALLOWED"], applies: (row) => keyed(row) || bodied(row) },
  { step: 8, codes: ["VALIDATION_REQUIRED_FIELD"], applies: hasRequiredField },
  // An over-long URL is out of range on every operation.
  { step: 8, codes: ["VALIDATION_OUT_OF_RANGE"], applies: (row) => keyed(row) || bodied(row) },
  {
    step: 8,
    codes: ["VALIDATION_INVALID_FORMAT"],
    // As is a query that is no percent-encoded UTF-8.
    applies: (row) => decoded(row) || keyed(row)
  },
  {
    step: 8,
    codes: ["VALIDATION_ERROR"],
    applies: (row) => row.query !== undefined || row.body !== undefined
  },
  { step: 8, codes: ["REQUEST_INVALID_CURSOR"], applies: (row) => row.paged === true },
  {
    step: 9,
    codes: [
      "REQUEST_IDEMPOTENCY_CONFLICT",
      "REQUEST_IDEMPOTENCY_IN_PROGRESS",
      "SERVER_IDEMPOTENCY_UNAVAILABLE"
    ],
    applies: (row) => takesIdempotencyKey(row)
  },
  { step: 10, codes: ["BILLING_CREDITS_EXHAUSTED"], applies: (row) => row.credits > 0 }
]

/** What broken dependencies and bugs answer on any operation (contract §1, Server faults). */
export const serverCodes = [
  "SERVER_UNAVAILABLE",
  "SERVER_DATABASE_ERROR",
  "SERVER_TIMEOUT",
  "SERVER_INTERNAL_ERROR"
] as const satisfies ReadonlyArray<ErrorCode>

/**
 * Every code an operation may answer with: its gates', its own and the server's, in the order of the checks.
 */
export const refusalsOf = (row: CallRow): ReadonlyArray<ErrorCode> => [
  ...new Set([
    ...gates.filter((gate) => gate.applies(row)).flatMap((gate) => gate.codes),
    ...refusalCodes(row.refusals),
    ...serverCodes
  ])
]
