import { request } from "node:http"
import { afterAll, describe, expect, it } from "vitest"
import { formBytesMax } from "../../adapters/dashboard/sentForm.ts"
import { openSite, secureUrl } from "./useSite.ts"
import { browserOf } from "./browsing.ts"

const pages = await openSite({ baseUrl: secureUrl })
afterAll(() => pages.close())

describe("contract §3 forms are taken from our own pages only, and only as forms", () => {
  /** Sent by Node itself: fetch sets some of these headers as it likes. */
  const sent = (
    headers: Readonly<Record<string, string>>,
    body: string | ReadonlyArray<Uint8Array> = "email=a"
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(`${pages.url}/login`, { method: "POST", headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      }).on("error", reject)
      if (typeof body === "string") return void asked.end(body)
      for (const chunk of body) asked.write(chunk)
      asked.end()
    })

  const form = { "content-type": "application/x-www-form-urlencoded" }

  it.each([
    [{ "sec-fetch-site": "same-origin" }, 422],
    [{ "sec-fetch-site": "same-origin", origin: secureUrl }, 422],
    [{ origin: secureUrl }, 422],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
    [{ "sec-fetch-site": "" }, 403],
    [{ "sec-fetch-site": "cross-site", origin: secureUrl }, 403],
    [{ "sec-fetch-site": "same-origin, cross-site" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: `${secureUrl}.evil.example` }, 403],
    [{ origin: secureUrl.replace("https:", "http:") }, 403],
    [{ origin: `${secureUrl}:8443` }, 403],
    [{ origin: "null" }, 403],
    [{ referer: `${secureUrl}/login` }, 403],
    [{}, 403]
  ] as const)("a request with %j answers %i", async (headers, status) => {
    expect(await sent({ ...form, ...headers })).toBe(status)
  })

  it("a page of 403 says that nothing was done", async () => {
    const got = await browserOf(pages).post("/logout", {}, { "sec-fetch-site": "cross-site" })
    expect(got.text).toContain("This request did not come from our pages")
    expect(got.headers.getSetCookie()).toEqual([])
  })

  it("a form longer than 64 KiB is refused, whether its length is said or not", async () => {
    const own = { ...form, origin: secureUrl }
    const fitting = `email=${"a".repeat(formBytesMax - 6)}`
    expect(await sent({ ...own, "content-length": String(fitting.length) }, fitting)).toBe(422)
    expect(await sent({ ...own, "content-length": String(fitting.length + 1) }, `${fitting}a`)).toBe(413)
    const chunk = new Uint8Array(16 * 1024).fill(97)
    expect(await sent(own, [chunk, chunk, chunk, chunk])).toBe(422)
    expect(await sent(own, [chunk, chunk, chunk, chunk, chunk])).toBe(413)
  })

  it.each([
    [{}, 415],
    [{ "content-type": "application/json" }, 415],
    [{ "content-type": "multipart/form-data; boundary=x" }, 415],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/x-www-form-urlencoded; charset=UTF-8" }, 422]
  ] as const)("a body of %j answers %i", async (headers, status) => {
    expect(await sent({ origin: secureUrl, ...headers })).toBe(status)
  })

  it.each(["email=%ff", "email=%", "email=a%00b"])("a form that holds %j is not read", async (body) => {
    expect(await sent({ ...form, origin: secureUrl }, body)).toBe(400)
  })

  it("a field that is sent twice is not taken", async () => {
    const body = "email=a%40b.example&email=c%40d.example"
    const got = await fetch(`${pages.url}/signup`, {
      method: "POST",
      body,
      headers: { ...form, "sec-fetch-site": "same-origin" }
    })
    expect([got.status, (await got.text()).includes("Enter an email address")]).toEqual([422, true])
  })
})
