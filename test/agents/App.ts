import {
  Client as ClientOfTwo,
  StreamableHTTPClientTransport as TransportOfTwo
} from "@modelcontextprotocol/client"
import type { OAuthClientProvider as ProviderOfTwo } from "@modelcontextprotocol/client"
import { Client as ClientOfOne } from "@modelcontextprotocol/sdk/client/index.js"
import type { OAuthClientProvider as ProviderOfOne } from "@modelcontextprotocol/sdk/client/auth.js"
import { StreamableHTTPClientTransport as TransportOfOne } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { fieldOf } from "../mcp/content.ts"
import type { Content } from "../mcp/content.ts"

/** Nobody listens there: the tests themselves are the browser that comes back. */
export const redirectUri = "http://127.0.0.1:6274/oauth/callback"

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** What an app's own OAuth provider keeps; a test may spoil it. */
export interface AppRecord {
  information: { readonly client_id: string } | undefined
  tokens: Tokens | undefined
  /** Where the library sends the person; undefined: nowhere since it was last looked at. */
  asked: URL | undefined
}

/** A request that the library made by itself, such as "POST /mcp 401". */
export interface SentRequest {
  readonly says: string
  readonly headers: Headers
}

/** A tool's result as the library gives it, and what the answer's header says is left. */
export interface ToolResult {
  readonly isError: boolean
  readonly content: Content
  readonly remaining: string | null
}

/** An agent's application over an official client library, which does all of OAuth by itself. */
export interface App {
  readonly kept: AppRecord
  readonly sent: Array<SentRequest>
  /** Rejects, with `kept.asked`, where a person must consent first. */
  readonly connect: () => Promise<void>
  /** The person came back: the code becomes tokens. */
  readonly finish: (back: URL) => Promise<void>
  readonly tools: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<ToolResult>
  readonly close: () => Promise<void>
}

export interface AppOptions {
  readonly url: string
  readonly name: string
  /** Where its document lies, for an app that is known by it. */
  readonly metadataUrl?: string
}

/** What the tests ask of either library's client over one transport. */
interface Line {
  readonly connect: () => Promise<void>
  readonly finish: (back: URL) => Promise<void>
  readonly tools: () => Promise<ReadonlyArray<{ readonly name: string }>>
  readonly call: (name: string, input: Record<string, unknown>) => Promise<unknown>
  readonly close: () => Promise<void>
}

type Dial = (options: {
  readonly url: URL
  readonly name: string
  readonly provider: ReturnType<typeof providerOf>
  readonly fetch: typeof fetch
}) => Line

const appOver =
  (dial: Dial) =>
  ({ name, metadataUrl, url }: AppOptions): App => {
    const kept: AppRecord = { information: undefined, tokens: undefined, asked: undefined }
    const sent: Array<SentRequest> = []
    const provider = providerOf(kept, name, metadataUrl)
    const open = () => dial({ url: new URL(`${url}/mcp`), name, provider, fetch: telling(sent) })
    let line = open()
    return {
      kept,
      sent,
      connect: async () => {
        await line.close()
        line = open()
        await line.connect()
      },
      finish: (back) => line.finish(back),
      tools: async () => (await line.tools()).map((tool) => tool.name),
      call: async (tool, input = {}) => {
        const result = await line.call(tool, { ...input })
        const remaining = sent.findLast(({ says }) => says === "POST /mcp 200")?.headers
        return {
          isError: fieldOf(result, "isError") === true,
          content: fieldOf(result, "structuredContent") as Content,
          remaining: remaining?.get("x-credits-remaining") ?? null
        }
      },
      close: () => line.close()
    }
  }

/** Both libraries ask the same of a provider, in types of their own. */
const providerOf = (kept: AppRecord, name: string, metadataUrl: string | undefined) => {
  let verifier = ""
  let discovered: unknown
  return {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: name, redirect_uris: [redirectUri] },
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    state: () => `state of ${name}`,
    clientInformation: () => kept.information,
    saveClientInformation: (information: { readonly client_id: string }) => {
      kept.information = information
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens as Tokens
    },
    redirectToAuthorization: (asked: URL) => {
      kept.asked = asked
    },
    saveCodeVerifier: (secret: string) => {
      verifier = secret
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state: unknown) => {
      discovered = state
    },
    discoveryState: () => discovered,
    invalidateCredentials: (which: string) => {
      if (which === "all" || which === "tokens") kept.tokens = undefined
      if (which === "all" || which === "client") kept.information = undefined
    }
  }
}

/** The usual way out, which writes down what went. */
const telling =
  (sent: Array<SentRequest>): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    sent.push({ says: `${init?.method ?? "GET"} ${pathname} ${response.status}`, headers: response.headers })
    return response
  }

const byOne: Dial = ({ fetch, name, provider, url }) => {
  const client = new ClientOfOne({ name, version: "1.0.0" })
  const authProvider = provider as unknown as ProviderOfOne
  const transport = new TransportOfOne(url, { authProvider, fetch })
  return {
    // The transport's own type says less of `undefined` than this project does.
    connect: () => client.connect(transport as unknown as Parameters<ClientOfOne["connect"]>[0]),
    finish: (back) => transport.finishAuth(back.searchParams.get("code") ?? ""),
    tools: async () => (await client.listTools()).tools,
    call: (tool, input) => client.callTool({ name: tool, arguments: input }),
    close: () => client.close()
  }
}

const byTwo =
  (mode: "legacy" | "auto"): Dial =>
  ({ fetch, name, provider, url }) => {
    const client = new ClientOfTwo({ name, version: "1.0.0" }, { versionNegotiation: { mode } })
    const authProvider = provider as unknown as ProviderOfTwo
    const transport = new TransportOfTwo(url, { authProvider, fetch })
    return {
      connect: () => client.connect(transport),
      finish: (back) => transport.finishAuth(back.searchParams),
      tools: async () => (await client.listTools()).tools,
      call: (tool, input) => client.callTool({ name: tool, arguments: input }),
      close: () => client.close()
    }
  }

/** The official client libraries, of both generations and both eras of the protocol. */
export const apps = [
  ["sdk 1.x", appOver(byOne)],
  ["client 2.x by the 2025 protocol", appOver(byTwo("legacy"))],
  ["client 2.x by the 2026 protocol", appOver(byTwo("auto"))]
] as const
