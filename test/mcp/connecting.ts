import {
  Client as ClientOfTwo,
  StreamableHTTPClientTransport as TransportOfTwo
} from "@modelcontextprotocol/client"
import { Client as ClientOfOne } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as TransportOfOne } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { fieldOf } from "./content.ts"
import type { Content } from "./content.ts"

/** What the tests ask of an official client, whichever it is. */
export interface ConnectedClient {
  readonly instructions: string | undefined
  readonly tools: () => Promise<
    ReadonlyArray<{ readonly name: string; readonly description?: string | undefined }>
  >
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<CalledTool>
  /** Asks for changes of the tools' list, or fails at once where the protocol has no such question. */
  readonly listen: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** A tool's result, its text read. */
export interface CalledTool {
  readonly isError: boolean
  readonly content: Content
}

const info = { name: "tests", version: "1.0.0" }
const carrying = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

/** The structured content; the text beside it must say the same. */
const read = (result: unknown): CalledTool => {
  const content = fieldOf(result, "structuredContent") as Content
  const [first] = fieldOf(result, "content") as ReadonlyArray<unknown>
  const text = JSON.parse(String(fieldOf(first, "text"))) as unknown
  if (JSON.stringify(text) !== JSON.stringify(content)) throw new Error("the text says something else")
  return { isError: fieldOf(result, "isError") === true, content }
}

const byOne = async (url: string, token: string): Promise<ConnectedClient> => {
  const client = new ClientOfOne(info)
  const transport = new TransportOfOne(new URL(`${url}/mcp`), carrying(token))
  // The transport's own type says less of `undefined` than this project does.
  await client.connect(transport as unknown as Parameters<ClientOfOne["connect"]>[0])
  return {
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) => read(await client.callTool({ name, arguments: { ...input } })),
    listen: () => Promise.reject(new Error("the 2025 protocol has no subscriptions")),
    close: () => client.close()
  }
}

const byTwo =
  (mode: "legacy" | "auto") =>
  async (url: string, token: string): Promise<ConnectedClient> => {
    const client = new ClientOfTwo(info, { versionNegotiation: { mode } })
    await client.connect(new TransportOfTwo(new URL(`${url}/mcp`), carrying(token)))
    return {
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools,
      call: async (name, input = {}) => read(await client.callTool({ name, arguments: { ...input } })),
      listen: () => client.listen({ toolsListChanged: true }),
      close: () => client.close()
    }
  }

/** The official clients, of both generations and both eras of the protocol. */
export const clients = [
  ["sdk 1.x", byOne],
  ["client 2.x by the 2025 protocol", byTwo("legacy")],
  ["client 2.x by the 2026 protocol", byTwo("auto")]
] as const
