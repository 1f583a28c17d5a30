import { describe, descriptions } from "../operation/descriptions/describe.ts"
import { dataOf, describedBody, describedInputs } from "../operation/descriptions/published.ts"
import { jsonSchemaOf } from "../operation/jsonSchema.ts"
import type { JsonSchema } from "../operation/jsonSchema.ts"
import type { Tool } from "./Tool.ts"
import { toolAnswer } from "./toolAnswer.ts"
import { toolNames, tools } from "./tools.ts"
import type { ToolName } from "./tools.ts"

/** A tool as tools/list shows it (MCP 2025-11-25, Tools). */
export interface ListedTool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
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
  outputSchema: { ...describedAnswer(name, tool), type: "object" },
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
    return [argument, { ...Object(property), description }]
  })
  return { ...shape, properties: Object.fromEntries(properties) }
}

/** The described members of the requests that the tool sends, by name; the first operation's come first. */
const membersOf = ({ ways }: Tool): Readonly<Record<string, JsonSchema>> => {
  const requests = ways
    .flatMap((way) => Object.values(way))
    .flatMap((id) => [describedInputs(id, "path"), describedInputs(id, "query"), describedBody(id) ?? {}])
  return Object.assign({}, ...requests.toReversed().map(({ properties }) => properties))
}

/** The answer's shape: the data of each operation is described as the operation describes it. */
const describedAnswer = (name: ToolName, tool: Tool): JsonSchema => {
  const shape = jsonSchemaOf(toolAnswer(tool))
  const properties: Readonly<Record<string, JsonSchema>> = Object(shape["properties"])
  const parts = tool.ways.flatMap((way) =>
    Object.entries(way).map(([part, id]) => [part, dataOf(id)] as const)
  )
  const data = { ...properties["data"], properties: Object.fromEntries(parts) }
  return describe({ ...shape, properties: { ...properties, data } }, { owners: [name, "tools"], names: [] })
}
