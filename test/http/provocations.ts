import type { ErrorCode } from "../../core/error/table.ts"
import type { BuiltId } from "../../core/operation/pending.ts"

/** A request of a test: what is left out is sound. */
export interface Asked {
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = { "content-type": "application/json" }
const batch = (body: unknown): Asked => ({ path: "/codes/batch", body: JSON.stringify(body), headers: json })
const query =
  (path: string) =>
  (text: string): Asked => ({ path: `${path}?${text}` })
const lookup = query("/codes/lookup")
const list = query("/policies")
const policy = query("/policies/L33831")

/**
 * A sound request of every built operation that takes a key; the library of the tests holds what they name.
 */
export const sound: Readonly<Record<Exclude<BuiltId, "health">, Asked>> = {
  lookupCode: lookup("code=E0601"),
  batchCodes: batch({ codes: ["E0601"] }),
  listPolicies: list("q=wheelchair"),
  getPolicy: { path: "/policies/L33831" },
  listJurisdictions: { path: "/jurisdictions" },
  getJurisdiction: { path: "/jurisdictions/JH" }
}

const long = "x".repeat(9_000)

/** What makes an operation refuse its input with a code; a row that is missing here fails the matrix. */
export const faulty: Readonly<Record<Exclude<BuiltId, "health">, Partial<Record<ErrorCode, Asked>>>> = {
  lookupCode: {
    VALIDATION_REQUIRED_FIELD: lookup("fuzzy=true"),
    VALIDATION_OUT_OF_RANGE: lookup(`code=${"9".repeat(21)}`),
    VALIDATION_INVALID_FORMAT: lookup("code=E0601&as_of=soon"),
    VALIDATION_ERROR: lookup("code=E0601&code=E0602"),
    RESOURCE_CODE_NOT_FOUND: lookup("code=ZZZZZ"),
    RESOURCE_JURISDICTION_NOT_FOUND: lookup("code=E0601&jurisdiction=JZ")
  },
  batchCodes: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: {
      ...batch({ codes: ["E0601"] }),
      headers: { "content-type": "text/plain" }
    },
    VALIDATION_INVALID_JSON: { ...batch({}), body: '{"codes":' },
    VALIDATION_REQUIRED_FIELD: batch({}),
    VALIDATION_OUT_OF_RANGE: batch({ codes: [] }),
    VALIDATION_INVALID_FORMAT: batch({ codes: ["E0601"], code_system: "ICD9" }),
    VALIDATION_ERROR: batch({ codes: "E0601" })
  },
  listPolicies: {
    VALIDATION_OUT_OF_RANGE: list("limit=101"),
    VALIDATION_INVALID_FORMAT: list("status=open"),
    VALIDATION_ERROR: list("q=a&q=b"),
    REQUEST_INVALID_CURSOR: list("cursor=abc"),
    RESOURCE_JURISDICTION_NOT_FOUND: list("jurisdiction=JZ"),
    RESOURCE_PAYER_NOT_FOUND: list("payer=nobody")
  },
  getPolicy: {
    VALIDATION_OUT_OF_RANGE: { path: `/policies/${"L".repeat(101)}` },
    VALIDATION_INVALID_FORMAT: policy("include=everything"),
    VALIDATION_ERROR: policy("as_of=2026-01-01&as_of=2026-01-02"),
    RESOURCE_POLICY_NOT_FOUND: { path: "/policies/L99999" }
  },
  listJurisdictions: {
    VALIDATION_OUT_OF_RANGE: query("/jurisdictions")(long)
  },
  getJurisdiction: {
    VALIDATION_OUT_OF_RANGE: { path: `/jurisdictions/${"J".repeat(101)}` },
    VALIDATION_INVALID_FORMAT: { path: "/jurisdictions/J%00" },
    RESOURCE_JURISDICTION_NOT_FOUND: { path: "/jurisdictions/JZ" }
  }
}

/** What makes the key itself refused: the key's record, or the header in its place. */
export const keyless: Partial<Record<ErrorCode, string | undefined>> = {
  AUTH_MISSING: undefined,
  AUTH_INVALID_FORMAT: "Basic dXNlcjpwYXNz",
  AUTH_INVALID_KEY_FORMAT: "Bearer sk_something",
  AUTH_INVALID_TOKEN: `Bearer ${"t".repeat(43)}`,
  AUTH_KEY_NOT_FOUND: "Bearer vrt_nobody_knows_this_key"
}
