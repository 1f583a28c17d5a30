import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { at } from "./request.ts"
import type { CheckRequest, CheckResponse } from "./request.ts"
import { exampleOf } from "./samples.ts"
import type { Sample } from "./samples.ts"

/** What earlier answers have named, for the requests that need an id of the library's. */
export interface KnownIds {
  policyId: string | undefined
  jurisdiction: string | undefined
  webhook: string | undefined
}

/** Requests that any library answers with success, or undefined where nothing was named to ask for. */
export const liveRequest = (id: OperationId, known: KnownIds): CheckRequest | undefined => {
  const { jurisdiction, policyId, webhook } = known
  switch (id) {
    case "lookupCode":
      return get("/codes/lookup?code=E0650&fuzzy=true")
    case "listPolicies":
      return get("/policies?limit=2")
    case "listPolicyChanges":
      return get("/policies/changes?limit=2")
    case "getPolicy":
      return policyId === undefined ? undefined : get(`/policies/${encodeURIComponent(policyId)}`)
    case "getJurisdiction":
      return jurisdiction === undefined
        ? undefined
        : get(`/jurisdictions/${encodeURIComponent(jurisdiction)}`)
    case "listDeliveries":
      return webhook === undefined ? undefined : get(`/webhooks/${webhook}/deliveries`)
    case "evaluateCoverage":
      return policyId === undefined ? undefined : posted(id, { policy_id: policyId, parameters: {} })
    case "checkPriorAuth":
      return posted(id, { procedure_codes: ["E0650"] })
    default:
      return onLive(exampleOf(id))
  }
}

/** Keeps what the answer of a list names. */
export const learn = (id: OperationId, { json }: CheckResponse, known: KnownIds): void => {
  const first = (name: string): string | undefined => {
    const value = at(json, "data", 0, name)
    return value === undefined ? undefined : String(value)
  }
  if (id === "listPolicies") known.policyId = first("policy_id")
  if (id === "listJurisdictions") known.jurisdiction = first("jurisdiction_code")
  if (id === "listWebhooks") known.webhook = first("id")
}

const get = (path: string): CheckRequest => ({ method: "GET", path: surfacePrefix.live + path })

const posted = (id: OperationId, body: unknown): CheckRequest => ({
  method: "POST",
  path: surfacePrefix.live + operationRow(id).path,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const onLive = (sample: Sample): CheckRequest => ({
  ...sample,
  path: sample.path.replace(surfacePrefix.sandbox, surfacePrefix.live)
})
