import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, createKey, newOrganization, password, press, seeUsage, signUp, waitForTitle } from "./people.ts"
import { openPage, openStage, timeoutMs } from "./stage.ts"
import type { Stage, Visitor } from "./stage.ts"

describe("contract §3 what people do on the pages, in a browser, against the running service", {
  timeout: 2 * timeoutMs
}, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  }, 2 * timeoutMs)
  afterAll(() => stage?.close())

  const revokes = async (page: Page, home: string, name: string): Promise<void> => {
    await page.goto(`${home}/keys`)
    await page.getByRole("link", { name: new RegExp(`^Revoke ${name},`) }).click()
    await waitForTitle(page, `Revoke ${name}?`)
    await press(page, "Revoke the key")
    await page.getByText("The key is revoked").waitFor()
  }

  /** Invites somebody, who signs up by the link of the invitation and accepts it. */
  const joins = async (owner: Page, home: string): Promise<Visitor> => {
    await owner.goto(`${home}/members`)
    await owner.getByLabel("Email").fill("max@clinic.example")
    await owner.getByLabel("Role").selectOption("member")
    await press(owner, "Send invitation")
    await owner.getByText("The invitation is sent").waitFor()
    const member = await openPage(stage)
    await member.page.goto(await stage.linkTo("max@clinic.example", "/invitations/"))
    await member.page.getByRole("link", { name: "Create an account" }).click()
    await signUp(stage, member.page, { name: "Max", email: "max@clinic.example" })
    await press(member.page, "Accept the invitation")
    await member.page.getByText("you are now a member").waitFor()
    return member
  }

  /** Sends, from the page of the keys, the forms that it does not show to a member. */
  const forges = async ({ context, page }: Visitor, home: string): Promise<void> => {
    const keyId = /key_\w+/.exec((await page.textContent("main")) ?? "")?.[0] ?? ""
    const forms = [
      ["keys", { name: "forged", lifetime: "" }],
      [`keys/${keyId}/revoke`, {}]
    ] as const
    for (const [path, form] of forms) {
      const headers = { "sec-fetch-site": "same-origin" }
      const answer = await context.request.post(`${home}/${path}`, { form, headers })
      expect([path, answer.status()]).toEqual([path, 403])
      expect(await answer.text()).toContain("Only owners and admins can")
    }
  }

  it("§2.5 somebody signs up, makes a key, calls, sees it, revokes the key and is refused", async () => {
    const { complaints, context, page } = await openPage(stage, {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await page.goto("/")
    await page.getByRole("link", { name: "Create an account" }).click()
    await signUp(stage, page, { name: "Ada", email: "ada@clinic.example" })
    const home = await newOrganization(page, "Example Clinic")
    const key = await createKey(page, home, "nightly import")
    expect(key).toMatch(/^svc_live_/)
    await page.getByRole("button", { name: "Copy the key" }).click()
    await page.locator("#copy-status", { hasText: "Copied" }).waitFor({ state: "attached" })
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key)
    await page.getByRole("link", { name: "I have stored it" }).click()
    await waitForTitle(page, "Keys")
    expect(await page.content()).not.toContain(key)
    expect(await ask(stage, key)).toBe("answered")
    expect(await seeUsage(page, home)).toContain("listJurisdictions")
    await revokes(page, home, "nightly import")
    await expect.poll(() => ask(stage, key), { timeout: timeoutMs }).toBe("AUTH_KEY_REVOKED")
    await page.goto(`${home}/audit`)
    const log = await page.getByRole("main").getByRole("listitem").allTextContents()
    expect(log).toEqual([
      expect.stringMatching(/^Key revoked: key_\w+nightly import.* by ada@clinic.example$/),
      expect.stringMatching(/^Key created: key_\w+nightly import, to read.* by ada@clinic.example$/),
      expect.stringMatching(/^Organization created: Example Clinic.* by ada@clinic.example$/)
    ])
    expect(complaints).toEqual([])
    await context.close()
  })

  it("contract §3 all of that works without scripts", async () => {
    const { context, page } = await openPage(stage, { javaScriptEnabled: false })
    await page.goto("/signup")
    await signUp(stage, page, { name: "Grace", email: "grace@clinic.example" })
    const home = await newOrganization(page, "Scriptless Clinic")
    const key = await createKey(page, home, "report")
    expect(await page.getByRole("button", { name: "Copy the key" }).isVisible()).toBe(false)
    expect(await ask(stage, key)).toBe("answered")
    expect(await seeUsage(page, home)).toContain("listJurisdictions")
    await revokes(page, home, "report")
    await expect.poll(() => ask(stage, key), { timeout: timeoutMs }).toBe("AUTH_KEY_REVOKED")
    await context.close()
  })

  it("contract §3 whoever is invited joins as a member, and neither creates nor revokes keys", async () => {
    const owner = await openPage(stage)
    await owner.page.goto("/signup")
    await signUp(stage, owner.page, { name: "Olive", email: "olive@clinic.example" })
    const home = await newOrganization(owner.page, "Shared Clinic")
    const key = await createKey(owner.page, home, "shared")
    const member = await joins(owner.page, home)

    await member.page.goto(`${home}/keys`)
    await member.page.getByRole("listitem").filter({ hasText: "shared" }).waitFor()
    expect(await member.page.getByRole("button", { name: "Create key" }).count()).toBe(0)
    expect(await member.page.getByRole("link", { name: /^(Revoke|Rotate)/ }).count()).toBe(0)
    await forges(member, home)
    expect(await ask(stage, key)).toBe("answered")

    await owner.page.goto(`${home}/audit`)
    const log = owner.page.getByRole("main").getByRole("listitem")
    for (const line of [
      "Organization created: Shared Clinic",
      /Key created: key_\w+\s*shared, to read.* by olive@clinic.example/s,
      /Member invited: max@clinic.example.* by olive@clinic.example/s,
      /Member joined: max@clinic.example.* by max@clinic.example/s
    ])
      expect(await log.filter({ hasText: line }).count(), String(line)).toBe(1)
    expect(await log.filter({ hasText: "forged" }).count()).toBe(0)

    await press(member.page, "Sign out")
    await member.page.getByText("You are signed out.").waitFor()
    await member.page.goto(`${home}/keys`)
    await waitForTitle(member.page, "Sign in")
    expect([...owner.complaints, ...member.complaints]).toEqual([])
    await owner.context.close()
    await member.context.close()
  })

  it("contract §3 by keyboard alone: past the navigation to the page, and through sign-in", async () => {
    const first = await openPage(stage)
    await first.page.goto("/signup")
    await signUp(stage, first.page, { name: "Kay", email: "kay@clinic.example" })
    await waitForTitle(first.page, "Create your organization")
    await first.context.close()

    const { context, page } = await openPage(stage)
    const { keyboard } = page
    const focused = () => page.evaluate("document.activeElement.textContent || document.activeElement.id")
    await page.goto("/login")
    await keyboard.press("Tab")
    expect(await focused()).toBe("Skip to the page")
    await keyboard.press("Enter")
    expect(await page.evaluate("document.activeElement.id")).toBe("main")
    await keyboard.press("Tab")
    expect(await focused()).toBe("email")
    await keyboard.type("kay@clinic.example")
    await keyboard.press("Tab")
    expect(await focused()).toBe("password")
    await keyboard.type(password)
    await keyboard.press("Enter")
    await waitForTitle(page, "Create your organization")
    await context.close()
  })

  it("contract §3 a form that another site sends is not carried out", async () => {
    const { context, page } = await openPage(stage)
    await page.goto("/signup")
    await signUp(stage, page, { name: "Tess", email: "tess@clinic.example" })
    const home = await newOrganization(page, "Wanted Clinic")
    const form = `<!doctype html><form method="post" action="${stage.url}${home}/keys"><input name="name"
      value="forged"><input name="lifetime" value=""><button>Win</button></form>`
    // Another port of the same host: the cookie comes along, so that only where the form is from tells.
    await context.route("http://127.0.0.1:1/**", (route) =>
      route.fulfill({ contentType: "text/html", body: form })
    )
    await page.goto("http://127.0.0.1:1/")
    await press(page, "Win")
    await waitForTitle(page, "This request did not come from our pages")
    await page.goto(`${home}/keys`)
    await page.getByText("No keys yet").waitFor()
    await context.close()
  })
})
