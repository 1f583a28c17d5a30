import * as Schema from "effect/Schema"
import { scopes } from "../scope.ts"

/** A new test key (contract §3), shown this once. */
export const TestKeyView = Schema.Struct({
  key: Schema.String,
  scopes: Schema.Array(Schema.Literals(scopes)),
  release_id: Schema.NullOr(Schema.String),
  expires_at: Schema.String
})
export type TestKeyView = typeof TestKeyView.Type
