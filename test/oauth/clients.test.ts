import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { Consents } from "../../core/port/Consents.ts"
import { authorizePath, consent, consentUid, cookieOf, pkce, redirectUri, visit } from "./client.ts"
import type { Jar } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { baseUrl, documents, serve } from "./serving.ts"

let serving: OAuthSite
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.close())

describe("the documents by which a client finds its way", () => {
  const read = async (path: string) => {
    const answer = await fetch(serving.url + path)
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    expect(answer.headers.get("content-type")).toBe("application/json")
    return answer.json()
  }

  it("RFC 8414 the server's metadata hold what it does and no more", async () => {
    const expected = {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      scopes_supported: ["service:mcp", "read"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${baseUrl}/docs`
    }
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/mcp",
      "/.well-known/oauth-authorization-server/mcp/",
      "/mcp/.well-known/oauth-authorization-server"
    ])
      expect([path, await read(path)]).toEqual([path, expected])
  })

  it("RFC 9728 the resource's metadata stand at the root and at the path of /mcp", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource/mcp/",
      "/mcp/.well-known/oauth-protected-resource"
    ])
      expect(await read(path)).toEqual({
        resource: `${baseUrl}/mcp`,
        resource_name: "Coverage-Policy API",
        authorization_servers: [baseUrl],
        scopes_supported: ["service:mcp", "read"],
        bearer_methods_supported: ["header"],
        resource_documentation: `${baseUrl}/docs/mcp`
      })
  })

  it("a browser's client may ask first, with the headers that MCP sends", async () => {
    for (const path of [
      "/oauth/token",
      "/oauth/register",
      "/oauth/revoke",
      "/.well-known/oauth-protected-resource"
    ]) {
      const answer = await fetch(serving.url + path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" }
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
      expect(answer.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version")
    }
  })

  it("metadata that does not exist is 404 with CORS, so that a client in a browser goes on", async () => {
    for (const path of [
      "/.well-known/openid-configuration",
      "/.well-known/openid-configuration/mcp",
      "/.well-known/oauth-authorization-server/other",
      "/.well-known/oauth-protected-resource/other",
      "/mcp/.well-known/openid-configuration"
    ]) {
      const answer = await fetch(serving.url + path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
      expect((await fetch(serving.url + path, { method: "OPTIONS" })).status).toBe(204)
    }
  })

  it("what is not offered is not there", async () => {
    const paths = ["/.well-known/openid-configuration", "/jwks", "/me", "/token/introspection", "/request"]
    for (const path of paths) expect((await fetch(serving.url + path)).status).toBe(404)
    for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"])
      expect((await fetch(serving.url + path)).status).toBe(404)
    const posted = await fetch(`${serving.url}/oauth/authorize`, { method: "POST" })
    expect(posted.status).toBe(404)
  })
})

describe("clients known by the address of their own document", () => {
  const clientId = "https://app.example/oauth/client.json"
  const documentOf = (members: Readonly<Record<string, unknown>>) => ({
    _tag: "Fetched" as const,
    status: 200,
    headers: { "content-type": "application/json" },
    text: JSON.stringify({
      client_id: clientId,
      client_name: "Document App",
      redirect_uris: [redirectUri],
      ...members
    })
  })
  const ask = (id: string, jar: Jar = new Map()) =>
    visit(serving, authorizePath({ clientId: id, ...pkce() }), jar)

  it("the document stands for a registration, and its host is shown", async () => {
    documents.set(clientId, documentOf({ token_endpoint_auth_method: "none" }))
    const jar: Jar = new Map()
    const uid = consentUid(await ask(clientId, jar))
    const asked = await serving.run(
      Effect.flatMap(Consents, ({ find }) => find({ uid, cookie: cookieOf(jar) }))
    )
    expect(asked).toEqual({
      clientId,
      clientName: "Document App",
      clientHost: "app.example",
      returnsTo: { kind: "loopback", host: "127.0.0.1:6274" },
      formOrigin: "http://127.0.0.1:6274"
    })
    expect((await consent(serving, jar, uid)).back.searchParams.get("code")).toBeTruthy()
  })

  it("a document that is another's, asks for a secret, or is none, is no client", async () => {
    const wrongs = {
      other: documentOf({ client_id: "https://other.example/client.json" }),
      secret: documentOf({ client_id: "https://app.example/secret", client_secret: "x" }),
      keys: documentOf({
        client_id: "https://app.example/keys",
        token_endpoint_auth_method: "private_key_jwt"
      }),
      scheme: documentOf({ client_id: "https://app.example/scheme", redirect_uris: ["evil:/x"] }),
      status: { ...documentOf({ client_id: "https://app.example/status" }), status: 404 },
      redirect: { ...documentOf({ client_id: "https://app.example/redirect" }), status: 302 },
      text: { ...documentOf({}), text: "<html>" },
      type: {
        ...documentOf({ client_id: "https://app.example/type" }),
        headers: { "content-type": "text/html" }
      }
    }
    for (const [name, document] of Object.entries(wrongs)) {
      const id = `https://app.example/${name}`
      documents.set(id, document)
      const answer = await ask(id)
      expect([name, answer.status, answer.headers.get("location")]).toEqual([name, 400, null])
    }
  })

  it("what the guard refuses is no client, and the answer says nothing of the network", async () => {
    for (const id of [
      "https://169.254.169.254/latest",
      "https://internal.example/x",
      "http://app.example/x"
    ]) {
      const answer = await ask(id)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain("The app is not known here")
    }
  })
})
