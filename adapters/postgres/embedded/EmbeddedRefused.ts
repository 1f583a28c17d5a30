import * as Schema from "effect/Schema"

/** Why the embedded PostgreSQL cannot serve, in one sentence that says what to do. */
export class EmbeddedRefused extends Schema.TaggedError<EmbeddedRefused>()("EmbeddedRefused", {
  message: Schema.String
}) {}
