import * as Schema from "effect/Schema"

const maybeText = Schema.NullOr(Schema.String)

/** One step of a decision's reasoning as the wire shows it (coverage-domain §2.1, step 10). */
export const TraceItem = Schema.Struct({
  rule: Schema.String,
  policy_id: maybeText,
  version: Schema.NullOr(Schema.Int),
  group: Schema.NullOr(Schema.Int),
  result: Schema.String,
  citation: Schema.Struct({ source_url: maybeText, section: maybeText })
})
export type TraceItem = typeof TraceItem.Type
