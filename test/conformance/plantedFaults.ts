import type { OperationId } from "../../core/operation/catalogue.ts"
import type { CheckName } from "../../apps/conformance/Verdict.ts"
import { header, onError, query, withoutHeader, words } from "./tampering.ts"
import type { Tamper } from "./tampering.ts"

/** One thing that a server gets wrong, and the cell of the table that must name it. */
export interface PlantedFault {
  readonly says: string
  readonly operation: OperationId
  readonly check: CheckName
  /** Of a refusal that fails alone, its code. */
  readonly code?: string
  readonly surface?: "live" | "sandbox"
  /** What else fails with it, since it shows there too. */
  readonly also?: ReadonlyArray<CheckName>
  /** What of the reason must be said. */
  readonly told?: string
  readonly tamper: () => Tamper
}

const onStatus =
  (status: number, change: NonNullable<Tamper["answer"]>): NonNullable<Tamper["answer"]> =>
  (returned, passing) =>
    returned.status === status ? change(returned, passing) : returned

const live: NonNullable<PlantedFault["surface"]> = "live"

const ofHeaders: ReadonlyArray<PlantedFault> = [
  {
    says: "a success has no X-Request-Id",
    operation: "getPayer",
    check: "answer",
    tamper: () => ({ answer: onStatus(200, header("x-request-id")) })
  },
  {
    says: "X-RateLimit-Reset is missing",
    operation: "listPayers",
    check: "headers",
    tamper: () => ({ answer: onStatus(200, header("x-ratelimit-reset")) })
  },
  {
    says: "X-Credits-Cost is missing",
    operation: "evaluateCoverage",
    check: "headers",
    tamper: () => ({ answer: onStatus(200, header("x-credits-cost")) })
  },
  {
    says: "RateLimit tells another figure than X-RateLimit-Remaining",
    operation: "listPayers",
    check: "headers",
    tamper: () => ({
      answer: onStatus(
        200,
        header("ratelimit", (value) => value.replace(/r=\d+/, "r=7777"))
      )
    })
  },
  {
    says: "a call uses nothing of the limit",
    operation: "validateClaim",
    check: "limits",
    tamper: () => ({
      answer: (returned) =>
        header("ratelimit", (value) => value.replace(/r=\d+/, "r=60"))(
          {
            ...returned,
            headers: {
              ...returned.headers,
              ...("x-ratelimit-remaining" in returned.headers ? { "x-ratelimit-remaining": "60" } : {})
            }
          },
          { method: "", url: "", headers: {}, body: "" }
        )
    })
  },
  {
    says: "a 429 has no Retry-After",
    operation: "listPayers",
    check: "refusals",
    code: "RATE_LIMIT_EXCEEDED",
    tamper: () => ({ answer: onError("RATE_LIMIT_EXCEEDED", header("retry-after")) })
  },
  {
    says: "a live call says that it was free",
    operation: "getPayer",
    check: "headers",
    surface: live,
    tamper: () => ({
      answer: (returned, passing) =>
        passing.url.startsWith("/api/v1") ? header("x-credits-cost", () => "0")(returned, passing) : returned
    })
  }
]

const ofBodies: ReadonlyArray<PlantedFault> = [
  {
    says: "a status is not the table's",
    operation: "getPayer",
    check: "refusals",
    code: "RESOURCE_PAYER_NOT_FOUND",
    tamper: () => ({
      answer: onError("RESOURCE_PAYER_NOT_FOUND", (returned) => ({ ...returned, status: 400 }))
    })
  },
  {
    says: "retryable is turned round",
    operation: "getPayer",
    check: "refusals",
    code: "SERVER_TIMEOUT",
    tamper: () => ({ answer: onError("SERVER_TIMEOUT", words('"retryable":true', '"retryable":false')) })
  },
  {
    says: "docUrl leads to another error",
    operation: "getPayer",
    check: "refusals",
    code: "SERVER_DATABASE_ERROR",
    tamper: () => ({
      answer: onError("SERVER_DATABASE_ERROR", words(/#server-database-error/, "#server-timeout"))
    })
  },
  {
    says: "an error lacks its details",
    operation: "getPayer",
    check: "refusals",
    code: "AUTHZ_SCOPE_REQUIRED",
    tamper: () => ({ answer: onError("AUTHZ_SCOPE_REQUIRED", words(/,"details":\{[^}]*\}/, "")) })
  },
  {
    says: "one code is answered in place of another",
    operation: "batchCodes",
    check: "refusals",
    code: "VALIDATION_INVALID_JSON",
    tamper: () => ({ answer: words('"code":"VALIDATION_INVALID_JSON"', '"code":"VALIDATION_ERROR"') })
  },
  {
    says: "an error says success: true",
    operation: "getPayer",
    check: "refusals",
    code: "AUTH_MISSING",
    surface: live,
    tamper: () => ({
      answer: (returned, passing) =>
        passing.url.startsWith("/api/v1") && returned.body.includes("AUTH_MISSING")
          ? { ...returned, body: returned.body.replace('"success":false', '"success":true') }
          : returned
    })
  },
  {
    says: "data lacks a member",
    operation: "getJurisdiction",
    check: "answer",
    tamper: () => ({ answer: words(/"mac_name":"[^"]*",/, "") })
  },
  {
    says: "meta lacks the disclaimer",
    operation: "getPayer",
    check: "answer",
    tamper: () => ({ answer: words('"disclaimer"', '"claimer"') })
  },
  {
    says: "meta.request_id is not the header's",
    operation: "listPayers",
    check: "answer",
    tamper: () => ({ answer: onStatus(200, words(/"request_id":"req_./, '"request_id":"req_z')) })
  }
]

const ofTags: ReadonlyArray<PlantedFault> = [
  {
    says: "one ETag stands for every answer: it is stale",
    operation: "getPolicy",
    check: "etag",
    tamper: () => ({
      answer: header("etag", () => 'W/"always"'),
      request: (passing) => ({ ...passing, headers: known(passing.headers) })
    })
  },
  {
    says: "every If-None-Match is answered with 304",
    operation: "getJurisdiction",
    check: "etag",
    tamper: () => ({
      request: (passing) =>
        "if-none-match" in passing.headers
          ? { ...passing, headers: { ...passing.headers, "if-none-match": "*" } }
          : passing
    })
  },
  {
    says: "If-None-Match is ignored",
    operation: "getJurisdiction",
    check: "etag",
    tamper: () => ({ request: withoutHeader("if-none-match") })
  }
]

/** The proxy's own tag is none of the server's: any is taken for its own. */
const known = (headers: Readonly<Record<string, string>>) =>
  headers["if-none-match"]?.includes("always") === true ? { ...headers, "if-none-match": "*" } : headers

/** A cursor is sent on with the key that asked first of all. */
const oneForAll = (): NonNullable<Tamper["request"]> => {
  let first: string | undefined
  return (passing) => {
    const { authorization } = passing.headers
    if (!/limit=1(&|$)/.test(passing.url) || authorization === undefined) return passing
    first ??= authorization
    return { ...passing, headers: { ...passing.headers, authorization: first } }
  }
}

const ofLists: ReadonlyArray<PlantedFault> = [
  {
    says: "a cursor is accepted for other filters",
    operation: "listPolicyChanges",
    check: "cursor",
    tamper: () => ({ request: query((search) => search.has("cursor") && search.delete("change_type")) })
  },
  {
    says: "a cursor is accepted from another key",
    operation: "listPolicies",
    check: "cursor",
    tamper: () => ({ request: oneForAll() })
  },
  {
    says: "a cursor is ignored",
    operation: "searchCriteria",
    check: "cursor",
    tamper: () => ({
      request: query((search) => (search.get("cursor") ?? "").length > 20 && search.delete("cursor"))
    })
  }
]

const ofWrites: ReadonlyArray<PlantedFault> = [
  {
    says: "X-Idempotency-Key is ignored",
    operation: "createWebhook",
    check: "idempotency",
    tamper: () => ({ request: withoutHeader("x-idempotency-key") })
  },
  {
    says: "a key that was used for another request is not noticed",
    operation: "acknowledgeChange",
    check: "idempotency",
    tamper: () => ({
      request: query((search) => search.get("conformance") === "other" && search.delete("conformance"))
    })
  },
  {
    says: "a replay does not say that it is one",
    operation: "batchCodes",
    check: "idempotency",
    tamper: () => ({ answer: header("idempotent-replayed") })
  },
  {
    says: "a preflight does not allow Authorization",
    operation: "getPayer",
    check: "preflight",
    tamper: () => ({
      answer: header("access-control-allow-headers", (value) => value.replace("authorization, ", ""))
    })
  },
  {
    says: "an unknown method is answered with a bare 405",
    operation: "getPayer",
    check: "method",
    tamper: () => ({
      answer: (returned, { method }) => (method === "PUT" ? { status: 405, headers: {}, body: "" } : returned)
    })
  }
]

/** Everything that the checks are known to find. */
export const plantedFaults: ReadonlyArray<PlantedFault> = [
  ...ofHeaders,
  ...ofBodies,
  ...ofTags,
  ...ofLists,
  ...ofWrites
]
