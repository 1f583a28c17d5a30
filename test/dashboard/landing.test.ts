import { afterAll, describe, expect, it } from "vitest"
import { browserOf, signedUp } from "./browsing.ts"
import { openSite, secureUrl } from "./useSite.ts"

const pages = await openSite({ baseUrl: secureUrl })
afterAll(() => pages.close())

describe("contract §3 the front page", () => {
  it("leads a newcomer to an account, the documentation, the sandbox and the health", async () => {
    const browser = browserOf(pages)
    const { status, text } = await browser.get("/")
    expect(status).toBe(200)
    const links = [...text.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, path]) => path ?? "")
    expect(links).toEqual(
      expect.arrayContaining(["/signup", "/login", "/docs", "/docs/mcp", "/docs/sandbox", "/api/v1/health"])
    )
    for (const path of new Set(links)) expect([path, (await browser.get(path)).status]).toEqual([path, 200])
  })

  it("leads whoever is signed in to the dashboard", async () => {
    const browser = await signedUp(pages, { name: "Ada", email: "ada@clinic.example" })
    const { text } = await browser.get("/")
    expect(text).toContain('href="/dashboard">Go to the dashboard')
    expect(text).not.toContain('href="/signup"')
  })

  it("is one page alone: what is beneath it is not the pages' own", async () => {
    const { headers, status } = await browserOf(pages).get("/unknown")
    expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"])
  })

  it("where emails go to the log, sign-up says to look there", async () => {
    expect((await browserOf(pages).get("/signup/sent")).text).not.toContain("written to the server log")
    const logged = await openSite({ mailIsLogged: true })
    expect((await browserOf(logged).get("/signup/sent")).text).toContain("written to the server log")
    await logged.close()
  })
})
