import type { ErrorCode } from "../error/table.ts"

const again = "Call the tool again after a short delay; system_health reports the state of the service."
const correct = "Correct the arguments listed in details.fields and call the tool again."

/**
 * The hints of a tool's errors where those of the HTTP API name its paths, headers or parameters: an agent
 * has tools and arguments only. A test reads the hint of every error code.
 */
const hints: Partial<Record<ErrorCode, string>> = {
  AUTH_MISSING: "Sign in to the server again.",
  AUTH_INVALID_FORMAT: "Sign in to the server again.",
  AUTH_INVALID_KEY_FORMAT: "Sign in to the server again: it takes no API keys.",
  AUTH_INVALID_TOKEN: "Sign in to the server again.",
  AUTH_SANDBOX_TEST_KEY_REQUIRED: "Sign in to the server again: it takes no API keys.",
  AUTH_TEST_KEY_SANDBOX_ONLY: "Sign in to the server again: it takes no API keys.",
  AUTHZ_SCOPE_REQUIRED: "Sign in again and consent to the scopes in details.required_scopes.",
  RATE_LIMIT_EXCEEDED: "Wait details.retry_after_seconds and make the same call again.",
  RATE_QUOTA_EXCEEDED: "The quota renews at midnight UTC: call again after details.retry_after_seconds.",
  RATE_CONCURRENT_EXCEEDED: "Wait for earlier calls to finish, then make this one again.",
  VALIDATION_ERROR: correct,
  VALIDATION_INVALID_JSON: "Send the arguments as one JSON object.",
  VALIDATION_REQUIRED_FIELD: "Add the arguments named in details.fields and call the tool again.",
  VALIDATION_OUT_OF_RANGE: correct,
  VALIDATION_INVALID_FORMAT: correct,
  RESOURCE_NOT_FOUND: "Check the name of the tool and its arguments.",
  RESOURCE_POLICY_NOT_FOUND:
    "Find the id with policy_research: send q, procedure_code or icd10 instead of policy_id.",
  RESOURCE_CODE_NOT_FOUND: "See details.suggestions, or search with policy_research and q.",
  RESOURCE_JURISDICTION_NOT_FOUND:
    "Use a jurisdiction such as JH or a state such as TX: directory_lookup with kind jurisdictions lists them.",
  RESOURCE_PAYER_NOT_FOUND:
    "List the payers with directory_lookup and kind payers; `medicare` always exists.",
  REQUEST_INVALID_CURSOR:
    "Send the cursor of the previous answer with the same arguments, or leave it out to start again.",
  REQUEST_UNSUPPORTED_CONTENT_TYPE: "Send the arguments as one JSON object.",
  SERVER_SEARCH_UNAVAILABLE: "Call again after a short delay, or narrow the search with more arguments.",
  SERVER_TIMEOUT: again,
  SERVER_UNAVAILABLE: again,
  SERVER_IDEMPOTENCY_UNAVAILABLE: again,
  SERVER_UPSTREAM_UNAVAILABLE: again,
  COMMERCIAL_SURFACE_UNAVAILABLE: "Use the tools of this server."
}

/** The hint of an error as a tool returns it; undefined if the API's own will do. */
export const toolHint = (code: ErrorCode): string | undefined => hints[code]
