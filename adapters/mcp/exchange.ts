import { createMcpHandler, Server } from "@modelcontextprotocol/server"
import type { Answer } from "../../core/call/Call.ts"
import { instructions } from "../../core/mcp/instructions.ts"
import { listTools } from "../../core/mcp/listing.ts"
import { readMessage } from "../../core/mcp/message.ts"
import type { MessageFault } from "../../core/mcp/message.ts"
import { isToolName } from "../../core/mcp/tools.ts"
import type { ToolName } from "../../core/mcp/tools.ts"
import type { ToolContent } from "../../core/mcp/toolAnswer.ts"
import { answerTypeOf, bothTypes, jsonTextOf, withJson } from "./mediaType.ts"
import type { AnswerType } from "./mediaType.ts"
import { inPlainWords } from "./plainErrors.ts"

/** An HTTP request to /mcp, with its body read. */
export interface Message {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** The body's JSON; undefined if the body is not JSON. */
  readonly json: unknown
}

/** Runs a tool for the caller who was admitted with the message. */
export type CallTool = (tool: ToolName, input: unknown) => Promise<ToolContent>

/**
 * Answers one HTTP request of MCP's Streamable HTTP, in both protocol eras and without sessions: each message
 * has a server of its own. The kernel reads the message first, so that a malformed one gets one sentence and
 * arguments pass the PHI scan before any schema (MCP 2025-11-25, Tools, Error Handling). An answer is one
 * event or one JSON body, and subscriptions are rejected: the tools never change.
 */
export const makeExchange = (baseUrl: string) => {
  const tools = listTools().map((tool) => ({ ...tool }))
  const info = { name: "coverage-policy", title: "Coverage-Policy API", version: "1.0.0" }
  const options = { capabilities: { tools: {} }, instructions: instructions(baseUrl) }

  const serverFor = (callTool: CallTool, input: unknown): Server => {
    const server = new Server(info, options)
    server.setRequestHandler("tools/list", () => ({ tools }))
    server.setRequestHandler("tools/call", async ({ params }) => {
      if (!isToolName(params.name)) throw new Error("readMessage checks the name")
      const content = await callTool(params.name, input)
      return {
        isError: content.error !== undefined,
        structuredContent: { ...content },
        content: [{ type: "text", text: JSON.stringify(content) }]
      }
    })
    return server
  }

  const answerMessage = async (message: Message, callTool: CallTool, type: AnswerType): Promise<Answer> => {
    const read = readMessage(message.json)
    if (read._tag === "Fault") return faultAnswer(read, type)
    const handler = createMcpHandler(() => serverFor(callTool, read.input), {
      maxSubscriptions: 0,
      keepAliveMs: 0
    })
    const request = new Request(`${baseUrl}/mcp`, {
      method: message.method,
      headers: libraryHeaders(message.headers, read.method),
      body: JSON.stringify(read.json)
    })
    const answer = await answerOf(await handler.fetch(request, { parsedBody: read.json }))
    const json = jsonTextOf(answer)
    return json === undefined ? answer : withJson(answer, inPlainWords(json), type)
  }

  return async (message: Message, callTool: CallTool): Promise<Answer> => {
    if (message.method !== "POST") return methodNotAllowed
    const type = answerTypeOf(message.headers["accept"])
    if (type === undefined) return notAcceptable
    return answerMessage(message, callTool, type)
  }
}

/**
 * The headers that the library reads. It receives no token, and both media types in any case. The version in
 * the header of a 2025 `initialize` is dropped: the one in its body is negotiated (contract §3).
 */
const libraryHeaders = (
  { authorization: _, ...headers }: Message["headers"],
  method: string | undefined
): Record<string, string> => {
  const { "mcp-protocol-version": _version, ...versionless } = headers
  return { ...(method === "initialize" ? versionless : headers), accept: bothTypes }
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const kept = [...response.headers].filter(([name]) => !connectionHeaders.has(name))
  return {
    status: response.status,
    headers: { ...Object.fromEntries(kept), ...notStored },
    body: text === "" ? undefined : text
  }
}

const notStored = { "cache-control": "private, no-store" }

/** Headers that describe the connection, which the HTTP server writes itself. */
const connectionHeaders: ReadonlySet<string> = new Set(["connection", "content-length", "transfer-encoding"])

const faultAnswer = ({ status, code, message, id }: MessageFault, type: AnswerType): Answer => {
  const json = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
  return withJson({ status, headers: notStored, body: undefined }, json, type)
}

const requestFault = (status: number, message: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers: { ...headers, ...notStored, "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } })
})

const methodNotAllowed = requestFault(405, "The server has no streams and no sessions: send POST requests.", {
  allow: "POST"
})

const notAcceptable = requestFault(
  406,
  "The server answers in application/json or text/event-stream: name one of them in `Accept`, or neither."
)
