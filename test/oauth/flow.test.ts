import { get } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  authorizeClient,
  authorizePath,
  clientIdOf,
  connectClient,
  consent,
  consentUid,
  errorOf,
  freshAddress,
  holder,
  pkce,
  redirectUri,
  refresh,
  register,
  resource,
  token,
  visit
} from "./client.ts"
import type { Jar, Tokens } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { baseUrl, serve } from "./serving.ts"

/** What is answered to a request that names this host. */
const statusFor = (url: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host, "x-forwarded-for": freshAddress() } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    }).on("error", reject)
  })

describe("§5 the OAuth flow of an MCP client", () => {
  let serving: OAuthSite
  beforeAll(async () => {
    serving = await serve()
  })
  afterAll(() => serving.close())

  it("§5, §8 a consent gives a code, and the code tokens for an hour with both scopes", async () => {
    const { back, fields, grant } = await authorizeClient(serving)
    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(back.searchParams.get("state")).toBe("a state")
    expect(back.searchParams.get("iss")).toBe(baseUrl)
    const answer = await token(serving, fields)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    const tokens = (await answer.json()) as Tokens
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      refresh_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 3_600,
      scope: "service:mcp read",
      token_type: "Bearer"
    })
    expect(await holder(serving, tokens.access_token)).toMatchObject({
      grantId: grant.grantId,
      clientId: grant.clientId,
      personId: grant.personId,
      organizationId: grant.organizationId,
      scopes: ["service:mcp", "read"],
      organizationSuspended: false
    })
  })

  it("§5 a refresh token gives the next tokens; the earlier access token stays", async () => {
    const { clientId, tokens } = await connectClient(serving)
    const first = (await (await refresh(serving, clientId, tokens.refresh_token)).json()) as Tokens
    const second = (await (await refresh(serving, clientId, first.refresh_token)).json()) as Tokens
    expect(new Set([tokens, first, second].map((one) => one.refresh_token)).size).toBe(3)
    expect(second).toMatchObject({ expires_in: 3_600, scope: "service:mcp read", token_type: "Bearer" })
    for (const one of [tokens, first, second]) expect(await holder(serving, one.access_token)).toBeDefined()
  })

  it("a client that names no resource and asks for OpenID gets what there is", async () => {
    const clientId = await clientIdOf(register(serving))
    const { challenge, verifier } = pkce()
    const jar: Jar = new Map()
    const parameters = {
      scope: "openid profile offline_access",
      resource: "",
      prompt: "consent",
      nonce: "n"
    }
    const asked = await visit(serving, authorizePath({ clientId, challenge, parameters }), jar)
    const { back } = await consent(serving, jar, consentUid(asked))
    const answer = await token(serving, {
      grant_type: "authorization_code",
      client_id: clientId,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri
    })
    const tokens = (await answer.json()) as Tokens
    expect(Object.keys(tokens).sort()).toEqual([
      "access_token",
      "expires_in",
      "refresh_token",
      "scope",
      "token_type"
    ])
    expect(tokens.scope).toBe("service:mcp read")
    expect(await holder(serving, tokens.access_token)).toBeDefined()
  })

  it("RFC 7636 a code without its verifier, or with another, gives nothing", async () => {
    const { fields } = await authorizeClient(serving)
    const { code_verifier: _, ...without } = fields
    for (const wrong of [{ ...fields, code_verifier: pkce().verifier }, without])
      expect(await errorOf(token(serving, wrong))).toEqual({ status: 400, error: "invalid_grant" })
    expect((await token(serving, fields)).status).toBe(200)
  })

  it("RFC 8707 a token for another resource is refused, at the request and at the code", async () => {
    const clientId = await clientIdOf(register(serving))
    const { challenge } = pkce()
    const parameters = { resource: `${baseUrl}/api/v1` }
    const answer = await visit(serving, authorizePath({ clientId, challenge, parameters }))
    const back = new URL(answer.headers.get("location") ?? "")
    expect(back.searchParams.get("error")).toBe("invalid_target")
    expect(back.searchParams.get("iss")).toBe(baseUrl)
    const { fields } = await authorizeClient(serving)
    expect(await errorOf(token(serving, { ...fields, resource: "https://other.example/mcp" }))).toEqual({
      status: 400,
      error: "invalid_target"
    })
  })

  it("contract §3: four writings of the resource are one, at authorization, token and refresh", async () => {
    const writings = ["/mcp", "/mcp/", "", "/"].map((path) => baseUrl + path)
    for (const [index, asked] of writings.entries()) {
      const clientId = await clientIdOf(register(serving))
      const { challenge, verifier } = pkce()
      const jar: Jar = new Map()
      const path = authorizePath({ clientId, challenge, parameters: { resource: asked } })
      const { back } = await consent(serving, jar, consentUid(await visit(serving, path, jar)))
      const answer = await token(serving, {
        grant_type: "authorization_code",
        client_id: clientId,
        code: back.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: writings[(index + 1) % 4] ?? ""
      })
      expect([asked, answer.status]).toEqual([asked, 200])
      let { refresh_token } = (await answer.json()) as Tokens
      for (const refreshed of writings) {
        const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token }
        const next = await token(serving, { ...fields, resource: refreshed })
        expect([asked, refreshed, next.status]).toEqual([asked, refreshed, 200])
        const tokens = (await next.json()) as Tokens
        expect(await holder(serving, tokens.access_token)).toBeDefined()
        refresh_token = tokens.refresh_token
      }
      const other = { grant_type: "refresh_token", client_id: clientId, refresh_token }
      for (const wrong of [`${baseUrl}/mcp/x`, `${baseUrl}/api`, "http://localhost:3000/mcp"])
        expect(await errorOf(token(serving, { ...other, resource: wrong }))).toEqual({
          status: 400,
          error: "invalid_target"
        })
    }
  })

  it("a request without PKCE, or with plain, goes back with an error", async () => {
    const clientId = await clientIdOf(register(serving))
    const wrongs = [{ code_challenge: "", code_challenge_method: "" }, { code_challenge_method: "plain" }]
    for (const parameters of wrongs) {
      const answer = await visit(serving, authorizePath({ clientId, ...pkce(), parameters }))
      expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request")
    }
  })

  it("an address that is not registered gets no redirect, and a code only its own", async () => {
    const clientId = await clientIdOf(register(serving))
    const { challenge } = pkce()
    for (const uri of [
      "https://evil.example/callback",
      `${redirectUri}/x`,
      "http://127.0.0.2:6274/oauth/callback"
    ]) {
      const parameters = { redirect_uri: uri }
      const answer = await visit(serving, authorizePath({ clientId, challenge, parameters }))
      expect(answer.status).toBe(400)
      expect(answer.headers.get("location")).toBeNull()
      expect(answer.headers.get("content-type")).toContain("text/html")
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(await answer.text()).toContain("at an address that it has not registered")
    }
    const { fields } = await authorizeClient(serving)
    expect(await errorOf(token(serving, { ...fields, redirect_uri: `${redirectUri}2` }))).toEqual({
      status: 400,
      error: "invalid_grant"
    })
  })

  it("RFC 8252 a client on its own machine may come back at another port", async () => {
    const clientId = await clientIdOf(register(serving, { redirect_uris: ["http://localhost/callback"] }))
    const parameters = { redirect_uri: "http://localhost:51999/callback" }
    const jar: Jar = new Map()
    const answer = await visit(serving, authorizePath({ clientId, ...pkce(), parameters }), jar)
    const { back } = await consent(serving, jar, consentUid(answer))
    expect(back.origin).toBe("http://localhost:51999")
  })

  it.each(["cursor://anysphere.cursor-mcp/oauth/callback", "com.example.app:/callback"])(
    "RFC 8252 an app returns by its own scheme: %s",
    async (uri) => {
      const clientId = await clientIdOf(register(serving, { redirect_uris: [redirectUri, uri] }))
      const jar: Jar = new Map()
      const { challenge, verifier } = pkce()
      const path = authorizePath({ clientId, challenge, parameters: { redirect_uri: uri } })
      const { back } = await consent(serving, jar, consentUid(await visit(serving, path, jar)))
      expect(back.href.startsWith(`${uri}?code=`)).toBe(true)
      const code = back.searchParams.get("code") ?? ""
      const fields = { grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier }
      expect((await token(serving, { ...fields, redirect_uri: redirectUri })).status).toBe(400)
      expect((await token(serving, { ...fields, redirect_uri: uri })).status).toBe(200)
      const other = authorizePath({ clientId, challenge, parameters: { redirect_uri: `${uri}/x` } })
      expect((await visit(serving, other)).status).toBe(400)
    }
  )

  it("a client that is unknown is told so in a page, without a redirect", async () => {
    const answer = await visit(serving, authorizePath({ clientId: "nobody\0", ...pkce() }))
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain("The app is not known here")
  })

  it("the issuer and every address are BASE_URL, whatever Host and proxies say", async () => {
    const clientId = await clientIdOf(register(serving))
    const jar: Jar = new Map()
    const answer = await visit(serving, authorizePath({ clientId, ...pkce() }), jar, {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http"
    })
    const uid = consentUid(answer)
    expect(answer.headers.get("location")).toMatch(/^(\/|https:\/\/api\.coverage\.example\/)/)
    expect(answer.headers.getSetCookie().every((line) => /; secure/i.test(line))).toBe(true)
    expect((await consent(serving, jar, uid)).back.searchParams.get("iss")).toBe(baseUrl)
  })

  it("a Host that is none, or no host at all, changes nothing", async () => {
    const clientId = await clientIdOf(register(serving))
    for (const host of ["evil host", "", "[", "a:b:c"])
      expect([host, await statusFor(serving.url + authorizePath({ clientId, ...pkce() }), host)]).toEqual([
        host,
        303
      ])
  })

  it("nothing of a code, a token or a cookie is in the log", async () => {
    expect(serving.log).toEqual([])
    expect(resource).toBe("https://api.coverage.example/mcp")
  })
})
