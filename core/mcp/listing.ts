import { isObject } from "../json/isObject.ts"
import { descriptions } from "../operation/descriptions/describe.ts"
import { describedBody, describedInputs } from "../operation/descriptions/published.ts"
import { dateWords } from "../operation/field.ts"
import { expectedKeyword } from "../operation/jsonSchema.ts"
import type { JsonSchema } from "../operation/jsonSchema.ts"
import type { Tool } from "./Tool.ts"
import { toolNames, tools } from "./tools.ts"
import type { ToolName } from "./tools.ts"

/** A tool as tools/list shows it (MCP 2025-11-25, Tools). */
export interface ListedTool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  /** Says only that an answer is an object with `meta`: whole schemas were 86 of 99 KB of the list. */
  readonly outputSchema: ObjectSchema & { readonly required: readonly ["meta"] }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: true
    readonly destructiveHint: false
    readonly idempotentHint: true
    readonly openWorldHint: false
  }
}

/** Arguments and answers are objects at their root. */
export interface ObjectSchema extends JsonSchema {
  readonly type: "object"
}

/** Every tool, with what an agent must know to choose and to call it: its price too. */
export const listTools = (): ReadonlyArray<ListedTool> => toolNames.map((name) => listed(name, tools[name]))

const listed = (name: ToolName, tool: Tool): ListedTool => ({
  name,
  title: tool.title,
  description: `${tool.description} ${priceOf(tool)}`,
  inputSchema: { ...describedArguments(name, tool), type: "object" },
  outputSchema: { type: "object", required: ["meta"] },
  annotations: {
    title: tool.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false
  }
})

export const priceOf = ({ credits }: Tool): string =>
  credits === 0 ? "Costs nothing." : `Costs ${credits} ${credits === 1 ? "credit" : "credits"} a call.`

/**
 * The arguments' shape. An argument is described as a tool's own where the table has a key for it, otherwise
 * as the field of that name of an operation that the tool runs.
 */
const describedArguments = (name: ToolName, tool: Tool): JsonSchema => {
  const shape = tool.schema
  const fields = membersOf(tool)
  const properties = Object.entries(Object(shape["properties"])).map(([argument, property]) => {
    const own = descriptions[`${name}.${argument}`] ?? descriptions[`tools.${argument}`]
    const description = own ?? fields[argument]?.["description"] ?? descriptions[argument]
    return [argument, { ...published(Object(property)), description }]
  })
  return { ...shape, properties: Object.fromEntries(properties) }
}

/** Keywords that clients know: the format of a date, and no phrase for messages. */
const published = ({ [expectedKeyword]: expected, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(expected === dateWords ? { format: "date" } : {}),
  ...(isObject(schema["items"]) ? { items: published(schema["items"]) } : {})
})

/** The described members of the requests that the tool sends, by name; the first operation's come first. */
const membersOf = ({ ways }: Tool): Readonly<Record<string, JsonSchema>> => {
  const requests = ways
    .flatMap((way) => Object.values(way))
    .flatMap((id) => [describedInputs(id, "path"), describedInputs(id, "query"), describedBody(id) ?? {}])
  return Object.assign({}, ...requests.toReversed().map(({ properties }) => properties))
}
