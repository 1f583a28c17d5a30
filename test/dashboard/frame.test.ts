import { afterAll, describe, expect, it } from "vitest"
import { assets } from "../../adapters/dashboard/assets.ts"
import { pages as table } from "../../adapters/dashboard/pages.ts"
import { openSite, secureUrl } from "./useSite.ts"
import { newOrganization, signedUp, browserOf } from "./browsing.ts"

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'"

const hostile = `<script>alert("1")</script> & 'quotes' "double"`

const pages = await openSite({ baseUrl: secureUrl })
afterAll(() => pages.close())

const owner = await signedUp(pages, { name: hostile, email: "owner@clinic.example" })
const home = await newOrganization(owner, hostile)
await owner.post(`${home}/members`, { email: "guest@clinic.example", role: "member" })

describe("contract §3 every page of people has one frame", () => {
  const paths = table
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path)
    .filter((path) => !/:(?!organization)/.test(path))

  it.each(paths)("%s has the headers of a page, is well formed, and says nobody's markup", async (path) => {
    const open = ["/signup", "/login"].includes(path)
    const got = await (open ? browserOf(pages) : owner).get(path.replace("/dashboard/:organization", home))
    // /verify without a token says that its link has ended.
    expect([200, 303, 410]).toContain(got.status)
    const { headers, text } = got
    expect(headers.get("content-security-policy")).toBe(policy)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("referrer-policy")).toBe("same-origin")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains")
    expect(headers.get("x-request-id")).toMatch(/^req_/)
    if (got.status === 303 || !headers.get("content-type")?.startsWith("text/html")) return
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|style="|\son\w+="|javascript:/)
    expect(text).not.toContain(`"1"`)
    for (const landmark of [
      "<header",
      '<main id="main"',
      "<footer",
      'href="#main"',
      "<h1>",
      '<html lang="en">'
    ])
      expect(text.split(landmark).length, landmark).toBe(2)
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of text.matchAll(/<label for="([^"]+)"/g)) expect(ids).toContain(id)
  })

  it("names with markup stand as they were written, escaped", async () => {
    const { text } = await owner.get(`${home}/members`)
    const escaped =
      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;quotes&#39; &quot;double&quot;"
    expect(text.split(escaped).length).toBeGreaterThan(3)
    expect(text).toContain('aria-current="page">Members')
    expect(text.match(/aria-current="page"/g)).toHaveLength(1)
  })

  it("static parts are kept for ever under the hash of what they hold", async () => {
    const browser = browserOf(pages)
    const { text } = await browser.get("/login")
    for (const { contentType, path } of Object.values(assets)) {
      expect(text).toContain(path)
      const { headers, status } = await browser.get(path)
      expect([status, headers.get("content-type")]).toEqual([200, contentType])
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    }
    expect((await browser.get("/assets/0000000000000000/style.css")).status).toBe(404)
  })

  it("what is nobody's is a page as well: 404, and 405 with what is allowed", async () => {
    for (const path of ["/dashboard/org_unknown/members", "/login/else", `${home}/`]) {
      const { headers, status, text } = await owner.get(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain("There is no such page")
      expect(headers.get("content-security-policy")).toBe(policy)
    }
    const wrong = await owner.post("/signup/sent")
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    const logout = await owner.get("/logout")
    expect([logout.status, logout.headers.get("allow")]).toEqual([405, "POST"])
    const put = await fetch(`${pages.url}/login`, { method: "PUT" })
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
  })

  it("HEAD is answered as GET without a page", async () => {
    const head = await fetch(`${pages.url}/login`, { method: "HEAD" })
    const get = await fetch(`${pages.url}/login`)
    expect([head.status, await head.text()]).toEqual([200, ""])
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength))
  })

  it("cookies are bound to the host over https, and nothing is said to last over http", async () => {
    const signOut = (await owner.post("/login", {})).headers
    expect(signOut.get("strict-transport-security")).not.toBeNull()
    const cookies = (await browserOf(pages).post("/logout")).headers.getSetCookie()
    expect(cookies).toContain("__Host-said=signed_out; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure")
    const plain = await openSite({ baseUrl: "http://127.0.0.1:3000" })
    const over = await browserOf(plain).post("/logout")
    expect(over.headers.get("strict-transport-security")).toBeNull()
    expect(over.headers.getSetCookie()).toContain(
      "said=signed_out; Max-Age=60; Path=/; HttpOnly; SameSite=Lax"
    )
    await plain.close()
  })

  it("a cookie says only what is in the table of things to say", async () => {
    const browser = browserOf(pages)
    browser.cookies.set("__Host-said", "<b>you_won</b>")
    expect((await browser.get("/login")).text).not.toContain("you_won")
  })
})
