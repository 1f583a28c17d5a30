import * as Schema from "effect/Schema"

/** What is wrong in one place; `line` counts from 1 and is null for the file as a whole. */
export interface PayerFault {
  readonly line: number | null
  /** RFC 6901, into the object of the line; empty for the whole line. */
  readonly pointer: string
  /** A sentence's part that repeats nothing of what the file holds. */
  readonly reason: string
}

/** A file of payer policies that cannot be read as one: every fault of every line, in order. */
export class PayerFileMalformed extends Schema.TaggedError<PayerFileMalformed>()("PayerFileMalformed", {
  file: Schema.String,
  faults: Schema.Array(
    Schema.Struct({ line: Schema.NullOr(Schema.Number), pointer: Schema.String, reason: Schema.String })
  )
}) {}
