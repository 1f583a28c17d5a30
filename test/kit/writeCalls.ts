import type { IsoTime } from "../../core/coverage/date.ts"
import type { KeyHash, KeyId } from "../../core/key/state.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { KeyedRequest } from "../../core/workflow/idempotent.ts"
import type { WriteCall } from "../../core/workflow/writing.ts"
import { freshId, isoTime } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"

/** Where the answers' links lead. */
export const publication = {
  baseUrl: "https://api.coverage.example",
  supportUrl: "https://coverage.example/support"
}

const operation = "acknowledgeChanges"

/** A call that has passed the checks up to its idempotency key, of an organization's own key. */
export const writeCall = (
  organizationId: string,
  given: { readonly key: string | undefined; readonly body?: string }
): { readonly call: WriteCall; readonly request: KeyedRequest | undefined } => {
  const row = operationRow(operation)
  const now: IsoTime = isoTime(beganMs)
  const requestId = freshId("req_")
  return {
    call: {
      facts: {
        row,
        holder: holderOf(organizationId as OrganizationId, now),
        now,
        address: "192.0.2.1",
        origin: undefined
      },
      operation,
      surface: "live",
      envelope: { requestId, now, publication, headers: { "x-request-id": requestId, "x-credits-cost": "0" } }
    },
    request:
      given.key === undefined
        ? undefined
        : {
            key: given.key,
            path: row.path,
            params: {},
            query: {},
            body: given.body ?? `{"diff_id":7}`
          }
  }
}

const holderOf = (organizationId: OrganizationId, now: IsoTime): WriteCall["facts"]["holder"] => ({
  key: {
    keyId: "key_00000000000000000000000001" as KeyId,
    hash: "" as KeyHash,
    organizationId,
    name: "test",
    mode: "live",
    scopes: ["write"],
    mark: "valid",
    reason: null,
    createdAt: now,
    expiresAt: null,
    lastUsedAt: null,
    allowedCidrs: [],
    allowedOrigins: [],
    releaseId: null
  },
  pack: "credits",
  organizationSuspended: false,
  concurrentMax: null
})
