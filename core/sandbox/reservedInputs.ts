import type { ErrorCode } from "../error/table.ts"
import type { ApiKey } from "../key/Key.ts"
import { surfacePrefix } from "../operation/Operation.ts"
import type { Method } from "../operation/Operation.ts"
import { reservedPrefix } from "./injectFault.ts"
import { reservedKeys } from "./reservedKeys.ts"

const at = (method: Method, path: string, more: Partial<ReservedRequest> = {}): ReservedRequest => ({
  method,
  path: `${surfacePrefix.sandbox}${path}`,
  authorization: "own",
  ...more
})

const get = (path: string, more: Partial<ReservedRequest> = {}) => at("GET", path, more)

const batch = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  at("POST", "/codes/batch", { body, headers: { "content-type": "application/json", ...headers } })

const withKey = (key: ApiKey, because: string, more: Partial<ReservedRequest> = {}): ReservedInputs => ({
  because,
  request: get("/policies", { authorization: `Bearer ${key}`, ...more })
})

/** Where no sound or careless request meets the error, a reserved value does; so it does for every other. */
const asked = (code: ErrorCode, path = "/policies?q="): ReservedInputs => ({
  because: "the reserved value, since no request of yours alone brings it about",
  request: get(`${path}${reservedPrefix}${code}`)
})

const idempotency = { "x-idempotency-key": "the-same-key-twice" }

/**
 * A documented request for every error code, answered by the running sandbox: the docs list them and the
 * tests send them. Two codes belong to the other surfaces and are met there. A code of an operation that is
 * to come is a row here.
 */
export const reservedInputs: Readonly<Record<ErrorCode, ReservedInputs>> = {
  AUTH_MISSING: {
    because: "no Authorization header",
    request: get("/policies", { authorization: "none" })
  },
  AUTH_INVALID_FORMAT: {
    because: "an Authorization header that is not Bearer and one key",
    request: get("/policies", { authorization: "Basic dGVzdDp0ZXN0" })
  },
  AUTH_INVALID_KEY_FORMAT: {
    because: "a key with an unknown prefix",
    request: get("/policies", { authorization: "Bearer sk_test_1" })
  },
  AUTH_INVALID_TOKEN: asked("AUTH_INVALID_TOKEN"),
  AUTH_KEY_NOT_FOUND: {
    because: "a test key that was never issued, or is mistyped",
    request: get("/policies", { authorization: `Bearer svc_test_${"0".repeat(27)}_0000` })
  },
  AUTH_KEY_REVOKED: withKey(reservedKeys.revoked, "the reserved key that is revoked"),
  AUTH_KEY_SUSPENDED: withKey(reservedKeys.suspended, "the reserved key that is suspended"),
  AUTH_KEY_EXPIRED: withKey(reservedKeys.expired, "the reserved key that has expired"),
  AUTH_SANDBOX_TEST_KEY_REQUIRED: {
    because: "a live key, a legacy key or an OAuth token in the sandbox",
    request: get("/policies", { authorization: "Bearer vrt_a_live_key" })
  },
  AUTH_TEST_KEY_SANDBOX_ONLY: {
    because: "a test key on the live surface",
    request: { method: "GET", path: `${surfacePrefix.live}/policies`, authorization: "own" }
  },
  AUTHZ_SCOPE_REQUIRED: {
    because: "a key without the operation's scope",
    request: get("/releases/any/decisions?code=E0601")
  },
  AUTHZ_IP_NOT_ALLOWED: withKey(reservedKeys.otherAddress, "the reserved key that only 192.0.2.0/24 may use"),
  AUTHZ_ORIGIN_NOT_ALLOWED: withKey(
    reservedKeys.otherOrigin,
    "the reserved key that only https://app.example may use, from another origin",
    { headers: { origin: "https://other.example" } }
  ),
  BILLING_FEATURE_REQUIRED: asked("BILLING_FEATURE_REQUIRED", "/webhooks?note="),
  BILLING_CREDITS_EXHAUSTED: asked("BILLING_CREDITS_EXHAUSTED"),
  RATE_LIMIT_EXCEEDED: {
    because: "the 61st call within a minute, or the reserved value",
    request: get(`/policies?q=${reservedPrefix}RATE_LIMIT_EXCEEDED`)
  },
  RATE_QUOTA_EXCEEDED: asked("RATE_QUOTA_EXCEEDED"),
  RATE_CONCURRENT_EXCEEDED: {
    because: "the 61st call in flight, or the reserved value",
    request: get(`/policies?q=${reservedPrefix}RATE_CONCURRENT_EXCEEDED`)
  },
  VALIDATION_ERROR: {
    because: "a value of the wrong type, or faults of several kinds",
    request: batch('{"codes":"E0601"}')
  },
  VALIDATION_INVALID_JSON: { because: "a body that is not JSON", request: batch('{"codes":') },
  VALIDATION_REQUIRED_FIELD: { because: "a field that is missing", request: batch("{}") },
  VALIDATION_OUT_OF_RANGE: {
    because: "a number or a length outside its range",
    request: get("/policies?limit=101")
  },
  VALIDATION_INVALID_FORMAT: {
    because: "a text of the wrong form",
    request: get("/policies?status=open")
  },
  PHI_NOT_ALLOWED: {
    because: "a field or a value that identifies a patient",
    request: get("/codes/lookup?code=E0650&member_id=W0001")
  },
  RESOURCE_NOT_FOUND: { because: "a path that does not exist", request: get("/nothing") },
  RESOURCE_POLICY_NOT_FOUND: {
    because: "a policy id that the fixtures do not hold",
    request: get("/policies/L99999")
  },
  RESOURCE_CODE_NOT_FOUND: {
    because: "a code that the fixtures do not hold",
    request: get("/codes/lookup?code=ZZZZZ")
  },
  RESOURCE_JURISDICTION_NOT_FOUND: {
    because: "a jurisdiction or state that does not exist",
    request: get("/jurisdictions/JZ")
  },
  RESOURCE_PAYER_NOT_FOUND: {
    because: "a payer that the fixtures do not hold",
    request: get("/policies?payer=nobody")
  },
  RESOURCE_RELEASE_NOT_AVAILABLE: asked("RESOURCE_RELEASE_NOT_AVAILABLE"),
  REQUEST_INVALID_CURSOR: {
    because: "a cursor that no answer gave",
    request: get("/policies?cursor=made.up")
  },
  REQUEST_IDEMPOTENCY_CONFLICT: {
    because: "the X-Idempotency-Key of an earlier request with another body",
    first: batch('{"codes":["E0601"]}', idempotency),
    request: batch('{"codes":["E0650"]}', idempotency)
  },
  REQUEST_IDEMPOTENCY_IN_PROGRESS: {
    because: "the X-Idempotency-Key of a request that still runs, or the reserved value",
    request: batch(`{"codes":["${reservedPrefix}REQUEST_IDEMPOTENCY_IN_PROGRESS"]}`)
  },
  REQUEST_UNSUPPORTED_CONTENT_TYPE: {
    because: "a body that is not application/json",
    request: batch('{"codes":["E0601"]}', { "content-type": "text/plain" })
  },
  REQUEST_FORMAT_NOT_ACCEPTABLE: asked("REQUEST_FORMAT_NOT_ACCEPTABLE"),
  SERVER_INTERNAL_ERROR: asked("SERVER_INTERNAL_ERROR"),
  SERVER_DATABASE_ERROR: asked("SERVER_DATABASE_ERROR"),
  SERVER_SEARCH_UNAVAILABLE: asked("SERVER_SEARCH_UNAVAILABLE"),
  SERVER_TIMEOUT: asked("SERVER_TIMEOUT"),
  SERVER_UNAVAILABLE: asked("SERVER_UNAVAILABLE"),
  SERVER_IDEMPOTENCY_UNAVAILABLE: asked("SERVER_IDEMPOTENCY_UNAVAILABLE"),
  SERVER_UPSTREAM_UNAVAILABLE: {
    because: "a webhook's host that cannot be looked up: the reserved host, or the reserved value",
    request: at("POST", "/webhooks", {
      headers: { "content-type": "application/json" },
      body: '{"url":"https://resolver-down.example.com/in","events":["*"]}'
    })
  },
  COMMERCIAL_SURFACE_UNAVAILABLE: {
    because: "the keyless surface, which is closed",
    request: { method: "GET", path: "/api/public/v1/codes/lookup?code=E0601", authorization: "none" }
  }
}

/** A request to send as it stands, written so that it can be pasted into a shell. */
export interface ReservedRequest {
  readonly method: Method
  /** From the root, with its query. */
  readonly path: string
  /**
   * What Authorization holds: the reader's own test key, one with the certified scope, nothing at all, or
   * this.
   */
  readonly authorization: "own" | "certified" | "none" | `${string} ${string}`
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How an error code is met on purpose (contract §3). */
export interface ReservedInputs {
  /** What brings the error about, for a reader who would meet it by accident. */
  readonly because: string
  /** Sent first, where one request alone does not do it. */
  readonly first?: ReservedRequest
  readonly request: ReservedRequest
}
