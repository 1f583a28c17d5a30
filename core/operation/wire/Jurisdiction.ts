import * as Schema from "effect/Schema"

/** GET /jurisdictions (contract §2). */
export const JurisdictionView = Schema.Struct({
  mac_name: Schema.String,
  mac_code: Schema.String,
  jurisdiction_code: Schema.String,
  jurisdiction_name: Schema.String,
  states: Schema.Array(Schema.String),
  mac_type: Schema.String,
  website_url: Schema.NullOr(Schema.String)
})
export type JurisdictionView = typeof JurisdictionView.Type
