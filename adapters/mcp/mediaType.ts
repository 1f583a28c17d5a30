import type { Answer } from "../../core/call/Call.ts"

/** How the answer of a POST is sent: as the library sends it, or always as one of the two media types. */
export type AnswerType = "either" | "json" | "stream"

/**
 * Returns how to answer a POST with this `Accept` header; undefined if it excludes both media types. MCP
 * clients name both, but some send one of them, a wildcard or no header (contract §3): JSON is sent unless
 * the client names only the stream.
 */
export const answerTypeOf = (accept: string | undefined): AnswerType | undefined => {
  const ranges = (accept ?? "").split(",").flatMap(acceptedRange)
  if ((accept ?? "").trim() === "") return "json"
  const json = ranges.includes("application/json")
  const stream = ranges.includes("text/event-stream")
  if (json && stream) return "either"
  if (json || ranges.some((range) => range === "*/*" || range === "application/*")) return "json"
  return stream || ranges.includes("text/*") ? "stream" : undefined
}

/** The media range in lower case; none if its weight is zero. */
const acceptedRange = (part: string): ReadonlyArray<string> => {
  const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
  return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
}

/** The header that the library requires of a POST. */
export const bothTypes = "application/json, text/event-stream"

/** The JSON of an answer that is one event or one JSON body; undefined if it has no body. */
export const jsonTextOf = ({ body }: Answer): string | undefined => {
  if (typeof body !== "string" || body === "") return undefined
  const data = body.split("\n").find((line) => line.startsWith("data: {"))
  return data === undefined ? body : data.slice("data: ".length)
}

/** The same answer with this JSON, in the media type that the client accepts. */
export const withJson = (answer: Answer, json: string, type: AnswerType): Answer => {
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true
  const asStream = type === "stream" || (type === "either" && isStream)
  const contentType = asStream ? "text/event-stream" : "application/json"
  return {
    ...answer,
    headers: { ...answer.headers, "content-type": contentType },
    body: asStream ? `event: message\ndata: ${json}\n\n` : json
  }
}
