import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Audit } from "../../core/port/Audit.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { siteUrl } from "../dashboard/useSite.ts"
import type { Site } from "../dashboard/useSite.ts"
import { newOrganizationOf, signedUp } from "../dashboard/visitor.ts"
import { authorizePath, clientIdOf, cookieOf, form, pkce, redirectUri, register, visit } from "./client.ts"
import type { Jar } from "./client.ts"
import { openConsentSite } from "./site.ts"

const parameters = { resource: `${siteUrl}/mcp` }

describe("§5 the page of consent", () => {
  let site: Site
  beforeAll(async () => {
    site = await openConsentSite(siteUrl)
  })
  afterAll(() => site.close())

  /** A request for consent in a browser of its own. */
  const begun = async (metadata: Readonly<Record<string, unknown>> = {}) => {
    const clientId = await clientIdOf(register(site, metadata))
    const jar: Jar = new Map()
    const asked = await visit(
      site,
      authorizePath({ clientId, ...pkce(), parameters: { ...parameters, ...redirectOf(metadata) } }),
      jar
    )
    return { jar, path: asked.headers.get("location") ?? "" }
  }
  const redirectOf = ({ redirect_uris }: Readonly<Record<string, unknown>>) =>
    Array.isArray(redirect_uris) ? { redirect_uri: String(redirect_uris[0]) } : {}
  const browser = (jar: Jar, session: string) => {
    const headers = { cookie: [cookieOf(jar), session].filter((text) => text !== "").join("; ") }
    return {
      see: (path: string) => fetch(site.url + path, { redirect: "manual", headers }),
      send: (path: string, fields: Readonly<Record<string, string>>, origin = siteUrl) =>
        fetch(site.url + path, {
          method: "POST",
          redirect: "manual",
          headers: { ...headers, origin, "content-type": "application/x-www-form-urlencoded" },
          body: form(fields)
        })
    }
  }
  const member = (name: string) =>
    site.run(
      Effect.gen(function* () {
        const { cookie, person } = yield* signedUp(name)
        const { organizationId } = yield* newOrganizationOf(person)
        return { cookie, person, organizationId }
      })
    )

  it("sends whoever is signed out to sign in, and back", async () => {
    const { jar, path } = await begun()
    const answer = await browser(jar, "").see(path)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`)
  })

  it("says who asks, where the answer goes, what it may do, and lets its form lead there alone", async () => {
    const { cookie, organizationId } = await member("Ada")
    const { jar, path } = await begun({ client_name: "<b>Bold</b> App" })
    const answer = await browser(jar, cookie).see(path)
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain("Connect &lt;b&gt;Bold&lt;/b&gt; App?")
    expect(text).toContain("This app registered itself; we have not verified it.")
    expect(text).toContain("127.0.0.1:6274")
    expect(text).toContain("a program on your own machine")
    expect(text).toContain("Spend the organization’s credits")
    expect(text).toContain(`value="${organizationId}"`)
    expect(answer.headers.get("content-security-policy")).toContain(
      "form-action 'self' http://127.0.0.1:6274;"
    )
  })

  it.each([
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor", "Hana"],
    ["com.example.app:/callback", "com.example.app", "Ines"]
  ])(
    "names the scheme of an app that returns to %s, and lets its form lead there",
    async (uri, scheme, name) => {
      const { cookie, organizationId } = await member(name)
      const { jar, path } = await begun({ redirect_uris: [uri] })
      const { see, send } = browser(jar, cookie)
      const answer = await see(path)
      const text = (await answer.text()).replaceAll("\n", " ")
      expect(text).toContain("This app registered itself; we have not verified it.")
      expect(text).toContain(
        `your browser returns to the app that opens <strong>${scheme}:</strong> links on this device.`
      )
      const policy = answer.headers.get("content-security-policy")
      expect(policy).toContain(`form-action 'self' ${scheme}:;`)
      const allowed = await send(`${path}/allow`, { organization: organizationId })
      const back = await visit(site, allowed.headers.get("location") ?? "", jar)
      expect(back.headers.get("location")).toMatch(new RegExp(`^${scheme}:/.*[?&]code=`))
    }
  )

  it("an allowed app gets its code, and the organization's log says who connected it", async () => {
    const { cookie, organizationId, person } = await member("Bea")
    const { jar, path } = await begun()
    const { send } = browser(jar, cookie)
    const answer = await send(`${path}/allow`, { organization: organizationId })
    expect(answer.status).toBe(303)
    const back = await visit(site, answer.headers.get("location") ?? "", jar)
    expect(back.headers.get("location")).toMatch(new RegExp(`^${redirectUri}\\?code=`))
    const { entries } = await site.run(
      Effect.flatMap(Audit, ({ list }) => list({ organizationId, before: null, limit: 1 }))
    )
    expect(entries).toMatchObject([
      { action: "app.connected", actor: { kind: "person", id: person.personId }, subject: "Example App" }
    ])
    expect((await send(`${path}/allow`, { organization: organizationId })).status).toBe(404)
  })

  it("a refused app is told so", async () => {
    const { cookie } = await member("Cleo")
    const { jar, path } = await begun()
    const answer = await browser(jar, cookie).send(`${path}/deny`, {})
    const back = await visit(site, answer.headers.get("location") ?? "", jar)
    expect(back.headers.get("location")).toContain("error=access_denied")
  })

  it("only an own organization is taken, and a suspended one is not offered", async () => {
    const [one, other] = [await member("Dora"), await member("Edith")]
    const { jar, path } = await begun()
    const { see, send } = browser(jar, one.cookie)
    for (const organization of [other.organizationId, "", "x"])
      expect((await send(`${path}/allow`, { organization })).status).toBe(422)
    await site.run(
      Effect.flatMap(Organizations, ({ change }) =>
        change({ organizationId: one.organizationId, change: { _tag: "Suspend", reason: null } })
      )
    )
    const text = await (await see(path)).text()
    expect(text).toContain("They are suspended")
    expect(text).not.toContain(">Allow<")
    expect((await send(`${path}/allow`, { organization: one.organizationId })).status).toBe(422)
  })

  it("who belongs nowhere is told to make an organization first", async () => {
    const { cookie } = await site.run(signedUp("Fay"))
    const { jar, path } = await begun()
    const text = await (await browser(jar, cookie).see(path)).text()
    expect(text).toContain("You need an organization first")
    expect(text).toContain("/dashboard/new")
  })

  it("another browser, another site and a second answer change nothing", async () => {
    const { cookie, organizationId } = await member("Gwen")
    const { jar, path } = await begun()
    const stranger = browser(new Map(), cookie)
    expect((await stranger.see(path)).status).toBe(404)
    expect((await stranger.send(`${path}/allow`, { organization: organizationId })).status).toBe(404)
    const { send } = browser(jar, cookie)
    const foreign = await send(`${path}/allow`, { organization: organizationId }, "https://evil.example")
    expect(foreign.status).toBe(403)
    expect((await browser(jar, cookie).see(path)).status).toBe(200)
  })

  it("what the router has for /oauth it shares: pages, endpoints, and an envelope for the rest", async () => {
    expect(
      (await fetch(`${site.url}/oauth/token`, { method: "POST" })).headers.get("content-type")
    ).toContain("json")
    expect((await fetch(`${site.url}/oauth/nothing`)).status).toBe(404)
    const envelope = (await (await fetch(`${site.url}/oauth/token`)).json()) as { readonly error: unknown }
    expect(envelope).toMatchObject({ success: false, error: { code: "RESOURCE_NOT_FOUND" } })
    const absent = await fetch(`${site.url}/.well-known/openid-configuration`)
    expect(absent.headers.get("access-control-allow-origin")).toBe("*")
    expect(await absent.json()).toMatchObject({ success: false, error: { code: "RESOURCE_NOT_FOUND" } })
  })
})
