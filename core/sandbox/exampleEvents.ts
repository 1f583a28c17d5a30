import { acknowledgedEvents } from "../compliance/acknowledgedEvents.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { eventBody, pingData } from "../webhook/event.ts"
import type { EventType, WebhookEvent, WebhookId } from "../webhook/event.ts"

const acknowledgedAt = "2026-09-01T09:00:46.000Z" as IsoTime

const [acknowledged] = acknowledgedEvents([
  {
    acknowledgementId: 7,
    organizationId: "org_example" as OrganizationId,
    diffId: 43,
    policyId: "A95011" as PolicyId,
    notes: null,
    acknowledgedAt
  }
])

const example = (type: EventType, data: WebhookEvent["data"]): WebhookEvent => ({
  webhookId: "msg_01m1e364hgefkchj3n443n1z4z" as WebhookId,
  type,
  occurredAtMs: 1_788_253_246_000,
  data
})

/** A body of each event as it is delivered, for the documentation: written by what writes the real ones. */
export const exampleBodies: Readonly<Record<EventType, string>> = {
  "compliance.acknowledged": eventBody(example("compliance.acknowledged", acknowledged ?? {})),
  "test.ping": eventBody(example("test.ping", pingData(3)))
}
