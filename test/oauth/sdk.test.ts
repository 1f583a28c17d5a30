import * as second from "@modelcontextprotocol/client"
import * as first from "@modelcontextprotocol/sdk/client/auth.js"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import {
  consent,
  consentUid,
  errorOf,
  holder,
  pathOf,
  redirectUri,
  refresh,
  revoke,
  visit
} from "./client.ts"
import type { Jar } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { baseUrl, serve } from "./serving.ts"

const libraries = { "1.x": first, "2.x": second } as const

/** What both do alike, under the older one's types. */
type Library = typeof first

/** Reaches the server by its socket under its own name. */
const reaching =
  ({ url }: OAuthSite): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(url + pathname + search, init)
  }

describe("§5 the official client libraries of MCP go through the dance", () => {
  let serving: OAuthSite
  beforeAll(async () => {
    serving = await serve()
  })
  afterAll(() => serving.close())

  for (const [version, library] of Object.entries(libraries))
    it(`${version}: discovery, registration, consent, tokens, refresh twice, reuse, the end`, async () => {
      const client = library as unknown as Library
      const fetchFn = reaching(serving)
      const begun = await begin(client, fetchFn)
      const { asked, authorizationUrl, clientInformation, codeVerifier, issuer } = begun
      const jar: Jar = new Map()
      const uid = consentUid(await visit(serving, pathOf(authorizationUrl.href), jar))
      const { back } = await consent(serving, jar, uid)
      const tokens = await client.exchangeAuthorization(issuer, {
        ...asked,
        authorizationCode: back.searchParams.get("code") ?? "",
        codeVerifier,
        redirectUri,
        // The second one compares it with the issuer (RFC 9207); the first does not know it.
        ...{ iss: back.searchParams.get("iss") ?? undefined },
        fetchFn
      })
      const again = (refreshToken: string | undefined) =>
        client.refreshAuthorization(issuer, { ...asked, refreshToken: refreshToken ?? "", fetchFn })
      const one = await again(tokens.refresh_token)
      const two = await again(one.refresh_token)
      expect(await holder(serving, two.access_token)).toBeDefined()
      const repeated = await again(tokens.refresh_token)
      expect(repeated.refresh_token).toBe(two.refresh_token)
      expect(await holder(serving, repeated.access_token)).toBeDefined()
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 })
      await expect(again(tokens.refresh_token)).rejects.toThrow()
      vi.useRealTimers()
      expect(await holder(serving, two.access_token)).toBeUndefined()
      const { client_id: clientId } = clientInformation
      expect(await errorOf(refresh(serving, clientId, two.refresh_token ?? ""))).toMatchObject({
        status: 400
      })
      expect((await revoke(serving, { client_id: clientId, token: two.access_token })).status).toBe(200)
    })
})

/** From the address of the resource to the address a person is sent to. */
const begin = async (client: Library, fetchFn: ReturnType<typeof reaching>) => {
  const found = await client.discoverOAuthProtectedResourceMetadata(`${baseUrl}/mcp`, {}, fetchFn)
  const issuer = found.authorization_servers?.[0] ?? ""
  const metadata = await client.discoverAuthorizationServerMetadata(issuer, { fetchFn })
  if (metadata === undefined) throw new Error("no metadata")
  const clientInformation = await client.registerClient(issuer, {
    metadata,
    clientMetadata: { redirect_uris: [redirectUri], client_name: "An SDK" },
    fetchFn
  })
  const asked = { metadata, clientInformation, resource: new URL(found.resource) }
  const { authorizationUrl, codeVerifier } = await client.startAuthorization(issuer, {
    ...asked,
    redirectUrl: redirectUri,
    scope: found.scopes_supported?.join(" ") ?? "",
    state: "s"
  })
  return { asked, authorizationUrl, clientInformation, codeVerifier, issuer }
}
