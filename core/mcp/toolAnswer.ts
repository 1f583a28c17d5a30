import * as Schema from "effect/Schema"
import { operationRow } from "../operation/catalogue.ts"
import type { Tool } from "./Tool.ts"

/** The error object of the API (§7.1), as a refused call of a tool bears it. */
const ToolError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  hint: Schema.String,
  docUrl: Schema.String,
  retryable: Schema.Boolean,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

const Omission = Schema.Struct({ at: Schema.String, shown: Schema.Int, of: Schema.Int, next: Schema.String })

/** What a large answer leaves out: where, how much of it is shown, and how to read the rest. */
export type Omission = typeof Omission.Type

const ToolMeta = Schema.Struct({
  request_id: Schema.String,
  timestamp: Schema.String,
  credits: Schema.Struct({
    /** What the call spent: the tool's whole price or nothing. */
    cost: Schema.Int,
    /** Allowance, purchased and starter credits that are left; null where nothing was looked up. */
    remaining: Schema.NullOr(Schema.Int)
  }),
  data_as_of: Schema.optionalKey(Schema.NullOr(Schema.String)),
  disclaimer: Schema.optionalKey(Schema.String),
  /** What the API says of one part alone, such as its pagination. */
  parts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown))),
  truncated: Schema.optionalKey(Schema.Array(Omission))
})

/**
 * The structured content of a tool's answer: `data`, which has the data of each operation that ran under the
 * name of its part, or `error`. The list of tools publishes less of it (decision 0043).
 */
export const toolAnswer = ({ ways }: Tool) =>
  Schema.Struct({
    data: Schema.optionalKey(Schema.Struct(Object.assign({}, ...ways.map(partsShape)))),
    error: Schema.optionalKey(ToolError),
    request_id: Schema.optionalKey(Schema.String),
    meta: ToolMeta
  })

const partsShape = (way: Tool["ways"][number]) =>
  Object.fromEntries(
    Object.entries(way).map(([name, operation]) => [
      name,
      Schema.optionalKey(operationRow(operation).success ?? Schema.Unknown)
    ])
  )

/** The structured content of any tool, to whoever does not look into the data. */
export interface ToolContent {
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: typeof ToolError.Type
  readonly request_id?: string
  readonly meta: typeof ToolMeta.Type
}
