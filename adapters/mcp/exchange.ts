import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import { isObject } from "../../core/json/isObject.ts"
import { instructions } from "../../core/mcp/instructions.ts"
import { listTools } from "../../core/mcp/listing.ts"
import type { ToolContent } from "../../core/mcp/toolAnswer.ts"
import { isToolName } from "../../core/mcp/tools.ts"
import type { ToolName } from "../../core/mcp/tools.ts"
import type { Answer } from "../../core/call/Call.ts"

/** A message as it came over HTTP, with its body read. */
export interface Message {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | undefined
  /** The body's JSON; undefined where it is none, which the library then says. */
  readonly json: unknown
}

/** Carries a tool's call out, for whoever was let in with the message. */
export type CallTool = (tool: ToolName, input: unknown) => Promise<ToolContent>

/**
 * One exchange of MCP's Streamable HTTP, for both protocol eras and without a session: a server of its own
 * answers each message and is gone with it. Arguments are judged by the call and not by the library, so that
 * PHI is refused before any schema and faults have the API's shape; of a tool that is unknown the protocol
 * says so (MCP 2025-11-25, Tools, Error Handling). Nothing streams: an answer is one event, sent when it is
 * there, and subscriptions are refused, since the tools never change.
 */
export const makeExchange = (baseUrl: string) => {
  const tools = listTools().map((tool) => ({ ...tool }))
  const info = { name: "coverage-policy", title: "Coverage-Policy API", version: "1.0.0" }
  const options = { capabilities: { tools: {} }, instructions: instructions(baseUrl) }

  const serverFor = (callTool: CallTool, sent: unknown): Server => {
    const server = new Server(info, options)
    server.setRequestHandler("tools/list", () => ({ tools }))
    server.setRequestHandler("tools/call", async ({ params }) => {
      // The name is not repeated: it may hold anything.
      if (!isToolName(params.name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool.")
      const content = await callTool(params.name, argumentsIn(sent) ?? params.arguments ?? {})
      return {
        isError: content.error !== undefined,
        structuredContent: { ...content },
        content: [{ type: "text", text: JSON.stringify(content) }]
      }
    })
    return server
  }

  return async (message: Message, callTool: CallTool): Promise<Answer> => {
    if (Array.isArray(message.json)) return batchRefused
    const handler = createMcpHandler(() => serverFor(callTool, message.json), {
      maxSubscriptions: 0,
      keepAliveMs: 0
    })
    const request = new Request(`${baseUrl}/mcp`, {
      method: message.method,
      headers: withoutToken(message.headers),
      ...(message.text === undefined ? {} : { body: message.text })
    })
    const { json } = message
    return answerOf(await handler.fetch(request, json === undefined ? {} : { parsedBody: json }))
  }
}

/** As they were sent: the library leaves out what it has no use for, such as `__proto__`. */
const argumentsIn = (sent: unknown): unknown =>
  isObject(sent) && isObject(sent["params"]) ? sent["params"]["arguments"] : undefined

/** The library needs no token: who calls is known by now. */
const withoutToken = ({ authorization: _, ...headers }: Message["headers"]): Record<string, string> => headers

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const kept = [...response.headers].filter(([name]) => !ofTheConnection.has(name))
  const body = text === "" ? undefined : text
  return {
    status: response.status,
    headers: { ...Object.fromEntries(kept), "cache-control": "no-store" },
    body
  }
}

/** What the server says of the connection itself. */
const ofTheConnection: ReadonlySet<string> = new Set(["connection", "content-length", "transfer-encoding"])

/**
 * MCP has had no batches since 2025-06-18; here one could hide a thousand calls in one request, and the
 * answer's headers speak of one.
 */
const batchRefused: Answer = {
  status: 400,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    error: { code: -32_600, message: "Batches are not taken: send one message a request." },
    id: null
  })
}
