import * as Schema from "effect/Schema"
import { codeSystems } from "../coverage/Code.ts"

/** The shapes of `error.details`, each named for what it tells (contract §1). */

export const RequiredScopes = Schema.Struct({ required_scopes: Schema.Array(Schema.String) })

/** §7.3 BILLING_CREDITS_EXHAUSTED: the call's cost and the balance, in credits. */
export const CreditsShort = Schema.Struct({
  requests_required: Schema.Int,
  requests_available: Schema.Int
})

/** The same number as the Retry-After header, for clients that see only the body. */
export const RetryAfter = Schema.Struct({ retry_after_seconds: Schema.Int })

/**
 * A fault of one field: `path` is a JSON pointer, `message` names the field and what it takes, `allowed` are
 * the words of an enum. The submitted value is never repeated.
 */
export const FieldFault = Schema.Struct({
  path: Schema.String,
  code: Schema.String,
  message: Schema.String,
  allowed: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "FieldFault" })
export type FieldFault = typeof FieldFault.Type
export const FieldFaults = Schema.Struct({ fields: Schema.Array(FieldFault) })

/** Where an identifier was found and of which kind, never what it was; at most 20 (phi.md). */
export const Findings = Schema.Struct({
  findings: Schema.Array(Schema.Struct({ path: Schema.String, kind: Schema.String }))
})

export const Suggestion = Schema.Struct({
  code: Schema.String,
  code_system: Schema.Literals(codeSystems),
  description: Schema.NullOr(Schema.String),
  score: Schema.Number,
  match_type: Schema.Literals(["code", "description"])
}).annotate({ identifier: "CodeSuggestion" })
export const Suggestions = Schema.Struct({ suggestions: Schema.Array(Suggestion) })

/** What the health probe saw of one dependency (§2.4). */
export const HealthCheck = Schema.Struct({
  status: Schema.Literals(["up", "down"]),
  latency_ms: Schema.NullOr(Schema.Number),
  /** Why it is down, in a word. */
  reason: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "HealthCheck" })
/** Present on the health operation only, hence optional. */
export const CheckFaults = Schema.Struct({
  checks: Schema.optionalKey(Schema.Struct({ database: HealthCheck, cache: HealthCheck }))
})
