import type { OperationId } from "../operation/catalogue.ts"
import { surfacePrefix } from "../operation/Operation.ts"
import type { ReservedRequest } from "./reservedInputs.ts"
import { fixtureReleaseId } from "./testKey.ts"

const get = (path: string): ReservedRequest => ({
  method: "GET",
  path: `${surfacePrefix.sandbox}${path}`,
  authorization: "own"
})

const post = (path: string, body: unknown): ReservedRequest => ({
  ...get(path),
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const patch = (path: string, body: unknown): ReservedRequest => ({ ...post(path, body), method: "PATCH" })

const bare = (method: ReservedRequest["method"], path: string): ReservedRequest => ({
  ...get(path),
  method
})

/** What stands for the reader's own ids in a path. */
export const standIns = { webhook: "$WEBHOOK", delivery: "$DELIVERY" } as const

const own = `/webhooks/${standIns.webhook}`
const day = { since: "2026-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z" }

/** A request that the fixtures answer with success, for each operation; one that is built must be here. */
export const examples: Readonly<Partial<Record<OperationId, ReservedRequest>>> = {
  lookupCode: get("/codes/lookup?code=E0650&include=policies"),
  batchCodes: post("/codes/batch", { codes: ["E0650", "E0652"] }),
  listPolicies: get("/policies?q=epidural&limit=2"),
  getPolicy: get("/policies/L90001?include=codes,criteria"),
  listPolicyChanges: get("/policies/changes?policy_id=L90003"),
  comparePolicies: post("/policies/compare", { procedure_codes: ["E0650"] }),
  listJurisdictions: get("/jurisdictions"),
  getJurisdiction: get("/jurisdictions/JH"),
  listPayers: get("/payers"),
  getPayer: get("/payers/medicare"),
  searchCriteria: get("/coverage/criteria?q=epidural&limit=2"),
  evaluateCoverage: post("/coverage/evaluate", {
    policy_id: "CVC-002",
    parameters: { procedure_code: "E0601", diagnosis_codes: ["G47.33"], modifier: "RR" }
  }),
  checkPriorAuth: post("/prior-auth/check", {
    procedure_codes: ["64493"],
    state: "TX",
    site_of_service: "outpatient_hospital"
  }),
  validateClaim: post("/claims/validate", {
    procedure_codes: ["62323"],
    diagnosis_codes: ["M54.16"],
    state: "TX"
  }),
  validateClaimTwin: post("/claim-validation", { procedure_codes: ["E0650"] }),
  listReleaseDecisions: {
    ...get(`/releases/${fixtureReleaseId}/decisions?code=E0650`),
    authorization: "certified"
  },
  listUnreviewed: get("/compliance/unreviewed?change_type=codes_changed"),
  complianceStats: get("/compliance/stats"),
  createWebhook: post("/webhooks", { url: "https://ok.example.com/in", events: ["*"] }),
  acknowledgeChange: post("/compliance/ack", { diff_id: 43, notes: "reviewed" }),
  acknowledgeChanges: post("/compliance/ack/bulk", { diff_ids: [41, 42, 43] }),
  listWebhooks: get("/webhooks"),
  updateWebhook: patch(own, { status: "active" }),
  testWebhook: bare("POST", `${own}/test`),
  rotateWebhookSecret: bare("POST", `${own}/rotate-secret`),
  listDeliveries: get(`${own}/deliveries`),
  replayDelivery: bare("POST", `${own}/deliveries/${standIns.delivery}/replay`),
  replayWebhook: post(`${own}/replay`, day),
  deleteWebhook: bare("DELETE", own)
}
