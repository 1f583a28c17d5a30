/** The envelope, errors, health, webhooks, certified releases, test keys and MCP tools. */
export const serviceDescriptions = {
  success: "True for a successful response and false for an error.",
  data: "What the operation returns.",
  meta: "Facts about the response itself.",
  request_id: "The id of the request, `req_` and 26 characters. Quote it when you contact support.",
  timestamp: "When the response was sent, as a UTC date-time.",
  ignored_parameters:
    "Names in the query that the operation does not take and ignored, at most 20. Absent if there are none.",
  pagination: "The position in the list.",
  cursor:
    "The cursor of the previous page's `meta.pagination`, sent with the same filters. Absent for the " +
    "first page.",
  "pagination.cursor": "The cursor of the next page. Null on the last page.",
  has_more: "Whether another page follows.",
  limit: "Items on each page, 1 to 100. 50 if absent.",
  "pagination.limit": "The largest number of items on a page of this list.",
  data_as_of:
    "The newest day that the imported sources describe, YYYY-MM-DD. Null when nothing was imported.",
  disclaimer: "A notice that the answer is no medical or legal advice and no guarantee of payment.",
  omitted: "The parts left out to keep the response under 64 KiB. Absent if it is complete.",
  includes_unavailable:
    "Names in `include` that the service has no data for, such as `rates`. Absent if there are none.",
  cached: "True when this is the stored response to the same X-Idempotency-Key. Absent otherwise.",
  idempotency_key: "The X-Idempotency-Key of the request whose stored response this is. Absent otherwise.",
  "If-None-Match":
    "The ETag of an earlier response. If nothing changed since, the response is 304 without a body.",
  "X-Idempotency-Key":
    "A key of your choice, 1 to 255 printable ASCII characters. A repeated request with the same key " +
    "runs once and gets the stored response. `Idempotency-Key` is an alias: send either name, or both " +
    "with the same value.",
  error: "The error object. Branch on its `code`.",
  "error.code": "The error code. It never changes its meaning; branch on it.",
  "error.message": "What went wrong, in a sentence. The wording may change.",
  hint: "What to do next, in a sentence.",
  docUrl: "The page that explains the error code.",
  retryable: "Whether the same request may succeed later without a change.",
  "error.details": "Structured facts about the error.",
  fields: "Every invalid field of the request.",
  "fields.path": "Where the field is, as a JSON pointer such as `/body/events/0` or `/query/limit`.",
  "fields.code":
    "What is wrong with the field: required, out_of_range, invalid_format, unknown_field or invalid.",
  "fields.message": "What the field takes, in a sentence. It never repeats the submitted value.",
  allowed: "The accepted values. Absent when the field does not take one of a fixed set.",
  findings: "Where patient identifiers were found, at most 20 places. The values are never repeated.",
  "findings.path": "Where the identifier is, as a JSON pointer.",
  requests_required: "The cost of the request in credits.",
  requests_available: "The credits that your organization has left.",
  required_scopes: "The scopes of which the key needs one.",
  retry_after_seconds:
    "Seconds to wait before sending the request again. The same number as the Retry-After header.",
  checks: "The state of each store that the service depends on.",
  database: "The database.",
  cache: "The rate-limit store.",
  "health.data.status": "`healthy`, or `degraded` when the service works without one of its stores.",
  "checks.database.status": "`up` or `down`.",
  "checks.cache.status": "`up` or `down`.",
  latency_ms: "Milliseconds that the last probe took. Null when it got no response.",
  "checks.database.reason": "Why the store is down, in one word. Absent when it is up.",
  "checks.cache.reason": "Why the store is down, in one word. Absent when it is up.",
  "health.data.version": "The version of the API.",
  "health.data.timestamp": "When the stores were last probed, as a UTC date-time.",
  id: "The id of the webhook endpoint.",
  url:
    "The address that receives the events, an https URL of at most 2,048 characters that resolves to " +
    "a public address.",
  events: "The event types to receive; `*` means all of them.",
  "webhooks.data.status":
    "The state of the endpoint: `active`, `paused` (by you) or `disabled` (by the service, after the " +
    "receiver returned 410 or failed for 5 days).",
  "updateWebhook.body.status": "`paused` stops deliveries and holds new events; `active` resumes them.",
  failure_count:
    "Failed attempts since the last successful one. 0 after a success, and when you set the endpoint " +
    "active.",
  created_at: "When the endpoint or delivery was created, as a UTC date-time.",
  updated_at: "When the endpoint was last changed, as a UTC date-time.",
  secret:
    "The secret that signs deliveries, `whsec_` and base64. This is the only response that contains " + "it.",
  previous_secret_expires_at:
    "Until when deliveries are also signed with the previous secret, as a UTC date-time.",
  deleted: "Always true.",
  delivery_id: "The id of the delivery.",
  endpoint_id: "The id of the webhook endpoint.",
  event: "The type of the event.",
  http_status: "The HTTP status of the last attempt. Null when there was no response or no attempt yet.",
  "testWebhook.data.success": "Whether the receiver accepted the correctly signed ping.",
  "data.error": "Why the last attempt failed. Null when it did not fail.",
  signature_validation:
    "Whether the receiver rejected the wrongly signed ping: `enforced`, `not_enforced` or `unknown`.",
  webhook_id: "The `webhook-id` header of the delivery, the same for every attempt and replay of the event.",
  "listDeliveries.data.status":
    "The state of the delivery: `pending`, `held` (the endpoint takes no deliveries now), " +
    "`delivered`, `failed` (a test) or `dead` (every attempt failed).",
  "replayDelivery.data.status":
    "The state of the delivery: `pending`, `held` (the endpoint takes no deliveries now), " +
    "`delivered`, `failed` (a test) or `dead` (every attempt failed).",
  "listDeliveries.query.status":
    "Only deliveries in this state: `pending`, `held`, `delivered`, `failed` or `dead`.",
  attempts: "The number of attempts so far, replays included.",
  next_attempt_at: "When the next attempt is due, as a UTC date-time. Null unless the delivery is pending.",
  "body.since": "The start of the time range, an RFC 3339 date-time. Events from this time on are replayed.",
  until: "The end of the time range, an RFC 3339 date-time.",
  replayed: "The number of deliveries that were scheduled again.",
  "events.id": "The id of the event, the same as its `webhook-id` header. Use it to discard duplicates.",
  "events.type": "The type of the event.",
  "events.timestamp": "When the event happened, as a UTC date-time.",
  api_version: "The version of the event format.",
  "events.data": "The ids that the event is about. Read the objects through the API.",
  acknowledgement_ids: "The ids of the acknowledgements.",
  diff_ids: "The ids of the changes that were acknowledged.",
  policy_ids: "The ids of the policies that those changes belong to.",
  acknowledged_at: "When the changes were acknowledged, as a UTC date-time.",
  "releases.path.release_id": "The id of the certified release, `rel_` and 64 hexadecimal characters.",
  release_id:
    "The id of the certified release that the key can read. Null for a key without the certified " + "scope.",
  "releases.query.code": "The code to return the decisions of, 1 to 20 characters.",
  "releases.query.code_system": "Only decisions about codes of this system.",
  payer_code: "The code of the payer that issued the policy.",
  "query.payer_code": "Only decisions of this payer, by its code.",
  "releases.query.format": "`json` is the only format; any other is rejected with 406.",
  decision_id: "The id of the decision: `dec_` and its `record_sha256`.",
  record_sha256: "SHA-256 of the canonical JSON of the decision, as docs/releases.md defines it.",
  policy_version: "The service's version number of the policy, counted from 1.",
  policy_fingerprint_sha256:
    "SHA-256 of the normalized policy version. Equal fingerprints mean equal policies.",
  source_document_sha256: "SHA-256 of the source rows that the policy was read from.",
  line_of_business: "The line of business that the policy applies to.",
  "releases.data.effective_date":
    "The first day on which the decision holds, YYYY-MM-DD. `0001-01-01` when the document names no " +
    "first day.",
  "releases.data.retire_date":
    "The last day on which the decision holds, YYYY-MM-DD. Null when it has no end date.",
  key: "The new test key. This is the only response that contains it.",
  scopes:
    "The scopes of the key. The certified scope cannot be combined with others. `read` and `write` " +
    "if absent.",
  "data.scopes": "The scopes of the key.",
  expires_at: "When the key expires, as a UTC date-time."
} as const satisfies Readonly<Record<string, string>>
