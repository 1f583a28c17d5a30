import type { ErrorRow } from "./ErrorRow.ts"
import {
  CheckFaults,
  CreditsShort,
  FieldFaults,
  Findings,
  RetryAfter,
  RequiredScopes,
  Suggestions
} from "./details.ts"

/**
 * Every error of the service (§7.3). The union of codes, docUrl, statuses, response schemas, the errors page
 * and the client's retry behaviour derive from these rows; a test compares them with the specification both
 * ways. `hint` may hold `{support}`, which becomes the operator's SUPPORT_URL.
 */
export const errors = {
  AUTH_MISSING: {
    status: 401,
    retryable: false,
    message: "The request carries no Authorization header.",
    hint: "Send the header `Authorization: Bearer <API_KEY>`."
  },
  AUTH_INVALID_FORMAT: {
    status: 401,
    retryable: false,
    message: "The Authorization header is not `Bearer` followed by one API key or OAuth token.",
    hint: "Send exactly one `Bearer` and one key, separated by a space."
  },
  AUTH_INVALID_KEY_FORMAT: {
    status: 401,
    retryable: false,
    message: "The API key does not begin with svc_live_, svc_test_ or vrt_.",
    hint: "Copy the whole key as it was shown when it was created."
  },
  AUTH_INVALID_TOKEN: {
    status: 401,
    retryable: false,
    message: "The bearer token is invalid, expired, or not for this resource.",
    hint: "OAuth tokens are for /mcp; call /api/v1 with an API key."
  },
  AUTH_KEY_NOT_FOUND: {
    status: 401,
    retryable: false,
    message: "The API key is unknown.",
    hint: "Check the key, or create a new one on the usage and keys page."
  },
  AUTH_KEY_REVOKED: {
    status: 401,
    retryable: false,
    message: "The API key was revoked.",
    hint: "A revoked key cannot be restored: create a new key."
  },
  AUTH_KEY_SUSPENDED: {
    status: 401,
    retryable: false,
    message: "The API key is suspended.",
    hint: "Contact support with the request_id: {support}"
  },
  AUTH_KEY_EXPIRED: {
    status: 401,
    retryable: false,
    message: "The API key has expired.",
    hint: "Create a new key."
  },
  AUTH_SANDBOX_TEST_KEY_REQUIRED: {
    status: 401,
    retryable: false,
    message: "The sandbox accepts only test keys.",
    hint: "Get a free test key with POST /api/sandbox/v1/keys."
  },
  AUTH_TEST_KEY_SANDBOX_ONLY: {
    status: 401,
    retryable: false,
    message: "A test key works only in the sandbox.",
    hint: "Call /api/sandbox/v1 with this key, or /api/v1 with a live key."
  },
  AUTHZ_SCOPE_REQUIRED: {
    status: 403,
    retryable: false,
    message: "The API key lacks the scope this operation needs.",
    hint: "Use a key that has one of details.required_scopes.",
    details: RequiredScopes
  },
  AUTHZ_IP_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: "The API key may not be used from this IP address.",
    hint: "Call from an address on the key's allow-list, or have the list changed."
  },
  AUTHZ_ORIGIN_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: "The API key may not be used from this origin.",
    hint: "Call from an origin on the key's allow-list, or have the list changed."
  },
  BILLING_FEATURE_REQUIRED: {
    status: 402,
    retryable: false,
    message: "The organization's pack does not include this feature.",
    hint: "Move the organization to the Scale pack."
  },
  BILLING_CREDITS_EXHAUSTED: {
    status: 402,
    retryable: false,
    message: "The organization's credits cannot cover this call; it was not run and spent nothing.",
    hint: "Buy credits, or choose a monthly pack, which bills overage.",
    details: CreditsShort
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    message: "The per-minute request limit is used up.",
    hint: "Wait Retry-After seconds and send the same request again.",
    details: RetryAfter
  },
  RATE_QUOTA_EXCEEDED: {
    status: 429,
    retryable: true,
    message: "The daily quota is used up.",
    hint: "Retry after X-RateLimit-Reset, the next midnight in UTC.",
    details: RetryAfter
  },
  RATE_CONCURRENT_EXCEEDED: {
    status: 429,
    retryable: true,
    message: "Too many requests of this organization are in flight at once.",
    hint: "Wait for earlier requests to finish, then send this one again.",
    details: RetryAfter
  },
  VALIDATION_ERROR: {
    status: 400,
    retryable: false,
    message: "The request is not valid.",
    hint: "Correct the fields listed in details.fields.",
    details: FieldFaults
  },
  VALIDATION_INVALID_JSON: {
    status: 400,
    retryable: false,
    message: "The request body is not valid JSON.",
    hint: "Send one JSON object in UTF-8."
  },
  VALIDATION_REQUIRED_FIELD: {
    status: 400,
    retryable: false,
    message: "A required field is missing.",
    hint: "Add the fields listed in details.fields.",
    details: FieldFaults
  },
  VALIDATION_OUT_OF_RANGE: {
    status: 400,
    retryable: false,
    message: "A value or its length is out of range.",
    hint: "Keep the fields listed in details.fields within their ranges.",
    details: FieldFaults
  },
  VALIDATION_INVALID_FORMAT: {
    status: 400,
    retryable: false,
    message: "A field does not have its required format.",
    hint: "Correct the fields listed in details.fields.",
    details: FieldFaults
  },
  PHI_NOT_ALLOWED: {
    status: 400,
    retryable: false,
    message: "The request contains what looks like a patient identifier; it was refused and not kept.",
    hint: "Send only rule-level coverage inputs: codes, dates of service, age category, state.",
    details: Findings
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: "There is nothing at this address or with this id.",
    hint: "Check the method, the path and the id; the operations are listed in /docs."
  },
  RESOURCE_POLICY_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: "No policy has this id.",
    hint: "Find the id with GET /api/v1/policies."
  },
  RESOURCE_CODE_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: "No medical code matches.",
    hint: "See details.suggestions, or ask again with fuzzy=true.",
    details: Suggestions
  },
  RESOURCE_JURISDICTION_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: "No Medicare jurisdiction or state matches.",
    hint: "Use a jurisdiction such as JH or a state such as TX; GET /api/v1/jurisdictions lists them."
  },
  RESOURCE_PAYER_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: "No payer has this code.",
    hint: "GET /api/v1/payers lists the payers; `medicare` always exists."
  },
  RESOURCE_RELEASE_NOT_AVAILABLE: {
    status: 404,
    retryable: false,
    message: "The certified release is not available to this key.",
    hint: "Use the release id assigned to the certified-data key."
  },
  REQUEST_INVALID_CURSOR: {
    status: 400,
    retryable: false,
    message: "The cursor is not valid for this request.",
    hint: "Use the cursor from the previous response, with the same filters and the same key's organization."
  },
  REQUEST_IDEMPOTENCY_CONFLICT: {
    status: 409,
    retryable: false,
    message: "The X-Idempotency-Key was used before with a different request.",
    hint: "Use a new key for a different request."
  },
  REQUEST_IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    retryable: true,
    message: "The first request with this X-Idempotency-Key is still running.",
    hint: "Retry the same request with the same key after a short delay."
  },
  REQUEST_UNSUPPORTED_CONTENT_TYPE: {
    status: 400,
    retryable: false,
    message: "The request body is not application/json.",
    hint: "Send the header `Content-Type: application/json`."
  },
  REQUEST_FORMAT_NOT_ACCEPTABLE: {
    status: 406,
    retryable: false,
    message: "Certified release endpoints answer in JSON only.",
    hint: "Accept application/json and leave `format` out."
  },
  SERVER_INTERNAL_ERROR: {
    status: 500,
    retryable: false,
    message: "The service failed on this request.",
    hint: "Contact support with the request_id: {support}"
  },
  SERVER_DATABASE_ERROR: {
    status: 500,
    retryable: false,
    message: "The database refused to carry out this request.",
    hint: "Contact support with the request_id: {support}"
  },
  SERVER_SEARCH_UNAVAILABLE: {
    status: 500,
    retryable: true,
    message: "The search did not answer in time.",
    hint: "Retry with exponential backoff, or narrow the search."
  },
  SERVER_TIMEOUT: {
    status: 500,
    retryable: true,
    message: "The request was not finished within its time limit.",
    hint: "Retry with exponential backoff."
  },
  SERVER_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: "The service cannot answer this request now.",
    hint: "Retry with exponential backoff.",
    details: CheckFaults
  },
  SERVER_IDEMPOTENCY_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: "The X-Idempotency-Key could not be recorded; the request was not executed.",
    hint: "Retry with the same X-Idempotency-Key."
  },
  SERVER_UPSTREAM_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message:
      "Something this request depends on outside the service is not available; no credits were charged.",
    hint: "Retry with exponential backoff."
  },
  COMMERCIAL_SURFACE_UNAVAILABLE: {
    status: 404,
    retryable: false,
    message: "The keyless /api/public/v1 endpoints are not available here.",
    hint: "Use the authenticated endpoint under /api/v1."
  }
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

export const errorCodes = Object.keys(errors) as ReadonlyArray<ErrorCode>
