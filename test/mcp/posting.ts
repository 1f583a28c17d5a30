import { request } from "node:http"
import type { IncomingHttpHeaders } from "node:http"

export interface PostResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A request to /mcp exactly as a test says it, Host included; an undefined header is left out. */
export const send = (
  url: string,
  asked: {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string | undefined>>
    readonly body?: string
  }
): Promise<PostResult> =>
  new Promise((resolve, reject) => {
    const { method = "POST", path = "/mcp", body } = asked
    const told = { ...usual, ...asked.headers }
    const headers = Object.fromEntries(Object.entries(told).filter((entry) => entry[1] !== undefined))
    const setHost = asked.headers === undefined || !("host" in asked.headers)
    const { hostname, port } = new URL(url)
    const outgoing = request(
      { hostname, port, method, path, headers: headers as never, setHost, agent: false },
      (incoming) => {
        let text = ""
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
        )
      }
    )
    outgoing.on("error", reject)
    outgoing.end(body)
  })

/** Begins a request, and gives the means to leave before it is answered. */
export const postAndLeave = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string
): (() => Promise<void>) => {
  const { hostname, port } = new URL(url)
  const told = { ...usual, ...headers }
  const outgoing = request({ hostname, port, path: "/mcp", method: "POST", headers: told, agent: false })
  outgoing.on("error", () => undefined)
  const written = new Promise<void>((resolve) => {
    if ("content-length" in headers) outgoing.write(body, () => resolve())
    else outgoing.end(body, () => resolve())
  })
  const closed = new Promise<void>((resolve) => outgoing.on("close", resolve))
  return async () => {
    await written
    outgoing.destroy()
    await closed
  }
}

const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" }

export const message = (method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })

/** A message that costs nothing. */
export const ping = message("ping")

/** The JSON-RPC answer of a post: the one event of its stream, or its body. */
export const answerOf = ({ text }: PostResult): unknown =>
  JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as unknown

/** Calls a tool as the 2025 protocol has it, and shows the result. */
export const callTool = async (
  url: string,
  token: string,
  name: string,
  input: unknown = {}
): Promise<{ readonly posted: PostResult; readonly result: unknown }> => {
  const headers = { authorization: `Bearer ${token}` }
  const body = message("tools/call", { name, arguments: input })
  const posted = await send(url, { headers, body })
  return { posted, result: Object(answerOf(posted))["result"] }
}
