import * as Schema from "effect/Schema"
import type { EventType } from "../../webhook/event.ts"

const ids = Schema.Array(Schema.Int)

/** `data` of each event as its body carries it (§6): ids alone, which the API tells more of. */
export const eventData = {
  "compliance.acknowledged": Schema.Struct({
    acknowledgement_ids: ids,
    diff_ids: ids,
    policy_ids: Schema.Array(Schema.String),
    acknowledged_at: Schema.String
  }),
  "test.ping": Schema.Struct({ endpoint_id: Schema.Int })
} as const satisfies Readonly<Record<EventType, Schema.Top>>
