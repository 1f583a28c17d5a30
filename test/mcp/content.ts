import type { ToolContent } from "../../core/mcp/toolAnswer.ts"

export type Content = ToolContent

/** A member of what came over the wire. */
export const fieldOf = (value: unknown, name: string): unknown => Object(value)[name]
