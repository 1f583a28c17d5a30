import { describedEvent } from "../../../core/operation/descriptions/published.ts"
import { deliveryDeadlineMs } from "../../../core/webhook/delivery.ts"
import { eventNames, eventTypes } from "../../../core/webhook/event.ts"
import type { EventType } from "../../../core/webhook/event.ts"
import { exampleBodies } from "../../../core/sandbox/exampleEvents.ts"
import { headerMeanings } from "../../../core/webhook/headerMeanings.ts"
import { nameKeyword } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"
import { eventOperationId, eventSchemaName } from "./componentNames.ts"

/** What the service sends to an endpoint of the caller's own (§6): one entry for each event. */
export const webhooks = (): JsonSchema =>
  Object.fromEntries(eventNames.map((type) => [type, { post: delivery(type) }]))

const delivery = (type: EventType): JsonSchema => ({
  operationId: eventOperationId(type),
  tags: ["events"],
  summary: eventTypes[type].says,
  description:
    "Signed by Standard Webhooks: verify `webhook-signature` over the bytes as they came before you believe" +
    " a word of them (/docs/webhooks).",
  security: [],
  parameters: Object.entries(headerMeanings).map(([name, description]) => ({
    in: "header",
    name,
    required: true,
    description,
    schema: { type: "string" }
  })),
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: eventSchema(type), example: JSON.parse(exampleBodies[type]) }
    }
  },
  responses
})

const eventSchema = (type: EventType): JsonSchema => ({
  ...describedEvent(type),
  [nameKeyword]: eventSchemaName(type)
})

const responses = {
  "2XX": { description: `Taken. Answer within ${deliveryDeadlineMs / 1_000} seconds.` },
  "410": { description: "Nothing more is wanted: the endpoint is disabled at once." },
  default: { description: "Not taken: it is sent again by the schedule." }
} as const
