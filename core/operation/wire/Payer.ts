import * as Schema from "effect/Schema"

/** GET /payers (contract §2). */
export const PayerView = Schema.Struct({
  code: Schema.String,
  name: Schema.String,
  type: Schema.String,
  lines_of_business: Schema.Array(Schema.String)
})
export type PayerView = typeof PayerView.Type
