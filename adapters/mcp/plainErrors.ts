import { isObject } from "../../core/json/isObject.ts"
import { parseJsonText } from "../../core/json/jsonText.ts"

/**
 * What the server says for an error of the protocol's library, by its code. The library's own texts contain
 * lists of schema issues and submitted values (contract §3).
 */
const sentences: ReadonlyMap<number, string> = new Map([
  [-32_700, "The body is not JSON: send one JSON-RPC message."],
  [-32_600, "The message is not a JSON-RPC request, notification or response."],
  [-32_601, "The server does not have this method; it has initialize, ping, tools/list and tools/call."],
  [-32_602, "`params` does not have the form that this method and protocol version take."],
  [-32_603, "The server failed on this message: send it again."],
  [-32_020, "The headers MCP-Protocol-Version, Mcp-Method and Mcp-Name must be those of the message."],
  [-32_022, "The server does not support this protocol version; data.supported lists those that it does."]
])

/** For the library's -32000, which it uses for every other fault of the HTTP request. */
const badRequest =
  "The request is not one of MCP's Streamable HTTP: send `Content-Type: application/json` and the " +
  "MCP-Protocol-Version that was negotiated."

/** The library's answer, its error in plain words; results are unchanged. */
export const inPlainWords = (json: string): string => {
  // Only an error is worth parsing: a result may be large.
  if (json.includes('"result":')) return json
  const answer = parseJsonText(json)
  if (!isObject(answer) || !isObject(answer["error"])) return json
  const { code, data } = answer["error"]
  const message = sentences.get(Number(code)) ?? badRequest
  // Clients negotiate by the versions in it; the data of other errors repeats what was sent.
  const kept = code === -32_022 ? { data } : {}
  return JSON.stringify({ ...answer, error: { code, message, ...kept } })
}
