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
  inputSchema: { ...described(tool), type: "object" },
  outputSchema: { ...jsonSchemaOf(toolAnswer(tool)), type: "object" },
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

/** The arguments' shape, each with what it means. */
const described = (tool: Tool): JsonSchema => {
  const shape = jsonSchemaOf(tool.input, tool.closed ? "/body" : undefined)
  const properties = Object.entries(Object(shape["properties"])).map(([name, property]) => [
    name,
    { ...Object(property), description: tool.about[name] }
  ])
  return { ...shape, properties: Object.fromEntries(properties) }
}
