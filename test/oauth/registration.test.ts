import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  authorizePath,
  clientIdOf,
  errorOf,
  freshAddress,
  pkce,
  redirectUri,
  register,
  visit
} from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { serve } from "./serving.ts"

let serving: OAuthSite
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.close())

describe("RFC 7591 registration", () => {
  it("a client is public and may do what the metadata say, whatever it asks for", async () => {
    const answer = await register(serving, {
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "implicit", "client_credentials"],
      response_types: ["code", "token"],
      scope: "openid admin",
      logo_uri: "javascript:alert(1)",
      jwks_uri: "http://169.254.169.254/",
      client_name: "  Evil\u202eApp\n\u200b "
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      client_id: expect.stringMatching(/^app_[0-9a-z]{26}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Evil App",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      scope: "service:mcp read"
    })
  })

  it("answers go to https, or to the caller's own machine", async () => {
    const good = ["https://app.example/cb", "http://localhost/cb", "http://[::1]:8080/cb", redirectUri]
    for (const uri of good) expect((await register(serving, { redirect_uris: [uri] })).status).toBe(201)
    const bad = [
      "http://app.example/cb",
      "https://localhost/cb",
      "http://localhost.example/cb",
      "http://localhost@app.example/cb",
      "https://app.example/cb#fragment",
      "appscheme:/cb",
      "javascript:alert(1)",
      "//app.example",
      "",
      7
    ]
    for (const uri of bad) {
      const { error, status } = await errorOf(register(serving, { redirect_uris: [uri] }))
      expect([uri, status, error]).toEqual([uri, 400, "invalid_redirect_uri"])
    }
    for (const redirect_uris of [[], undefined, null, "https://app.example", Array(11).fill(redirectUri)])
      expect(await errorOf(register(serving, { redirect_uris }))).toEqual({
        status: 400,
        error: "invalid_redirect_uri"
      })
  })

  it("contract §3: a mixed list keeps what is valid, and the response shows it", async () => {
    const mixed = [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "http://localhost:8787/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback"
    ]
    const keptOf = async (redirect_uris: ReadonlyArray<unknown>) => {
      const answer = await register(serving, { redirect_uris })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { readonly redirect_uris: unknown }).redirect_uris
    }
    expect(await keptOf(mixed)).toEqual(mixed)
    const others = [
      "vscode://publisher.extension/cb",
      "com.example.app:/callback",
      "com.example.app://callback"
    ]
    expect(await keptOf(others)).toEqual(others)
    expect(
      await keptOf(["javascript:alert(1)", redirectUri, null, "zed://x/y", "http://app.example/"])
    ).toEqual([redirectUri])
  })

  it("a list without a valid address is rejected with a sentence that repeats none of them", async () => {
    const answer = await register(serving, { redirect_uris: ["zed://secret/y", "javascript:alert(1)"] })
    expect(answer.status).toBe(400)
    const { error, error_description: says } = (await answer.json()) as Readonly<Record<string, string>>
    expect(error).toBe("invalid_redirect_uri")
    expect(says).toContain("an https address")
    expect(says).toContain("cursor, vscode, vscode-insiders, windsurf")
    expect(says).not.toMatch(/secret|alert/)
  })

  it("phi.md rejects a name with a patient identifier and drops a redirect URI with one", async () => {
    const named = await register(serving, { client_name: "App of MRN 77310042" })
    expect(named.status).toBe(400)
    expect(await named.json()).toEqual({
      error: "invalid_client_metadata",
      error_description: "client_name must not contain a patient identifier"
    })
    const identifying = "https://app.example/cb/jane%40example.com"
    const mixed = await register(serving, { redirect_uris: [identifying, redirectUri] })
    expect(await mixed.json()).toMatchObject({ redirect_uris: [redirectUri] })
    const alone = await register(serving, { redirect_uris: [identifying] })
    expect([alone.status, await alone.text()]).toEqual([400, expect.not.stringContaining("jane")])
  })

  it("a null member of the metadata counts as absent", async () => {
    const members = [
      ...["client_name", "client_uri", "logo_uri", "contacts", "tos_uri", "policy_uri", "jwks", "jwks_uri"],
      ...["token_endpoint_auth_method", "grant_types", "response_types", "scope", "software_id"],
      ...["software_version", "software_statement", "application_type", "client_secret", "subject_type"],
      ...["default_max_age", "require_auth_time", "id_token_signed_response_alg", "request_uris"],
      ...["sector_identifier_uri", "post_logout_redirect_uris", "client_id", "client_id_issued_at"]
    ]
    const absent = await (await register(serving, { client_name: undefined })).json()
    const nulls = await register(serving, Object.fromEntries(members.map((member) => [member, null])))
    expect(nulls.status).toBe(201)
    expect(await nulls.json()).toEqual({
      ...(absent as object),
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number)
    })
    for (const member of members)
      expect([member, (await register(serving, { [member]: null })).status]).toEqual([member, 201])
  })

  it("what is no JSON object, or too long, is refused without a word of why inside", async () => {
    for (const body of ["[]", "{", "null", JSON.stringify({ redirect_uris: ["x".repeat(60_000)] })]) {
      const answer = await fetch(`${serving.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": freshAddress() },
        body
      })
      expect(answer.status).toBe(400)
      expect(await answer.text()).not.toMatch(/ at |node_modules|SyntaxError/)
    }
  })

  it("an address registers ten clients a minute, however it is written", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        register(serving, {}, index % 2 === 0 ? "203.0.113.9" : "::ffff:203.0.113.9")
      )
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refusal = answers.find(({ status }) => status === 429)
    expect(Number(refusal?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await refusal?.json()).toMatchObject({ error: "slow_down" })
    expect((await register(serving)).status).toBe(201)
  })

  it("a hosted client registers for many people from one address, and is bound too", async () => {
    const address = "203.0.113.20"
    const from = (host: string) => register(serving, { redirect_uris: [`https://${host}/cb`] }, address)
    const statuses = async (host: string, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => from(host)))
      return answers.map(({ status }) => status)
    }
    expect(await statuses("claude.ai", 120)).toEqual(Array(120).fill(201))
    expect(await statuses("claude.ai", 200)).toEqual(Array(200).fill(429))
    // Refused tries use nothing, so another hosted client and the address's own clients go on.
    expect(await statuses("chatgpt.com", 100)).toEqual(Array(100).fill(201))
    const others = await statuses("app.example", 12)
    expect(others.filter((status) => status === 201)).toHaveLength(10)
    // And another address has counts of its own.
    const elsewhere = { redirect_uris: ["https://claude.ai/cb"] }
    expect((await register(serving, elsewhere, "203.0.113.21")).status).toBe(201)
  }, 60_000)

  it("an invalid registration counts against its address alone", async () => {
    const address = "203.0.113.22"
    const invalid = { redirect_uris: ["https://claude.ai/cb", "javascript:alert(1)"], client_name: 1 }
    const bad = await Promise.all(
      Array.from({ length: 12 }, () => register(serving, { ...invalid, redirect_uris: ["evil:/x"] }, address))
    )
    expect(bad.filter(({ status }) => status === 400)).toHaveLength(10)
    expect((await register(serving, invalid, address)).status).toBe(429)
    const hosted = { redirect_uris: ["https://claude.ai/cb"] }
    expect((await register(serving, hosted, address)).status).toBe(201)
  })

  it("lets an address start 60 requests a minute, and shows a page for the next", async () => {
    const clientId = await clientIdOf(register(serving))
    const path = authorizePath({ clientId, ...pkce() })
    const address = { "x-forwarded-for": "203.0.113.10" }
    for (let count = 0; count < 60; count++)
      expect((await visit(serving, path, new Map(), address)).status).toBe(303)
    const answer = await visit(serving, path, new Map(), address)
    expect(answer.status).toBe(429)
    expect(await answer.text()).toContain("Too many requests came from your address")
  })
})
