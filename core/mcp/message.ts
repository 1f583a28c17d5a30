import * as Result from "effect/Result"
import { readJson } from "../admission/body.ts"
import { isObject } from "../json/isObject.ts"
import { isToolName, toolNames } from "./tools.ts"

/** A JSON-RPC error that the server writes itself: one plain sentence, and the status of its HTTP answer. */
export interface MessageFault {
  readonly _tag: "Fault"
  readonly status: 200 | 400
  readonly code: number
  readonly message: string
  /** The id of the request, null where it cannot be read. */
  readonly id: string | number | null
}

/** A message without the members that count as absent. */
export interface ReadMessage {
  readonly _tag: "Message"
  /** Undefined for a response of the client. */
  readonly method: string | undefined
  readonly json: Readonly<Record<string, unknown>>
  /** The arguments of `tools/call` exactly as they were sent; an empty object if they were absent. */
  readonly input: unknown
}

/**
 * Reads one JSON-RPC message of MCP (contract §3). Nulls count as absent: `params`, its members, and
 * `arguments`. `json` is undefined if the body is not JSON. No fault repeats a submitted value but the id.
 */
export const readMessage = (json: unknown): ReadMessage | MessageFault => {
  if (json === undefined) return fault(json, "parseError", "The body is not JSON: send one JSON-RPC message.")
  if (Array.isArray(json)) return fault(json, "invalidRequest", batches)
  if (!isObject(json)) return fault(json, "invalidRequest", "A message is one JSON object.")
  if (json["jsonrpc"] !== "2.0") return fault(json, "invalidRequest", '`jsonrpc` must be "2.0".')
  if (json["method"] === undefined && isResponse(json))
    return { _tag: "Message", method: undefined, json, input: {} }
  const { method, id } = json
  if (typeof method !== "string") return fault(json, "invalidRequest", "`method` is required and is text.")
  if (id !== undefined && !isId(id))
    return fault(json, "invalidRequest", "`id` must be text or an integer; a notification has no `id`.")
  const params = json["params"] ?? undefined
  if (params !== undefined && !isObject(params))
    return fault(json, "invalidParams", "`params` must be an object.", 400)
  return readParams(json, method, withoutNulls(params ?? {}, nullDepth))
}

const readParams = (
  json: Readonly<Record<string, unknown>>,
  method: string,
  params: Readonly<Record<string, unknown>>
): ReadMessage | MessageFault => {
  const { id } = json
  const base = { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method }
  const input = argumentsOf(params["arguments"])
  // A tool receives `input`: the library would drop members such as `__proto__`.
  const sent = method === "tools/call" ? { ...params, arguments: {} } : params
  const problem =
    id === undefined ? undefined : (metaProblem(params) ?? problemOf(method, { ...params, arguments: input }))
  if (problem !== undefined) return fault(json, "invalidParams", problem, 200)
  const isEmpty = Object.keys(sent).length === 0
  return { _tag: "Message", method, json: isEmpty ? base : { ...base, params: sent }, input }
}

const metaProblem = ({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined => {
  if (meta === undefined) return undefined
  if (!isObject(meta)) return "`params._meta` must be an object."
  const token = meta["progressToken"]
  return token === undefined || isId(token)
    ? undefined
    : "`params._meta.progressToken` must be text or an integer."
}

/** What is wrong with the params of a request, by its method; other methods have no params of their own. */
const problemOf = (method: string, params: Readonly<Record<string, unknown>>): string | undefined => {
  switch (method) {
    case "initialize":
      return initializeProblem(params)
    case "tools/call":
      return callProblem(params)
    case "tools/list":
      return (params["cursor"] ?? "") === ""
        ? undefined
        : "The list of tools has one page: leave `cursor` out."
    default:
      return undefined
  }
}

const initializeProblem = (params: Readonly<Record<string, unknown>>): string | undefined => {
  const { protocolVersion, capabilities, clientInfo } = params
  if (typeof protocolVersion !== "string") return "`params.protocolVersion` is required and is text."
  if (!isObject(capabilities)) return "`params.capabilities` is required and is an object."
  if (!isObject(clientInfo) || typeof clientInfo["name"] !== "string" || !isVersioned(clientInfo))
    return "`params.clientInfo` is required and has the texts `name` and `version`."
  return undefined
}

const isVersioned = ({ version }: Readonly<Record<string, unknown>>): boolean => typeof version === "string"

const callProblem = (params: Readonly<Record<string, unknown>>): string | undefined => {
  const { name } = params
  if (typeof name !== "string") return `\`params.name\` is required and names one of ${toolNames.join(", ")}.`
  // The name is not repeated: it may hold anything.
  if (!isToolName(name)) return `Unknown tool. The tools are ${toolNames.join(", ")}.`
  return isObject(params["arguments"]) ? undefined : "`params.arguments` must be an object."
}

/**
 * Arguments that some clients send otherwise than as an object: none, an empty text, the JSON of an object,
 * and the empty array that PHP writes for an empty object.
 */
const argumentsOf = (sent: unknown): unknown => {
  if (sent === undefined || sent === "" || (Array.isArray(sent) && sent.length === 0)) return {}
  if (typeof sent !== "string" || !sent.trimStart().startsWith("{")) return sent
  // An object with a repeated name is not read: one of the values would be lost.
  return Result.getOrElse(readJson({ _tag: "Text", text: sent }), () => sent)
}

/** Null members of `params` and of the objects in it are optional ones. */
const nullDepth = 4

const withoutNulls = (
  value: Readonly<Record<string, unknown>>,
  depth: number
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [
        name,
        depth > 1 && name !== "arguments" && isObject(member) ? withoutNulls(member, depth - 1) : member
      ])
  )

const isResponse = (json: Readonly<Record<string, unknown>>): boolean =>
  isId(json["id"]) && (isObject(json["result"]) || isObject(json["error"]))

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id))

const fault = (
  json: unknown,
  code: keyof typeof codes,
  message: string,
  status: MessageFault["status"] = 400
): MessageFault => {
  const id = isObject(json) && isId(json["id"]) ? json["id"] : null
  return { _tag: "Fault", status, code: codes[code], message, id }
}

/** MCP has had no batches since 2025-06-18, and one could hide a thousand calls in one request. */
const batches = "Batches are not accepted: send one message in each request."

/** The codes of JSON-RPC 2.0 (§5.1). */
const codes = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602 } as const
