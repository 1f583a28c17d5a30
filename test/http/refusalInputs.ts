import type { ErrorCode } from "../../core/error/table.ts"
import type { KeyedId } from "../../core/operation/catalogue.ts"
import { seededReleaseId } from "./seededRelease.ts"
import type { TestRequest } from "./TestRequest.ts"
import { faultyWebhooks, soundWebhooks } from "./webhookRefusalInputs.ts"

const json = { "content-type": "application/json" }
const posted =
  (path: string) =>
  (body: unknown): TestRequest => ({ path, body: JSON.stringify(body), headers: json })
const batch = posted("/codes/batch")
const compare = posted("/policies/compare")
const evaluate = posted("/coverage/evaluate")
const priorAuth = posted("/prior-auth/check")
const claim = posted("/claims/validate")
const claimTwin = posted("/claim-validation")
const query =
  (path: string) =>
  (text: string): TestRequest => ({ path: `${path}?${text}` })
const lookup = query("/codes/lookup")
const list = query("/policies")
const policy = query("/policies/L33831")
const changes = query("/policies/changes")
const criteria = query("/coverage/criteria")
const releaseOf = (id: string) => query(`/releases/${id}/decisions`)
const release = releaseOf(seededReleaseId)

/**
 * A sound request of every built operation that takes a key; the library of the tests holds what they name.
 */
export const sound: Readonly<Record<KeyedId, TestRequest>> = {
  lookupCode: lookup("code=E0601"),
  batchCodes: batch({ codes: ["E0601"] }),
  listPolicies: list("q=wheelchair"),
  getPolicy: { path: "/policies/L33831" },
  listJurisdictions: { path: "/jurisdictions" },
  getJurisdiction: { path: "/jurisdictions/JH" },
  listPayers: { path: "/payers" },
  getPayer: { path: "/payers/medicare" },
  listPolicyChanges: { path: "/policies/changes" },
  searchCriteria: criteria("q=mobility"),
  comparePolicies: compare({ procedure_codes: ["E0601"] }),
  evaluateCoverage: evaluate({ policy_id: "L33831", parameters: { procedure_code: "E0601" } }),
  checkPriorAuth: priorAuth({ procedure_codes: ["E0601"] }),
  validateClaim: claim({ procedure_codes: ["E0601"] }),
  validateClaimTwin: claimTwin({ procedure_codes: ["E0601"] }),
  listReleaseDecisions: release("code=E0601"),
  ...soundWebhooks
}

/** What both of the twins refuse. */
const refusedClaims = (to: typeof claim): Partial<Record<ErrorCode, TestRequest>> => ({
  REQUEST_UNSUPPORTED_CONTENT_TYPE: { ...to({}), headers: { "content-type": "text/plain" } },
  VALIDATION_INVALID_JSON: { ...to({}), body: '{"procedure_codes":' },
  VALIDATION_REQUIRED_FIELD: to({}),
  VALIDATION_OUT_OF_RANGE: to({ procedure_codes: [] }),
  VALIDATION_INVALID_FORMAT: to({ procedure_codes: ["E060"] }),
  VALIDATION_ERROR: to({ procedure_codes: ["E0601"], clinic: "north" }),
  RESOURCE_JURISDICTION_NOT_FOUND: to({ procedure_codes: ["E0601"], state: "ZZ" })
})

const long = "x".repeat(9_000)

/** What makes an operation refuse its input with a code; a row that is missing here fails the matrix. */
export const faulty: Readonly<Record<KeyedId, Partial<Record<ErrorCode, TestRequest>>>> = {
  listReleaseDecisions: {
    REQUEST_FORMAT_NOT_ACCEPTABLE: release("code=E0601&format=csv"),
    VALIDATION_REQUIRED_FIELD: release("limit=5"),
    VALIDATION_OUT_OF_RANGE: release("code=E0601&limit=101"),
    VALIDATION_INVALID_FORMAT: release("code=E0601&code_system=ICD9"),
    VALIDATION_ERROR: release("code=E0601&code=E0602"),
    REQUEST_INVALID_CURSOR: release("code=E0601&cursor=abc"),
    RESOURCE_RELEASE_NOT_AVAILABLE: releaseOf("rel_1")("code=E0601")
  },
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
    VALIDATION_INVALID_FORMAT: { path: "/jurisdictions?x=%ff" },
    VALIDATION_OUT_OF_RANGE: query("/jurisdictions")(long)
  },
  getJurisdiction: {
    VALIDATION_OUT_OF_RANGE: { path: `/jurisdictions/${"J".repeat(101)}` },
    VALIDATION_INVALID_FORMAT: { path: "/jurisdictions/J%00" },
    RESOURCE_JURISDICTION_NOT_FOUND: { path: "/jurisdictions/JZ" }
  },
  listPayers: {
    VALIDATION_INVALID_FORMAT: { path: "/payers?x=%ff" },
    VALIDATION_OUT_OF_RANGE: query("/payers")(long)
  },
  getPayer: {
    VALIDATION_OUT_OF_RANGE: { path: `/payers/${"p".repeat(101)}` },
    VALIDATION_INVALID_FORMAT: { path: "/payers/p%00" },
    RESOURCE_PAYER_NOT_FOUND: { path: "/payers/nobody" }
  },
  listPolicyChanges: {
    VALIDATION_OUT_OF_RANGE: changes("limit=0"),
    VALIDATION_INVALID_FORMAT: changes("since=yesterday"),
    VALIDATION_ERROR: changes("policy_id=L33831&policy_id=L33832"),
    REQUEST_INVALID_CURSOR: changes("cursor=abc")
  },
  searchCriteria: {
    VALIDATION_REQUIRED_FIELD: criteria("section=other"),
    VALIDATION_OUT_OF_RANGE: criteria(`q=${"x".repeat(501)}`),
    VALIDATION_INVALID_FORMAT: criteria("q=knee&section=summary"),
    VALIDATION_ERROR: criteria("q=a&q=b"),
    REQUEST_INVALID_CURSOR: criteria("q=knee&cursor=abc"),
    RESOURCE_JURISDICTION_NOT_FOUND: criteria("q=knee&jurisdiction=JZ")
  },
  comparePolicies: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: {
      ...compare({ procedure_codes: ["E0601"] }),
      headers: { "content-type": "text/plain" }
    },
    VALIDATION_INVALID_JSON: { ...compare({}), body: '{"procedure_codes":' },
    VALIDATION_REQUIRED_FIELD: compare({}),
    VALIDATION_OUT_OF_RANGE: compare({ procedure_codes: Array(11).fill("E0601") }),
    VALIDATION_INVALID_FORMAT: compare({ procedure_codes: ["E0601"], policy_type: "Memo" }),
    VALIDATION_ERROR: compare({ procedure_codes: "E0601" })
  },
  evaluateCoverage: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: { ...evaluate({}), headers: { "content-type": "text/plain" } },
    VALIDATION_INVALID_JSON: { ...evaluate({}), body: '{"policy_id":' },
    VALIDATION_REQUIRED_FIELD: evaluate({ policy_id: "L33831" }),
    VALIDATION_OUT_OF_RANGE: evaluate({ policy_id: "", parameters: {} }),
    VALIDATION_INVALID_FORMAT: evaluate({ policy_id: "L33831", parameters: { age_category: "old" } }),
    VALIDATION_ERROR: evaluate({ policy_id: "L33831", parameters: { clinic: "north" } }),
    RESOURCE_POLICY_NOT_FOUND: evaluate({ policy_id: "L99999", parameters: {} })
  },
  checkPriorAuth: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: { ...priorAuth({}), headers: { "content-type": "text/plain" } },
    VALIDATION_INVALID_JSON: { ...priorAuth({}), body: '{"procedure_codes":' },
    VALIDATION_REQUIRED_FIELD: priorAuth({}),
    VALIDATION_OUT_OF_RANGE: priorAuth({ procedure_codes: [] }),
    VALIDATION_INVALID_FORMAT: priorAuth({ procedure_codes: ["E0601"], state: "Texas" }),
    VALIDATION_ERROR: priorAuth({ procedure_codes: "E0601" }),
    RESOURCE_JURISDICTION_NOT_FOUND: priorAuth({ procedure_codes: ["E0601"], state: "ZZ" })
  },
  validateClaim: refusedClaims(claim),
  validateClaimTwin: refusedClaims(claimTwin),
  ...faultyWebhooks
}

/** What makes the key itself refused: the key's record, or the header in its place. */
export const keyless: Partial<Record<ErrorCode, string | undefined>> = {
  AUTH_MISSING: undefined,
  AUTH_INVALID_FORMAT: "Basic dXNlcjpwYXNz",
  AUTH_INVALID_KEY_FORMAT: "Bearer sk_something",
  AUTH_INVALID_TOKEN: `Bearer ${"t".repeat(43)}`,
  AUTH_KEY_NOT_FOUND: "Bearer vrt_nobody_knows_this_key"
}
