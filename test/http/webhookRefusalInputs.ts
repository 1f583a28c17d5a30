import type { ErrorCode } from "../../core/error/table.ts"
import type { TestRequest } from "./TestRequest.ts"

const json = { "content-type": "application/json" }
const posted =
  (path: string) =>
  (body: unknown): TestRequest => ({ path, body: JSON.stringify(body), headers: json })

const long = "x".repeat(9_000)

const create = posted("/webhooks")
/** The caller's own endpoint at this reserved host (prepared.ts makes it). */
const own = (host = "ok") => `/webhooks/{webhook ${host}}`
const patch = posted(own())
const replay = posted(`${own()}/replay`)
const acknowledge = posted("/compliance/ack")
const acknowledgeAll = posted("/compliance/ack/bulk")

const url = "https://ok.example.com/in"
const at = (host: string) => `https://${host}.example.com/in`
const window = { since: "2026-03-09T00:00:00Z", until: "2026-03-11T00:00:00Z" }

/** Sound requests to webhooks and compliance. */
export const soundWebhooks = {
  createWebhook: create({ url, events: ["*"] }),
  listWebhooks: { path: "/webhooks" },
  updateWebhook: patch({ url }),
  deleteWebhook: { path: own() },
  testWebhook: { path: `${own()}/test` },
  rotateWebhookSecret: { path: `${own()}/rotate-secret` },
  replayWebhook: replay(window),
  listDeliveries: { path: `${own()}/deliveries` },
  replayDelivery: { path: `${own()}/deliveries/{delivery}/replay` },
  listUnreviewed: { path: "/compliance/unreviewed" },
  complianceStats: { path: "/compliance/stats" },
  acknowledgeChange: acknowledge({ diff_id: 1, notes: "E0601" }),
  acknowledgeChanges: acknowledgeAll({ diff_ids: [1, 2], notes: "E0601" })
} as const satisfies Readonly<Record<string, TestRequest>>

type Faults = Partial<Record<ErrorCode, TestRequest>>

/** What a path with ids refuses whatever follows them. */
const idFaults = (path: (id: string) => string): Faults => ({
  VALIDATION_OUT_OF_RANGE: { path: path("9007199254740992") },
  VALIDATION_INVALID_FORMAT: { path: path("seven") },
  RESOURCE_NOT_FOUND: { path: path("999999999") }
})

const textInstead = (asked: TestRequest): TestRequest => ({
  ...asked,
  headers: { "content-type": "text/plain" }
})
const cutOff = (asked: TestRequest): TestRequest => ({ ...asked, body: '{"url":' })

/** What makes each of them refuse its input. */
export const faultyWebhooks: Readonly<Record<keyof typeof soundWebhooks, Faults>> = {
  createWebhook: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: textInstead(create({ url, events: ["*"] })),
    VALIDATION_INVALID_JSON: cutOff(create({})),
    VALIDATION_REQUIRED_FIELD: create({ url }),
    VALIDATION_OUT_OF_RANGE: create({ url, events: [] }),
    VALIDATION_INVALID_FORMAT: create({ url: "http://example.com/", events: ["*"] }),
    VALIDATION_ERROR: create({ url: at("private"), events: ["*"] }),
    SERVER_UPSTREAM_UNAVAILABLE: create({ url: at("resolver-down"), events: ["*"] })
  },
  listWebhooks: {
    VALIDATION_OUT_OF_RANGE: { path: `/webhooks?${long}` },
    VALIDATION_INVALID_FORMAT: { path: "/webhooks?x=%ff" }
  },
  updateWebhook: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: textInstead(patch({ url })),
    VALIDATION_INVALID_JSON: cutOff(patch({})),
    VALIDATION_REQUIRED_FIELD: patch({}),
    VALIDATION_OUT_OF_RANGE: patch({ events: [] }),
    VALIDATION_INVALID_FORMAT: patch({ events: ["test.ping"] }),
    VALIDATION_ERROR: patch({ url: "https://10.0.0.1/" }),
    SERVER_UPSTREAM_UNAVAILABLE: patch({ url: at("resolver-down") }),
    RESOURCE_NOT_FOUND: posted("/webhooks/999999999")({ url })
  },
  deleteWebhook: idFaults((id) => `/webhooks/${id}`),
  testWebhook: {
    ...idFaults((id) => `/webhooks/${id}/test`),
    VALIDATION_ERROR: { path: `${own("private")}/test` },
    SERVER_UPSTREAM_UNAVAILABLE: { path: `${own("resolver-down")}/test` }
  },
  rotateWebhookSecret: idFaults((id) => `/webhooks/${id}/rotate-secret`),
  replayWebhook: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: textInstead(replay(window)),
    VALIDATION_INVALID_JSON: cutOff(replay({})),
    VALIDATION_REQUIRED_FIELD: replay({ since: window.since }),
    VALIDATION_OUT_OF_RANGE: posted("/webhooks/9007199254740992/replay")(window),
    VALIDATION_INVALID_FORMAT: replay({ ...window, until: "tomorrow" }),
    VALIDATION_ERROR: replay({ ...window, until: 7 }),
    RESOURCE_NOT_FOUND: posted("/webhooks/999999999/replay")(window)
  },
  listDeliveries: {
    VALIDATION_OUT_OF_RANGE: { path: `${own()}/deliveries?limit=0` },
    VALIDATION_INVALID_FORMAT: { path: `${own()}/deliveries?status=lost` },
    VALIDATION_ERROR: { path: `${own()}/deliveries?limit=1&limit=2` },
    REQUEST_INVALID_CURSOR: { path: `${own()}/deliveries?cursor=abc` },
    RESOURCE_NOT_FOUND: { path: "/webhooks/999999999/deliveries" }
  },
  replayDelivery: idFaults((id) => `${own()}/deliveries/${id}/replay`),
  listUnreviewed: {
    VALIDATION_OUT_OF_RANGE: { path: "/compliance/unreviewed?limit=101" },
    VALIDATION_INVALID_FORMAT: { path: "/compliance/unreviewed?change_type=lost" },
    VALIDATION_ERROR: { path: "/compliance/unreviewed?limit=1&limit=2" },
    REQUEST_INVALID_CURSOR: { path: "/compliance/unreviewed?cursor=abc" }
  },
  complianceStats: {
    VALIDATION_OUT_OF_RANGE: { path: `/compliance/stats?${long}` },
    VALIDATION_INVALID_FORMAT: { path: "/compliance/stats?x=%ff" }
  },
  acknowledgeChange: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: textInstead(acknowledge({ diff_id: 1 })),
    VALIDATION_INVALID_JSON: cutOff(acknowledge({})),
    VALIDATION_REQUIRED_FIELD: acknowledge({}),
    VALIDATION_OUT_OF_RANGE: acknowledge({ diff_id: 1, notes: "x".repeat(501) }),
    // No text of it has a form: what is left is the key's.
    VALIDATION_INVALID_FORMAT: {
      ...acknowledge({ diff_id: 1 }),
      headers: { ...json, "x-idempotency-key": "caf\u00e9" }
    },
    VALIDATION_ERROR: acknowledge({ diff_id: "1" }),
    RESOURCE_NOT_FOUND: acknowledge({ diff_id: 999_999_999 })
  },
  acknowledgeChanges: {
    REQUEST_UNSUPPORTED_CONTENT_TYPE: textInstead(acknowledgeAll({ diff_ids: [1] })),
    VALIDATION_INVALID_JSON: cutOff(acknowledgeAll({})),
    VALIDATION_REQUIRED_FIELD: acknowledgeAll({}),
    VALIDATION_OUT_OF_RANGE: acknowledgeAll({ diff_ids: Array(201).fill(1) }),
    VALIDATION_INVALID_FORMAT: {
      ...acknowledgeAll({ diff_ids: [1] }),
      headers: { ...json, "x-idempotency-key": "caf\u00e9" }
    },
    VALIDATION_ERROR: acknowledgeAll({ diff_ids: [999_999_999] })
  }
}
