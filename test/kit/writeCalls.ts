import * as Effect from "effect/Effect"
import { dayOf } from "../../core/coverage/date.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { KeyHash, KeyId } from "../../core/key/state.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Call } from "../../core/call/Call.ts"
import { partyOfKey } from "../../core/call/party.ts"
import { newCall } from "../../core/call/pipeline.ts"
import { surfaces } from "../../core/call/surfaces.ts"
import { targetOf } from "../../core/call/targets.ts"
import type { KeyHolder } from "../../core/key/state.ts"
import { freshId, isoTime } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"

/** Where the answers' links lead. */
export const publication = {
  baseUrl: "https://api.coverage.example",
  supportUrl: "https://coverage.example/support"
}

const operation = "acknowledgeChanges" as const

/** A call that has passed the checks up to its idempotency key, of an organization's own key. */
export const writeCall = (
  organizationId: string,
  given: { readonly key: string | undefined; readonly body?: string }
): Call => {
  const row = operationRow(operation)
  const now: IsoTime = isoTime(beganMs)
  const body = { _tag: "Text" as const, text: given.body ?? `{"diff_id":7}` }
  const request = {
    fault: undefined,
    params: {},
    query: {},
    accept: undefined,
    contentType: "application/json",
    contentEncoding: undefined,
    authorization: undefined,
    origin: undefined,
    ifNoneMatch: undefined,
    idempotencyKey: given.key,
    idempotencyAlias: undefined,
    address: "192.0.2.1",
    readBody: Effect.succeed(body)
  }
  const envelope = { requestId: freshId("req_"), now, today: dayOf(now), publication }
  const call = newCall(request, envelope, { surface: surfaces.api, target: targetOf(operation) })
  const input = { params: {}, query: {}, body: {} }
  const binding = { organization: "", operation, filters: "" }
  return Object.assign(call, {
    party: partyOfKey(holderOf(organizationId as OrganizationId, now)),
    body,
    parts: [{ name: operation, operation, row, input, position: null, binding }],
    receipt: { ...call.receipt, cost: 0 }
  })
}

const holderOf = (organizationId: OrganizationId, now: IsoTime): KeyHolder => ({
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
