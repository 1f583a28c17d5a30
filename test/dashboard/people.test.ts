import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { nextOf } from "../../adapters/dashboard/next.ts"
import { CurrentPasswordTurns } from "../../core/admin/withPasswordTurn.ts"
import { siteSubject } from "../../core/limit/subject.ts"
import { passwordSays } from "../../core/person/password.ts"
import { openSite, secureUrl } from "./useSite.ts"
import { hiddenIn, password, pathIn, signedUp, browserOf } from "./browsing.ts"

const pages = await openSite({ baseUrl: secureUrl })
/** Without the attempts that the other has counted. */
const fresh = await openSite({ baseUrl: secureUrl })
const shared = await openSite({ baseUrl: secureUrl })
afterAll(() => Promise.all([pages, fresh, shared].map((site) => site.close())))

describe("§5.5 people sign up, in and out by pages, without script", () => {
  it("sign-up sends an email; the form behind its link creates the account and signs in", async () => {
    const browser = browserOf(pages)
    const form = { email: "ada@clinic.example" }
    expect((await browser.post("/signup", form)).location).toBe("/signup/sent")
    expect((await browser.get("/signup/sent")).text).toContain("Check your email")
    expect((await browser.get("/dashboard")).location).toBe("/login?next=%2Fdashboard")
    const link = pathIn(await pages.emailTo(form.email), "/verify")
    // A mail filter that opens links does not use one up.
    await browserOf(pages).get(link)
    const page = await browser.get(link)
    expect(page.text).toContain("Create your account")
    const account = { ...hiddenIn(page.text), name: "Ada", password }
    const seen = await browser.send("/verify", account)
    expect(seen.text).toContain("Create your organization")
    expect(seen.text).toContain("Your email address is confirmed")
    // The report of an action is shown once.
    expect((await browser.get("/dashboard/new")).text).not.toContain("Your email address is confirmed")
    const again = await browserOf(pages).post("/verify", account)
    expect(again.status).toBe(410)
    expect(again.text).toContain("This link has expired")
  })

  it("a password keeps the spaces around it, from sign-up to sign-in", async () => {
    const email = "abe@clinic.example"
    const password = "  four words make it "
    const browser = browserOf(pages)
    await browser.post("/signup", { email })
    const page = await browser.get(pathIn(await pages.emailTo(email), "/verify"))
    const account = { ...hiddenIn(page.text), name: "Abe", password }
    expect((await browser.post("/verify", account)).status).toBe(303)
    expect((await browserOf(pages).post("/login", { email, password })).status).toBe(303)
  })

  it("a form that is not accepted is shown again with its values, but without the password", async () => {
    const sent = await browserOf(pages).post("/signup", { email: "not <an> address" })
    expect(sent.status).toBe(422)
    expect(sent.text).toContain("<title>Error: Create an account")
    expect(sent.text).toContain('id="email-fault"')
    expect(sent.text).toContain('value="not &lt;an&gt; address"')
    const form = { token: "a-token", name: "", password: "short" }
    const { status, text } = await browserOf(pages).post("/verify", form)
    expect(status).toBe(422)
    for (const field of ["name", "password"]) {
      expect(text).toContain(`<a href="#${field}">`)
      expect(text).toContain(`id="${field}-fault"`)
    }
    expect(text).not.toContain("short")
  })

  it("a password that anybody would try is rejected with the reason beside its field", async () => {
    const browser = browserOf(pages)
    const email = "dora@clinic.example"
    await browser.post("/signup", { email })
    const page = await browser.get(pathIn(await pages.emailTo(email), "/verify"))
    for (const [tried, says] of [
      ["password1234", passwordSays.well_known],
      [email, passwordSays.own_email]
    ] as const) {
      const account = { ...hiddenIn(page.text), name: "Dora", password: tried }
      const { status, text } = await browser.post("/verify", account)
      expect([status, text.includes(says)]).toEqual([422, true])
    }
  })

  it("a known and an unknown address are answered alike at sign-up and at reset", async () => {
    await signedUp(pages, { name: "Bea", email: "bea@clinic.example" })
    for (const path of ["/signup", "/forgot"]) {
      const [known, unknown] = await Promise.all(
        ["bea@clinic.example", "nobody@clinic.example"].map((email) => browserOf(pages).post(path, { email }))
      )
      expect([known?.status, known?.location, known?.text]).toEqual([
        unknown?.status,
        unknown?.location,
        unknown?.text
      ])
    }
  })

  it("sign-in goes on to where somebody wanted to go; sign-out ends the session", async () => {
    await signedUp(pages, { name: "Cai", email: "cai@clinic.example" })
    const browser = browserOf(pages)
    const asked = await browser.get("/dashboard/new?from=email")
    expect(asked.location).toBe("/login?next=%2Fdashboard%2Fnew%3Ffrom%3Demail")
    const form = await browser.get(asked.location)
    const values = { ...hiddenIn(form.text), email: "Cai@Clinic.example", password }
    expect((await browser.post("/login", values)).location).toBe("/dashboard/new?from=email")
    const old = new Map(browser.cookies)
    expect((await browser.get("/login")).location).toBe("/dashboard")
    expect((await browser.send("/logout")).text).toContain("You are signed out.")
    expect((await browser.get("/dashboard")).location).toContain("/login")
    const thief = browserOf(pages)
    for (const [name, value] of old) thief.cookies.set(name, value)
    expect((await thief.get("/dashboard")).location).toContain("/login")
  })

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example/",
    "javascript:alert(1)",
    "evil.example",
    "/login?next=/login",
    "/logout"
  ])("`next` never leads to %j", (next) => {
    expect(nextOf(next)).toBeUndefined()
  })

  it("a `next` that leads elsewhere is dropped from the form, and again when it is sent", async () => {
    const next = "//evil.example/"
    const shown = await browserOf(pages).get(`/login?next=${encodeURIComponent(next)}`)
    expect(hiddenIn(shown.text)).toEqual({})
    const sent = await browserOf(pages).post("/login", { email: "cai@clinic.example", password, next })
    expect(sent.location).toBe("/dashboard")
  })

  it("too many wrong passwords are told when to try again", async () => {
    await signedUp(pages, { name: "Dee", email: "dee@clinic.example" })
    const wrong = { email: "dee@clinic.example", password: "not the right one" }
    const first = await browserOf(pages).post("/login", wrong)
    expect(first.status).toBe(422)
    expect(first.text).toContain("do not match")
    let last = first
    for (let tries = 0; tries < 12 && last.status !== 429; tries++)
      last = await browserOf(pages).post("/login", wrong)
    expect(last.status).toBe(429)
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(last.text).toMatch(/Try again in \d+ seconds?, at \d\d:\d\d:\d\d UTC\./)
  })

  it("sign-ins of one network that come at once wait in one place; the others may try again", async () => {
    const email = "flo@clinic.example"
    await signedUp(shared, { name: "Flo", email })
    const right = { email, password }
    const all = await Promise.all(Array.from({ length: 8 }, () => browserOf(shared).post("/login", right)))
    const busy = all.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(all.filter(({ status }) => status === 303).length).toBe(all.length - busy.length)
    expect(busy[0]?.headers.get("retry-after")).toBe("5")
    expect(busy[0]?.text).toContain("The server is busy with other sign-ins.")
    expect(busy[0]?.text).toContain(`value="${email}"`)
    // An attempt that was not made does not count.
    for (let tries = all.length - busy.length; tries < 10; tries++)
      expect((await browserOf(shared).post("/login", right)).status).toBe(303)
  })

  it("a client that disconnects while its sign-in waits leaves its place", async () => {
    const turns = await shared.run(Effect.map(CurrentPasswordTurns, (current) => current))
    const stranger = { kind: "stranger", place: "elsewhere" } as const
    expect(turns.enter(stranger)).toBe("run")
    const abort = new AbortController()
    const waiting = fetch(`${shared.url}/login`, {
      method: "POST",
      body: new URLSearchParams({ email: "gus@clinic.example", password }),
      headers: { "sec-fetch-site": "same-origin" },
      signal: abort.signal
    })
    const own = { kind: "stranger", place: siteSubject("127.0.0.1") } as const
    await setTimeout(500)
    expect(turns.enter(own)).toBe("busy")
    abort.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => typeof turns.enter(own)).toBe("object")
    await shared.run(turns.leave(own))
    await shared.run(turns.finish)
  })
})

describe("contract §3 another password, by email", () => {
  it("the link of the email takes a new password once, and ends every session", async () => {
    const email = "eve@clinic.example"
    const signedIn = await signedUp(fresh, { name: "Eve", email })
    const browser = browserOf(fresh)
    expect((await browser.get("/reset")).location).toBe("/forgot")
    const said = await browser.send("/forgot", { email })
    expect(said.text).toContain("If that address has an account")
    await expect.poll(() => fresh.emailTo(email)).toContain("/reset?token=")
    const page = await browser.get(pathIn(await fresh.emailTo(email), "/reset"))
    const { token = "" } = hiddenIn(page.text)
    expect((await browser.post("/reset", { token, password: "short" })).text).toContain("Use at least 12")
    const own = await browser.post("/reset", { token, password: "eve1815-----" })
    expect(own.text).toContain(passwordSays.own_email)
    const changed = await browser.send("/reset", { token, password: "another four words" })
    expect(changed.text).toContain("Your password is changed.")
    expect((await browser.post("/reset", { token, password: "and a third one now" })).status).toBe(410)
    expect((await signedIn.get("/dashboard")).location).toContain("/login")
    expect((await browser.post("/login", { email, password })).status).toBe(422)
    expect((await browser.post("/login", { email, password: "another four words" })).status).toBe(303)
  })
})
