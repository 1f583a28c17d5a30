import { makeMcp } from "../../adapters/mcp/makeMcp.ts"

/** The MCP server; its library is only loaded when an agent comes. */
export const makeAgents = makeMcp
